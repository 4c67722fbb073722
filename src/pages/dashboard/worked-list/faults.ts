import type { Refusal } from '../../ui/refusal.ts'
import type { Item } from './edits.ts'

/** The faults of one item of a list in the server's words, by field: `trigger.factTypes[0]`, `name`; '' for the item as a whole. */
export type FieldFaults = Readonly<Record<string, string>>
/** By its id. */
export type Faults = Readonly<Record<string, FieldFaults>>

export const NO_FAULTS: Faults = {}

/** The reasons of a refusal at what was sent as `list` of the body, and those that are of none of it. */
export function faultsOf(refusal: Refusal, list: string, sent: readonly Pick<Item, 'id'>[]) {
  const path = new RegExp(`^body\\.${list}\\[(\\d+)\\](?:\\.(.+))?$`)
  const faults: Record<string, Record<string, string>> = {}
  const others: string[] = []
  for (const [at, { message }] of Object.entries(refusal.details ?? {})) {
    const [, index, field = ''] = path.exec(at) ?? []
    const item = index === undefined ? undefined : sent[Number(index)]
    if (!item) others.push(message)
    else faults[item.id] = { ...faults[item.id], [field]: message }
  }
  if (Object.keys(faults).length === 0 && others.length === 0) others.push(refusal.message)
  return { faults: faults as Faults, others }
}

export const topOf = (field: string) => field.split(/[.[]/)[0]

/** The faults that are left when some members of one were changed: what was said of those is out of date. */
export function withoutChanged(faults: Faults, id: string, members: readonly string[]): Faults {
  const own = faults[id]
  if (!own) return faults
  const { [id]: _own, ...others } = faults
  const left = Object.entries(own).filter(([field]) => field !== '' && !members.includes(topOf(field) ?? ''))
  return left.length === 0 ? others : { ...others, [id]: Object.fromEntries(left) }
}

/** The faults of one field and of its parts: `trigger`, `variableValues.player`. */
export function saidAt(faults: FieldFaults | undefined, field: string, partOf?: (place: number) => string | undefined) {
  const said = Object.entries(faults ?? {}).flatMap(([path, message]) => {
    if (path !== field && !path.startsWith(`${field}.`) && !path.startsWith(`${field}[`)) return []
    const place = /\[(\d+)\]$/.exec(path)?.[1]
    const value = place === undefined ? undefined : partOf?.(Number(place))
    return [value === undefined ? message : `${value}: ${message}`]
  })
  return said.length === 0 ? undefined : said.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join('. ')
}
