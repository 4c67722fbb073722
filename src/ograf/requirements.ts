import { isGdd } from './gdd.ts'

/** What a connected renderer says that it is, and what it draws on. */
export type Renderer = { name: string; engine: string; width?: number; height?: number }

/** What every renderer draws, whatever it is scaled to. contract: The overlay page and its socket */
const PICTURE = { width: 1920, height: 1080 }

/** What a code graphic may call an engine. */
const NAMED = new Set(['chromium', 'firefox', 'safari'])

/** The oldest engines that a code graphic is for, as its author writes them: `{"chromium": 103}`. Whatever else is there says nothing. */
export function engineRequirements(engine: unknown): readonly unknown[] {
  if (!isGdd(engine)) return []
  const wanted = Object.entries(engine).filter(([type, min]) => NAMED.has(type) && typeof min === 'number')
  if (wanted.length === 0) return []
  return [
    {
      engine: wanted.map(([type, min]) => ({
        type: `${type.charAt(0).toUpperCase()}${type.slice(1)}`,
        version: { min: String(min) },
      })),
    },
  ]
}

/** By the words of a renderer, what a manifest may call its engine. */
const ENGINES: Readonly<Record<string, ReadonlySet<string>>> = {
  Chromium: new Set(['cef', 'chromium', 'chrome', 'blink']),
  Edge: new Set(['edge', 'cef', 'chromium', 'chrome', 'blink']),
  Firefox: new Set(['firefox', 'gecko']),
  Safari: new Set(['safari', 'webkit']),
}
const KNOWN = new Set(Object.values(ENGINES).flatMap((words) => [...words]))

/**
 * Why a renderer is none that a graphic is for, in words; undefined when it is, or when nobody knows. Of several requirements one is
 * enough, and so of several engines. Frame rate and the public internet no renderer tells.
 */
export function unfit(requirements: readonly unknown[], renderer: Renderer): string | undefined {
  if (requirements.length === 0) return undefined
  const reasons = requirements.map((requirement) =>
    isGdd(requirement) ? reasonAgainst(requirement, renderer) : undefined,
  )
  return reasons.includes(undefined) ? undefined : reasons.join(', or ')
}

function reasonAgainst(requirement: Readonly<Record<string, unknown>>, renderer: Renderer) {
  const { engine, width, height } = { ...PICTURE, ...renderer }
  const { resolution, engine: engines } = requirement
  const wanted = isGdd(resolution) ? resolution : {}
  const reasons = [
    outside('a width', wanted.width, width),
    outside('a height', wanted.height, height),
    Array.isArray(engines) ? otherEngine(engines, engine) : undefined,
  ]
  return reasons.find((reason) => reason !== undefined)
}

function outside(what: string, constraint: unknown, value: number): string | undefined {
  if (!isGdd(constraint)) return undefined
  const { min, max, exact } = constraint
  if (typeof exact === 'number' && value !== exact) return `${what} of ${exact} is needed, it has ${value}`
  if (typeof min === 'number' && value < min) return `${what} of at least ${min} is needed, it has ${value}`
  if (typeof max === 'number' && value > max) return `${what} of at most ${max} is needed, it has ${value}`
  return undefined
}

function otherEngine(engines: readonly unknown[], told: string): string | undefined {
  const [, name = '', version = ''] = /(Chromium|Edge|Firefox|Safari) (\d+)/.exec(told) ?? []
  const words = ENGINES[name]
  const wanted = engines.flatMap((one) =>
    isGdd(one) && typeof one.type === 'string' && KNOWN.has(one.type.toLowerCase())
      ? [{ type: one.type, min: isGdd(one.version) ? String(one.version.min) : '' }]
      : [],
  )
  // engines of other vendors nobody here knows, and an unknown renderer may be any
  if (!words || wanted.length < engines.length || wanted.length === 0) return undefined
  const fits = wanted.some(
    ({ type, min }) => words.has(type.toLowerCase()) && Number(version) >= (Number.parseInt(min, 10) || 0),
  )
  return fits
    ? undefined
    : `${wanted.map(({ type, min }) => `${type} ${min}`).join(' or ')} is needed, it is ${name} ${version}`
}
