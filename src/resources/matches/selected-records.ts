import type { Value, Values } from '../../../machines/overlay/model.ts'
import type { ShownBrands } from '../brands/shown.ts'
import type { SportData } from './sport-data.schema.ts'
import { statisticOf } from './statistics.ts'

/** What records are looked up in: sport data, and the brands of the organization. */
type Parts = Partial<SportData> & { brands?: ShownBrands }
/** A control variable that names something of the match. */
export type RecordVariable = { name: string; type: string; defaultValue: Value }

const withId = <T extends { id: number }>(records: readonly (T | null | undefined)[], value: Value) =>
  records.find((one) => one?.id === value) ?? undefined

/** A name of a list, or its place from 1. */
const named = (names: readonly string[], value: Value) =>
  typeof value === 'number' ? names[value - 1] : names.find((name) => name === value)

const numbered = ({ periods = [] }: Parts, value: Value) => periods.find(({ number }) => number === value)

/** The record that a value names, by the type of its variable; undefined when the match has none such. live-path 13 */
const SELECT: Readonly<Record<string, (data: Parts, value: Value) => object | undefined>> = {
  match: ({ match }, value) => withId([match], value),
  team: ({ teams, competitors = [] }, value) =>
    withId([teams?.home, teams?.away], value) ?? competitors.find(({ teamId }) => teamId === value),
  player: ({ players = [] }, value) => withId(players, value),
  fact: ({ facts = [] }, value) => withId(facts, value),
  period: numbered,
  set: numbered,
  round({ match }, value) {
    const round = match?.round ?? null
    const isIt = round !== null && (round === value || Number(/\d+$/.exec(round)?.[0]) === value)
    return isIt ? { name: round } : undefined
  },
  court({ venue }, value) {
    const name = named(venue?.courts ?? [], value)
    return name === undefined ? undefined : { name }
  },
  stat: statisticOf,
  teamStat: statisticOf,
  ad: ({ brands = [] }, value) => withId(brands, value),
}

/** Whether values of this type name something of the match. */
export const isRecordType = (type: string) => Object.hasOwn(SELECT, type)

/** The record that a value of this type names in the match; undefined when it has none such. */
export const selectedRecord = (type: string, data: Parts, value: Value): object | undefined =>
  SELECT[type]?.(data, value)

/** The records that the values of a graphic name, their defaults where there is none: `data.selected`. */
export function selectedRecords(values: Values, variables: readonly RecordVariable[], data: Parts) {
  const selected: Record<string, unknown> = {}
  for (const { name, type, defaultValue } of variables) {
    const value = values[name] ?? defaultValue
    const record = value === null ? undefined : selectedRecord(type, data, value)
    if (record) selected[name] = record
  }
  return selected
}
