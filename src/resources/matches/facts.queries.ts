import type { z } from 'zod'
import type { Match, Fact as StoredFact } from '../../../machines/match-model.ts'
import { situationOf } from '../../../machines/statistics/clocks.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import type { ProviderName } from '../../schema/provider.ts'
import { ownRecords } from '../ownership.ts'
import type { Fact } from './facts.schema.ts'
import { shownSituation } from './match-row.ts'
import { statisticsOfMatch } from './statistics.queries.ts'
import type { MatchSummary } from './summary.schema.ts'

/** A fact as the API shows it. */
export function factOf(matchId: number, { clientFactId, dataProvider, ...fact }: StoredFact): z.output<typeof Fact> {
  return {
    matchId,
    ...fact,
    // a provider's name was checked when the fact was recorded
    ...(dataProvider && { dataProvider: { ...dataProvider, name: dataProvider.name as ProviderName } }),
    ...(clientFactId !== null && { clientFactId }),
  }
}

/** The committed state of an own match. Throws notFound, or forbidden when it is another organization's. */
async function getMatchState(ctx: Context, matchId: number): Promise<Match> {
  await ownRecords(ctx, ctx.db.sql, 'match', [matchId])
  const match = await ctx.actors.read('match', matchId)
  if (!match) throw notFound()
  return match.context
}

/** The facts of a match in match order. */
export async function listFacts(ctx: Context, matchId: number, { limit, offset }: Paging) {
  const { facts } = await getMatchState(ctx, matchId)
  const shown = facts.slice(offset, offset + limit).map((fact) => factOf(matchId, fact))
  return { facts: shown, total: facts.length, returned: shown.length }
}

/** Throws notFound also for the fact of another match. */
export async function getFact(ctx: Context, matchId: number, factId: number) {
  const { facts } = await getMatchState(ctx, matchId)
  const fact = facts.find(({ id }) => id === factId)
  if (!fact) throw notFound()
  return factOf(matchId, fact)
}

/** How a match stands. */
export async function getSummary(ctx: Context, matchId: number): Promise<z.output<typeof MatchSummary>> {
  const match = await getMatchState(ctx, matchId)
  const { play, facts } = match
  const { home, away, periods } = play.score
  const { statistics } = await statisticsOfMatch(ctx.db.sql, matchId, match)
  const { home: ofHome, away: ofAway, players, ...cards } = statistics
  return {
    matchId,
    state: play.state,
    score: { home, away },
    periods: [...periods],
    situation: shownSituation(situationOf(match)),
    facts: facts.map((fact) => factOf(matchId, fact)),
    teamStats: { home: ofHome, away: ofAway },
    playerStats: players.map(({ playerId, teamId, values }) => ({ playerId, teamId, values })),
    ...cards,
  }
}
