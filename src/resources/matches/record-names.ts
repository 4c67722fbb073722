import type { Values } from '../../../machines/overlay/model.ts'
import type { ShownBrands } from '../brands/shown.ts'
import { type RecordVariable, selectedRecord } from './selected-records.ts'
import type { SportData, SportFact, SportPlayer } from './sport-data.schema.ts'

/** The name of the record that a control variable's value names, by the variable's name. */
export type RecordNames = Readonly<Record<string, string>>

type Called = { name?: string }

/** How people call a record by the type of its variable, where it has no name of its own. */
const CALLED: Readonly<Record<string, (record: object, data: SportData) => string>> = {
  match: (_, data) => matchLabel(data),
  player: (record) => playerLabel(record as SportPlayer),
  fact: (record, data) => factLabel(record as SportFact, data),
}

/** The names of the records in the values; a record that the match has no more is left out. live-path 13 */
export function recordNames(
  values: Values,
  variables: readonly RecordVariable[],
  data: SportData & { brands: ShownBrands },
): RecordNames {
  const names: Record<string, string> = {}
  for (const variable of variables) {
    const value = values[variable.name] ?? null
    const record = value === null ? undefined : selectedRecord(variable.type, data, value)
    const called = record && (CALLED[variable.type]?.(record, data) ?? (record as Called).name)
    if (called) names[variable.name] = called
  }
  return names
}

export const matchLabel = ({ competitors }: Pick<SportData, 'competitors'>) =>
  competitors.map(({ shortName }) => shortName).join(' – ')

export const playerLabel = ({ firstName, lastName }: Pick<SportPlayer, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`.trim()

/** A fact as people name it: `23’  goal  Lindqvist`. */
export function factLabel(
  { type, minute, addedMinute, period, playerName, side }: SportFact,
  { competitors }: SportData,
) {
  const time = minute === null ? (period > 0 ? `P${period}` : '') : `${minute}${addedMinute ? `+${addedMinute}` : ''}’`
  const who = playerName ?? competitors.find(({ isHome }) => side !== null && isHome === (side === 'home'))?.shortName
  return [time, type, who].filter(Boolean).join('  ')
}
