import type { Sql } from 'postgres'
import type { z } from 'zod'
import type { Match, Fact as StoredFact } from '../../../machines/match-model.ts'
import { decodeSnapshot } from '../../actors/rows.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import type { ProviderName } from '../../schema/provider.ts'
import { ownRecords } from '../ownership.ts'
import type { Fact } from './facts.schema.ts'
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
  const { play, facts } = await getMatchState(ctx, matchId)
  const { home, away, periods } = play.score
  return {
    matchId,
    state: play.state,
    score: { home, away },
    periods: [...periods],
    situation: play.situation,
    facts: facts.map((fact) => factOf(matchId, fact)),
    teamStats: { home: { ...play.statistics.home }, away: { ...play.statistics.away } },
  }
}

/**
 * The committed state of a match with its facts in match order, for graphics; `revision` rises with each commit.
 * Undefined when there is no such match.
 */
export async function findMatchState(
  sql: Sql,
  matchId: number,
): Promise<{ match: Match; revision: number } | undefined> {
  const [row] = await sql<{ version: number; snapshot: unknown; revision: number }[]>`
    select machine_version as version, snapshot, seq as revision from actor where ref = ${`match/${matchId}`}`
  if (!row) return undefined
  const { context }: { context: Match } = decodeSnapshot('match', row.version, row.snapshot)
  return { match: context, revision: row.revision }
}
