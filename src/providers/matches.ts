import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Match } from '../../machines/match-model.ts'
import type { Context, Errand } from '../context.ts'
import { createMatch } from '../resources/matches/commands.ts'
import { replaceLineups } from '../resources/matches/lineup.commands.ts'
import { replaceStatistics } from '../resources/matches/statistics.commands.ts'
import { updateMatchV2 } from '../resources/matches/update.commands.ts'
import type { MatchUpdate } from '../resources/matches/write.schema.ts'
import type { Feed, FeedMatch } from '../resources/providers/feed.schema.ts'
import type { Counts } from './counts.ts'
import { takeFacts } from './facts.ts'
import { type Copy, type Local, localId } from './local.ts'
import { Problems } from './problems.ts'
import { takes } from './reconcile.ts'
import { yieldOften } from './yield.ts'

type Told = z.output<typeof FeedMatch>

export type MatchCounts = Record<'matches' | 'lineups' | 'facts', Counts>

export type MatchParts = {
  copy: Copy
  feed: Feed
  before: Feed | undefined
  /** Matches of which the last sync could not take everything, by the provider's id: they are tried whether they changed or not. */
  again: ReadonlySet<string>
  local: Local
  /** One context per command. */
  context(): Context
  /** Throws when this run must not go on. */
  going(): void
}

const AT_ONCE = 4

/**
 * Takes over the matches, each on its own: one that is refused by the rules of matches is told in `problems`, and the others are
 * taken. Matches that the provider did not change since the last sync are not even read.
 */
export async function takeMatches(parts: MatchParts): Promise<{ counts: MatchCounts; problems: Problems }> {
  const none = (): Counts => ({ created: 0, updated: 0, unchanged: 0, skipped: 0 })
  const counts: MatchCounts = { matches: none(), lineups: none(), facts: none() }
  const problems = new Problems()
  const earlier = new Map((parts.before?.matches ?? []).map((match) => [match.id, match]))
  const waiting = parts.feed.matches.values()
  let failed = false
  const work = async () => {
    const pause = yieldOften()
    for (const told of waiting) {
      await pause()
      if (failed) return
      parts.going()
      const before = earlier.get(told.id)
      if (before && !parts.again.has(told.id) && isDeepStrictEqual(before, told)) unchanged(counts, told)
      else await takeMatch(parts, told, before, counts, problems)
    }
  }
  const stop = (error: unknown) => {
    failed = true
    throw error
  }
  // nobody writes any more when this returns
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => work().catch(stop)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return { counts, problems }
}

function unchanged({ matches, lineups, facts }: MatchCounts, told: Told) {
  matches.unchanged++
  lineups.unchanged += told.lineups?.length ?? 0
  facts.unchanged += told.facts?.length ?? 0
}

async function takeMatch(
  parts: MatchParts,
  told: Told,
  before: Told | undefined,
  counts: MatchCounts,
  problems: Problems,
) {
  const { local, again, copy, context } = parts
  const about = `match "${told.id}"`
  const known = local.match.get(told.id)
  // deleted by hand, and so it stays
  if (known === undefined && before && !again.has(told.id)) return void counts.matches.skipped++
  const made = known ?? (await problems.of(told.id, about, () => create(parts, told)))
  if (made === undefined) return void counts.matches.skipped++
  const changed = known !== undefined && (await update(parts, known, told, before, problems))
  counts.matches[known === undefined ? 'created' : changed ? 'updated' : 'unchanged']++
  if (known === undefined) await declare(parts, made, told, undefined, problems)
  await takeLineups(parts, made, told, again.has(told.id) ? undefined : before, counts.lineups, problems)
  const factsBefore = again.has(told.id) ? undefined : before?.facts
  if (told.facts)
    await takeFacts({
      matchId: made,
      told: { id: told.id, facts: told.facts },
      before: factsBefore,
      copy,
      local,
      context,
      counts: counts.facts,
      problems,
    })
  // after the facts, which say what they count themselves
  await takeStatistics(parts, made, told, again.has(told.id) ? undefined : before, problems)
}

async function create({ local, copy, context }: MatchParts, told: Told): Promise<number> {
  const { id } = await createMatch(context(), {
    ...settingsOf(local, told),
    competitionId: localId(local.competition, told.competitionId),
    competitors: competitorsOf(local, told),
    config: told.config ?? {},
    dataProvider: { name: copy.provider, id: told.id },
  })
  return id
}

const settingsOf = (local: Local, told: Told) => ({
  date: new Date(told.date).toISOString(),
  timezone: told.timezone,
  name: told.name ?? null,
  round: told.round ?? null,
  venueId: told.venueId === undefined ? null : (local.venue.get(told.venueId) ?? null),
  competitorsType: told.competitorsType,
  officials: told.officials.flatMap(({ id, role }) => {
    const officialId = local.official.get(id)
    return officialId === undefined ? [] : [{ id: officialId, role }]
  }),
})

const competitorsOf = (local: Local, told: Told) =>
  told.competitors.flatMap(({ entityType, id, isHome }, index) => {
    const entityId = local[entityType].get(id)
    return entityId === undefined ? [] : [{ entityType, entityId, isHome: isHome ?? index === 0 }]
  })

/** Takes the provider's changes of a match that is there, unless it was edited by hand. Answers whether there were any. */
async function update(
  parts: MatchParts,
  matchId: number,
  told: Told,
  before: Told | undefined,
  problems: Problems,
): Promise<boolean> {
  const { local, context } = parts
  const stored = (await context().actors.read('match', matchId))?.context
  if (!stored) return false
  const last = before && settingsOf(local, before)
  const settings = pick(settingsOf(local, told), (key, value) =>
    takes('merge', value, stored.settings[key], last?.[key]),
  )
  const play: MatchUpdate = {}
  if (takes('merge', told.config ?? {}, stored.config, before && (before.config ?? {}))) play.config = told.config ?? {}
  const sides = before && competitorsOf(local, before)
  if (takes('merge', competitorsOf(local, told), sidesOf(stored), sides)) play.competitors = competitorsOf(local, told)
  let changed = false
  // apart from each other: a match that has started keeps its sides and rules, and still moves to another venue
  for (const asked of [settings, play]) {
    if (Object.keys(asked).length === 0) continue
    const done = await problems.of(told.id, `match "${told.id}"`, () => updateMatch(context(), matchId, asked))
    changed ||= done !== undefined
  }
  return (await declare(parts, matchId, told, before, problems)) || changed
}

/** Takes the provider's state and score beside the facts, when they are new. */
async function declare(
  { context }: MatchParts,
  matchId: number,
  told: Told,
  before: Told | undefined,
  problems: Problems,
): Promise<boolean> {
  const asked = {
    ...(told.state !== undefined && told.state !== before?.state && { state: told.state }),
    ...(told.score !== undefined && !isDeepStrictEqual(told.score, before?.score) && { score: told.score }),
  }
  if (Object.keys(asked).length === 0) return false
  const done = await problems.of(told.id, `match "${told.id}"`, () => updateMatch(context(), matchId, asked))
  return done !== undefined
}

const updateMatch = (ctx: Context, matchId: number, asked: MatchUpdate) =>
  ctx.atOwner(`match/${matchId}`, updateMatchErrand, { matchId, asked })

export const updateMatchErrand: Errand<{ matchId: number; asked: MatchUpdate }, unknown> = {
  name: 'update match',
  run: (ctx, { matchId, asked }) => updateMatchV2(ctx, matchId, asked),
}

const sidesOf = ({ competitors }: Match) =>
  competitors.map(({ entityType, teamId, playerId, isHome }) => ({
    entityType,
    entityId: entityType === 'team' ? teamId : playerId,
    isHome,
  }))

function pick<T extends object>(
  from: T,
  wanted: <Key extends keyof T>(key: Key, value: T[Key]) => boolean,
): Partial<T> {
  // entries of T
  return Object.fromEntries(
    Object.entries(from).filter(([key, value]) => wanted(key as keyof T, value as T[keyof T])),
  ) as Partial<T>
}

/** Replaces the line-ups that the provider changed, all of a match or none. */
async function takeLineups(
  { local, context }: MatchParts,
  matchId: number,
  told: Told,
  before: Told | undefined,
  counts: Counts,
  problems: Problems,
) {
  const earlier = new Map((before?.lineups ?? []).map((lineup) => [lineup.teamId, lineup]))
  const changed = (told.lineups ?? []).filter((lineup) => !isDeepStrictEqual(earlier.get(lineup.teamId), lineup))
  counts.unchanged += (told.lineups?.length ?? 0) - changed.length
  if (changed.length === 0) return
  const teams = changed.map(({ teamId, formation, players }) => ({
    teamId: localId(local.team, teamId),
    formation: formation ?? null,
    players: players.map(({ playerId, number, position, starting, captain }) => ({
      playerId: localId(local.player, playerId),
      number: number ?? null,
      position: position ?? null,
      starting,
      captain,
    })),
  }))
  const done = await problems.of(told.id, `line-up of match "${told.id}"`, () =>
    replaceLineups(context(), matchId, { teams }),
  )
  counts[done === undefined ? 'skipped' : 'updated'] += changed.length
}

/** Takes the values of teams and players when the provider changed them. */
async function takeStatistics(
  { local, context }: MatchParts,
  matchId: number,
  { id, statistics }: Told,
  before: Told | undefined,
  problems: Problems,
) {
  if (!statistics || isDeepStrictEqual(statistics, before?.statistics)) return
  const asked = {
    teams: statistics.teams.map(({ teamId, values }) => ({ teamId: localId(local.team, teamId), values })),
    players: statistics.players.map(({ playerId, values }) => ({ playerId: localId(local.player, playerId), values })),
  }
  await problems.of(id, `statistics of match "${id}"`, () =>
    replaceStatistics(context(), matchId, asked, { lenient: true }),
  )
}
