import type { z } from 'zod'
import type { Fact } from '../../../machines/match-model.ts'
import { storedPart } from '../../catalog/stored-part.ts'
import type { Context } from '../../context.ts'
import { getCompetition } from '../competitions/queries.ts'
import { overlaysOfMatches } from '../overlays/queries.ts'
import { streamsOfMatches } from '../streams/queries.ts'
import { findTeams } from '../teams/queries.ts'
import { factOf } from './facts.queries.ts'
import { lineupsOfMatches } from './lineup.queries.ts'
import type { MatchRow } from './match-row.ts'
import type { MatchV2 } from './schema.ts'

type Match = z.output<typeof MatchV2>
type Included = Partial<
  Pick<Match, 'teams' | 'overlays' | 'competition' | 'venue' | 'streams' | 'facts' | 'lineups' | 'players'>
>

const teamIdsOf = ({ competitors }: MatchRow) => competitors.map(({ teamId }) => teamId).filter((id) => id !== null)

/** The records that `include` names of these matches: a query or two per letter. */
export async function includesOf(
  ctx: Context,
  rows: readonly MatchRow[],
  include: string | undefined,
): Promise<(row: MatchRow) => Included> {
  const wanted = new Set(include?.split(','))
  const ids = rows.map(({ id }) => id)
  const teamIds = [...new Set(rows.flatMap(teamIdsOf))]
  const { sql } = ctx.db
  const [teams, overlays, competitions, streams, facts, lineups, players] = await Promise.all([
    wanted.has('t') ? findTeams(sql, ctx.organizationId, teamIds) : undefined,
    // an overlay carries links to its pages, which a key for matches alone must not get; the same goes for streams
    wanted.has('o') && ctx.scopes.has('overlays:read') ? overlaysOfMatches(ctx, ids) : undefined,
    wanted.has('c') ? competitionsOf(ctx, rows) : undefined,
    wanted.has('s') && ctx.scopes.has('streams:read') ? streamsOfMatches(ctx, ids) : undefined,
    wanted.has('f') ? factsOf(ctx, ids) : undefined,
    wanted.has('l')
      ? lineupsOfMatches(
          sql,
          rows.map((row) => ({ id: row.id, teamIds: teamIdsOf(row) })),
        )
      : undefined,
    wanted.has('p') ? playersOf(ctx, ids) : undefined,
  ])
  return (row) => {
    const competition = competitions?.find(({ id }) => id === row.competitionId)
    return {
      ...(teams && { teams: teams.filter(({ id }) => row.competitors.some(({ teamId }) => teamId === id)) }),
      ...(overlays && { overlays: overlays.filter(({ matchId }) => matchId === row.id) }),
      ...(competition && { competition }),
      ...(wanted.has('v') && {
        venue: row.venueId === null || row.venueName === null ? null : { id: row.venueId, name: row.venueName },
      }),
      ...(streams && { streams: streams.filter(({ matchId }) => matchId === row.id) }),
      ...(facts && { facts: (facts.get(row.id) ?? []).map((fact) => factOf(row.id, fact)) }),
      ...(lineups && { lineups: lineups.get(row.id) ?? [] }),
      ...(players && { players: players.get(row.id) ?? [] }),
    }
  }
}

function byMatch<One extends { matchId: number }>(all: readonly One[]) {
  const found = new Map<number, Omit<One, 'matchId'>[]>()
  for (const { matchId, ...one } of all) {
    const known = found.get(matchId)
    if (known) known.push(one)
    else found.set(matchId, [one])
  }
  return found
}

const competitionsOf = (ctx: Context, rows: readonly MatchRow[]) =>
  Promise.all([...new Set(rows.map(({ competitionId }) => competitionId))].map((id) => getCompetition(ctx, id)))

/** Facts live in the state of their match, which its actor's row holds as of the last commit. */
async function factsOf({ db: { sql } }: Context, ids: readonly number[]): Promise<Map<number, readonly Fact[]>> {
  const rows = await sql<{ ref: string; facts: Fact[] | null }[]>`
    select ref, ${storedPart(sql, 'actor', 'facts', 'array')} as facts from actor where ref = any(${ids.map((id) => `match/${id}`)})`
  return new Map(rows.map(({ ref, facts }) => [Number(ref.slice('match/'.length)), facts ?? []]))
}

type Player = NonNullable<Match['players']>[number] & { matchId: number }

const playersOf = async ({ db: { sql } }: Context, ids: readonly number[]) =>
  byMatch(
    await sql<Player[]>`
  select distinct on (c.match_id, p.id) c.match_id as "matchId", p.id, c.team_id as "teamId",
    p.first_name as "firstName", p.last_name as "lastName"
  from match_competitor c
  left join roster_entry r on r.team_id = c.team_id and c.player_id is null
  join player p on p.id = coalesce(c.player_id, r.player_id)
  where c.match_id = any(${[...ids]}) order by c.match_id, p.id, c.position`,
  )
