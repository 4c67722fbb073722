import type { z } from 'zod'
import type { Match } from '../../../machines/match-model.ts'
import { situationOf } from '../../../machines/statistics/clocks.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { linkedMatch } from '../ownership.ts'
import { findTeams } from '../teams/queries.ts'
import { listRoster } from '../teams/roster.queries.ts'
import type { Desk, DeskQuery } from './desk.schema.ts'
import { factOf } from './facts.queries.ts'
import { lineupsOf } from './lineup.queries.ts'
import { shownSituation } from './match-row.ts'
import { getMatchRow, matchOf } from './queries.ts'

type Shape = z.output<typeof Desk>

/** A squad is a page of it. */
const SQUAD = { limit: 1000, offset: 0 }

/** The match behind the address of a desk. Throws notFound. */
export async function getDesk(ctx: Context, { since }: z.output<typeof DeskQuery>): Promise<Shape> {
  const matchId = linkedMatch(ctx)
  const serverTime = serviceMoment()
  // the actor first: rows that are read after it are of this state, or later
  const state = (await ctx.actors.read('match', matchId))?.context
  if (!state) throw notFound()
  const row = await getMatchRow(ctx, matchId)
  const [named] = await ctx.db.sql<{ competition: string }[]>`
    select name as competition from competition where id = ${row.competitionId}`
  const [teams, players] = await Promise.all([teamsOf(ctx, matchId, state), playersOf(ctx, state)])
  const { facts, declared, declaredAt, scoreOverride, createdAt, competitors, config } = state
  const { id, sport, name, date, timezone, round, competitorsType } = matchOf(row)
  const { period, clock, score } = state.play
  const from = since && new Date(since).toISOString()
  return {
    match: {
      id,
      sport,
      name,
      date,
      timezone,
      round,
      competitorsType,
      competition: named?.competition ?? '',
      venue: row.venueName,
      state: state.play.state,
      period,
      clock,
      score: { ...score, periods: [...score.periods] },
      situation: shownSituation(situationOf(state)),
      competitors: competitors.map((one) => ({ ...one })),
      config,
      declared,
      declaredAt,
      scoreOverride,
      createdAt,
    },
    facts: facts.filter(({ updatedAt }) => !from || updatedAt >= from).map((fact) => factOf(matchId, fact)),
    factIds: facts.map((fact) => fact.id),
    teams,
    players,
    serverTime,
  }
}

async function teamsOf(ctx: Context, matchId: number, { competitors }: Match): Promise<Shape['teams']> {
  const inOrder = [...competitors].sort((one, other) => Number(other.isHome) - Number(one.isHome))
  const ids = [...new Set(inOrder.map(({ teamId }) => teamId).filter((id) => id !== null))]
  const { sql } = ctx.db
  const [teams, lineups, set, rosters] = await Promise.all([
    findTeams(sql, ctx.organizationId, ids),
    lineupsOf(sql, matchId, ids),
    sql<{ teamId: number }[]>`select team_id as "teamId" from lineup where match_id = ${matchId}`,
    Promise.all(ids.map(async (id) => [id, (await listRoster(ctx, id, SQUAD)).players] as const)),
  ])
  const rosterOf = new Map(rosters)
  return ids.flatMap((id) => {
    const team = teams.find((one) => one.id === id)
    if (!team) return []
    const lineup = lineups.find(({ teamId }) => teamId === id)
    const { name, gfxName, abbreviation, primaryBackgroundColor = null, primaryTextColor = null } = team
    return {
      id,
      name,
      shortName: abbreviation ?? gfxName ?? name,
      color: primaryBackgroundColor,
      textColor: primaryTextColor,
      roster: rosterOf.get(id) ?? [],
      lineup: lineup ? { ...lineup, isSet: set.some(({ teamId }) => teamId === id) } : null,
    }
  })
}

async function playersOf({ db, organizationId }: Context, { competitors }: Match): Promise<Shape['players']> {
  const ids = competitors.map(({ playerId }) => playerId).filter((id) => id !== null)
  if (ids.length === 0) return []
  return db.sql<Shape['players']>`
    select id, first_name as "firstName", last_name as "lastName" from player
    where organization_id = ${organizationId} and id = any(${ids})`
}
