import type { OnAir } from '../../../machines/overlay/model.ts'
import { meansRows, PUSHED } from '../../schema/pushed-rows.ts'
import type { Live } from '../ports.ts'

/** Live data as JSON text. */
export type LiveText = {
  themeVariables: string
  data(graphic: OnAir): string
  /** The parts of `data` that depend on the graphic's values; the same text means the same data. */
  selected(graphic: OnAir): string
}

export const noLive: LiveText = { themeVariables: '{}', data: () => 'null', selected: () => '' }

const NOT_ASCII = /[\u0080-\uffff]/
const EACH_NOT_ASCII = /[\u0080-\uffff]/g
/** Escapes may make a text so much longer: a tenth, or what no packet notices. */
const MOST_GROWTH = 0.1
const FREE_GROWTH_BYTES = 64

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The same JSON in ASCII, unless it grows much: each publish encodes it. docs/performance.md: beyond Latin-1 */
export function asciiJson(json: string): string {
  if (!NOT_ASCII.test(json)) return json
  const ascii = json.replace(EACH_NOT_ASCII, escaped)
  const bytes = Buffer.byteLength(json)
  return ascii.length - bytes <= Math.max(FREE_GROWTH_BYTES, bytes * MOST_GROWTH) ? ascii : json
}

// by the objects themselves: all overlays of a match are given the same ones until they change
const texts = new WeakMap<object, string>()
const choices = new WeakMap<object, Map<string, string>>()

function textOf(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part)
  const known = texts.get(part)
  if (known !== undefined) return known
  const text = asciiJson(JSON.stringify(part))
  texts.set(part, text)
  return text
}

function sectionOf(name: string, part: unknown, schemas: readonly string[] | undefined): string | undefined {
  if (!schemas || schemas.includes(name)) return textOf(part)
  if (name !== PUSHED || typeof part !== 'object' || part === null) return undefined
  const members = sections(part, schemas)
  return members === '' ? undefined : `{${members}}`
}

/** The named sections of live data as members of a JSON object, all of them when no names are given. */
function sections(data: object, schemas: readonly string[] | undefined): string {
  const chosen = choices.get(data) ?? new Map<string, string>()
  choices.set(data, chosen)
  // graphics of one theme ask for few different sets
  const key = schemas ? schemas.join() : '*'
  const known = chosen.get(key)
  if (known !== undefined) return known
  const members = Object.entries(data).flatMap(([name, part]) => {
    if (schemas && meansRows(name, data)) return []
    const text = sectionOf(name, part, schemas)
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`
  })
  const text = asciiJson(members.join(','))
  chosen.set(key, text)
  return text
}

/** Each part of live data becomes text once, however many frames and overlays carry it. live-path 14 */
export function liveText(live: Live): LiveText {
  const themeVariables = textOf(live.themeVariables) ?? '{}'
  const shown = live.data
  if (shown === undefined) return { themeVariables, data: () => 'null', selected: () => '' }
  const selected = (graphic: OnAir) => {
    const records = live.selected?.(graphic)
    let text = records ? `"selected":${asciiJson(JSON.stringify(records))}` : ''
    for (const [name, values] of Object.entries(live.computed?.(graphic) ?? {}))
      text += `${text && ','}"${name}":${textOf(values)}`
    return text
  }
  const data = (graphic: OnAir) => {
    const defaults = live.defaults?.(graphic)
    const parts = [
      sections(shown, live.schemas?.(graphic)),
      selected(graphic),
      defaults ? `"defaults":${textOf(defaults)}` : '',
    ]
    return `{${parts.filter((part) => part !== '').join(',')}}`
  }
  return { themeVariables, data, selected }
}
