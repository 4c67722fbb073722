import type { Sql } from 'postgres'
import type { Shown } from '../../../machines/overlay.ts'

type RecordVariable = { name: string; type: string }
/** What one published version of a graphic wants of the data. */
type Wants = { schemas: readonly string[] | undefined; variables: readonly RecordVariable[] }
type Identified = { id: number }

/** What variables can select from. */
export type Selectable = {
  match: Identified
  teams: { home: Identified | undefined; away: Identified | undefined }
  lineups: { home: { players: Identified[] }; away: { players: Identified[] } }
  facts: Identified[]
}

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
        variables: (variables ?? []).filter(({ type }) => RECORD_TYPES.has(type)),
      },
    ]),
  )
  return (graphic) => wants.get(keyOf(graphic))
}

const RECORD_TYPES = new Set(['team', 'player', 'match', 'fact'])

/** The records that the values of a graphic name, by variable; a record that is not part of the match is absent. */
export function selectedRecords({ values }: Shown, variables: readonly RecordVariable[], data: Selectable) {
  const selected: Record<string, unknown> = {}
  for (const { name, type } of variables) {
    const record = candidates(type, data).find((one) => one?.id === values[name])
    if (record) selected[name] = record
  }
  return selected
}

function candidates(type: string, { match, teams, lineups, facts }: Selectable): (Identified | undefined)[] {
  switch (type) {
    case 'team':
      return [teams.home, teams.away]
    case 'player':
      return [...lineups.home.players, ...lineups.away.players]
    case 'fact':
      return facts
    default:
      return [match]
  }
}
