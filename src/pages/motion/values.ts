import { colourOf } from '../../expressions/colour.ts'
import { clockText, clockValue, type MatchClock, untilNextSecond } from '../shared/clock.ts'

/** As JSON brings it. */
export type Value = unknown

export const isRecord = (value: Value): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The clock of a match, as a part of its data: it is drawn as text that runs. */
const isClock = (value: Value): value is MatchClock =>
  isRecord(value) && typeof value.valueMs === 'number' && typeof value.running === 'boolean' && 'asOf' in value

/** The text of a value at this server time. `againMs`: until it says something else by itself. */
export function textOf(value: Value, now: number): { text: string; againMs?: number } {
  if (!isClock(value)) return { text: typeof value === 'object' ? JSON.stringify(value) : String(value) }
  const shown = clockValue(value, now)
  const text = clockText(shown, value.direction)
  return value.running ? { text, againMs: untilNextSecond(shown, value.direction) } : { text }
}

/** Undefined for a value that is no number. */
export function numberOf(value: Value): number | undefined {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  return typeof value !== 'object' && Number.isFinite(number) ? number : undefined
}

export const booleanOf = (value: Value): boolean =>
  typeof value === 'string' ? !['', 'false', '0', 'no', 'off'].includes(value.trim().toLowerCase()) : Boolean(value)

/** The runtime's 0xaarrggbb; undefined for a value that is no colour. spec: Versioning 7 */
export function argbOf(value: Value): number | undefined {
  const css = colourOf(value)
  if (css === undefined) return undefined
  const digits = css.length === 4 ? css.replace(/[0-9a-f]/gi, '$&$&') : css
  const [red, green, blue, alpha = 255] =
    digits
      .slice(1)
      .match(/../g)
      ?.map((pair) => Number.parseInt(pair, 16)) ?? []
  return (alpha << 24) | ((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0) | 0
}

/** Inputs and properties by which a designer hears that the graphic goes on air or off, in any case, with or without spaces. */
export const isOnAirName = (name: string) => /^(is[ _-]?)?(on[ _-]?air|visible|shown)$/i.test(name.trim())
export const isEnterName = (name: string) => /^(in|show|enter|play|animate[ _-]?in)$/i.test(name.trim())
export const isExitName = (name: string) => /^(out|hide|exit|stop|leave|animate[ _-]?out)$/i.test(name.trim())
