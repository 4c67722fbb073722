import type { Refusal } from '../../ui/refusal.ts'
import type { Draft } from './draft.ts'

/** What is wrong with a rule in the server's words, by the field: `trigger.factTypes[0]`, `presetId`; '' for the rule as a whole. */
export type RuleFaults = Readonly<Record<string, string>>
/** By the id of the rule. */
export type Faults = Readonly<Record<string, RuleFaults>>

export const NO_FAULTS: Faults = {}

const PATH = /^body\.rules\[(\d+)\](?:\.(.+))?$/

/** The reasons of a refusal at the rules that were sent, and those that are of none of them. */
export function faultsOf(refusal: Refusal, sent: readonly Pick<Draft, 'id'>[]): { faults: Faults; others: string[] } {
  const faults: Record<string, Record<string, string>> = {}
  const others: string[] = []
  for (const [path, { message }] of Object.entries(refusal.details ?? {})) {
    const [, index, field = ''] = PATH.exec(path) ?? []
    const rule = index === undefined ? undefined : sent[Number(index)]
    if (!rule) others.push(message)
    else faults[rule.id] = { ...faults[rule.id], [field]: message }
  }
  if (Object.keys(faults).length === 0 && others.length === 0) others.push(refusal.message)
  return { faults, others }
}

const topOf = (field: string) => field.split(/[.[]/)[0]

/** The faults that are left when some members of a rule were changed: what was said of those is out of date. */
export function withoutChanged(faults: Faults, ruleId: string, members: readonly string[]): Faults {
  const own = faults[ruleId]
  if (!own) return faults
  const { [ruleId]: _own, ...others } = faults
  const left = Object.entries(own).filter(([field]) => field !== '' && !members.includes(topOf(field) ?? ''))
  return left.length === 0 ? others : { ...others, [ruleId]: Object.fromEntries(left) }
}

/** What is said at one field and at the parts of it: `trigger`, `variableValues.player`. */
export function saidAt(faults: RuleFaults | undefined, field: string, partOf?: (place: number) => string | undefined) {
  const said = Object.entries(faults ?? {}).flatMap(([path, message]) => {
    if (path !== field && !path.startsWith(`${field}.`) && !path.startsWith(`${field}[`)) return []
    const place = /\[(\d+)\]$/.exec(path)?.[1]
    const value = place === undefined ? undefined : partOf?.(Number(place))
    return [value === undefined ? message : `${value}: ${message}`]
  })
  return said.length === 0 ? undefined : said.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join('. ')
}

/** The fields that stand in the sentence of a rule; all others are folded away. */
const IN_SENTENCE = new Set(['trigger', 'presetId', 'end', 'delaySeconds', ''])

/** Whether something is said of what is folded away. */
export const isFolded = (faults: RuleFaults | undefined): boolean =>
  Object.keys(faults ?? {}).some((field) => !IN_SENTENCE.has(topOf(field) ?? ''))
