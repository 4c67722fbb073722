import { type FieldFaults, topOf } from '../worked-list/faults.ts'

/** The fields that stand in the sentence of a rule; all others are folded away. */
const IN_SENTENCE = new Set(['trigger', 'presetId', 'end', 'delaySeconds', ''])

/** Whether something is said of what is folded away. */
export const isFolded = (faults: FieldFaults | undefined): boolean =>
  Object.keys(faults ?? {}).some((field) => !IN_SENTENCE.has(topOf(field) ?? ''))

/** What was said of expressions is out of date with another trigger: only those of facts have a `fact`. */
export const concerned = (members: readonly string[]): readonly string[] =>
  members.includes('trigger') ? [...members, 'condition', 'variableValues'] : members
