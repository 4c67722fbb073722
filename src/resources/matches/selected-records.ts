import type { Sql } from 'postgres'
import type { Shown, Value } from '../../../machines/overlay.ts'
import type { SportData } from './sport-data.schema.ts'
import { statisticOf } from './statistics.ts'

type RecordVariable = { name: string; type: string }
/** What one published version of a graphic wants of the data. */
type Wants = { schemas: readonly string[] | undefined; variables: readonly RecordVariable[] }

const keyOf = ({ graphicId, version }: Pick<Shown, 'graphicId' | 'version'>) => `${graphicId}/${version}`

/**
 * What the graphics of a theme want of the data, by graphic and published version: those that are on air keep theirs. A
 * graphic without `selectedSchemas` wants all of it.
 */
export async function wantsOf(sql: Sql, themeId: number | null): Promise<(graphic: Shown) => Wants | undefined> {
  const rows = await sql<
    { graphicId: string; version: number; schemas: unknown; variables: readonly RecordVariable[] | null }[]
  >`
    select v.graphic_id as "graphicId", v.version, v.state_machine->'selectedSchemas' as schemas,
      case jsonb_typeof(v.state_machine->'controlVariables') when 'array' then v.state_machine->'controlVariables' end as variables
    from graphic g
    join graphic_version v on v.graphic_id = g.id
    where g.theme_id = ${themeId}`
  const wants = new Map(
    rows.map(({ schemas, variables, ...graphic }): [string, Wants] => [
      keyOf(graphic),
      {
        schemas: Array.isArray(schemas) ? schemas.filter((name) => typeof name === 'string') : undefined,
        variables: (variables ?? []).filter(({ type }) => Object.hasOwn(SELECT, type)),
      },
    ]),
  )
  return (graphic) => wants.get(keyOf(graphic))
}

const withId = <T extends { id: number }>(records: readonly (T | null)[], value: Value) =>
  records.find((one) => one?.id === value) ?? undefined

/** A name of a list, or its place from 1. */
const named = (names: readonly string[], value: Value) =>
  typeof value === 'number' ? names[value - 1] : names.find((name) => name === value)

const numbered = ({ periods }: SportData, value: Value) => periods.find(({ number }) => number === value)

/** By the type of a control variable: what its value names, undefined when the match has no such thing. live-path 13 */
const SELECT: Readonly<Record<string, (data: SportData, value: Value) => object | undefined>> = {
  match: ({ match }, value) => withId([match], value),
  team: ({ teams, competitors }, value) =>
    withId([teams.home, teams.away], value) ?? competitors.find(({ teamId }) => teamId === value),
  player: ({ players }, value) => withId(players, value),
  fact: ({ facts }, value) => withId(facts, value),
  period: numbered,
  set: numbered,
  round: ({ match: { round } }, value) =>
    round !== null && (round === value || Number(/\d+$/.exec(round)?.[0]) === value) ? { name: round } : undefined,
  court({ venue }, value) {
    const name = named(venue?.courts ?? [], value)
    return name === undefined ? undefined : { name }
  },
  stat: statisticOf,
  teamStat: statisticOf,
}

/** The records that the values of a graphic name, by variable: what becomes `data.selected`. */
export function selectedRecords({ values }: Shown, variables: readonly RecordVariable[], data: SportData) {
  const selected: Record<string, unknown> = {}
  for (const { name, type } of variables) {
    const value = values[name]
    const record = value === null || value === undefined ? undefined : SELECT[type]?.(data, value)
    if (record) selected[name] = record
  }
  return selected
}
