import type { Sql } from 'postgres'
import type { Shown } from '../../../machines/overlay.ts'

type RecordVariable = { graphicId: string; version: number; name: string; type: string }
type Identified = { id: number }

/** What variables can select from. */
export type Selectable = {
  match: Identified
  teams: { home: Identified | undefined; away: Identified | undefined }
  lineups: { home: { players: Identified[] }; away: { players: Identified[] } }
  facts: Identified[]
}

/**
 * The control variables of a theme that name a record, of every published version: those that are on air keep theirs.
 * Few graphics have any.
 */
export const recordVariables = (sql: Sql, themeId: number | null) => sql<RecordVariable[]>`
  select v.graphic_id as "graphicId", v.version, c->>'name' as name, c->>'type' as type
  from graphic g
  join graphic_version v on v.graphic_id = g.id
  cross join jsonb_array_elements(
    case jsonb_typeof(v.state_machine->'controlVariables') when 'array' then v.state_machine->'controlVariables' else '[]' end) c
  where g.theme_id = ${themeId} and c->>'type' in ('team', 'player', 'match', 'fact')`

/** The records that the values of a graphic name, by variable; a record that is not part of the match is absent. */
export function selectedRecords(graphic: Shown, variables: readonly RecordVariable[], data: Selectable) {
  const selected: Record<string, unknown> = {}
  for (const { graphicId, version, name, type } of variables) {
    if (graphicId !== graphic.graphicId || version !== graphic.version) continue
    const record = candidates(type, data).find((one) => one?.id === graphic.values[name])
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
