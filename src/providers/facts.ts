import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Fact } from '../../machines/match-model.ts'
import type { Context, Errand } from '../context.ts'
import type { ApiError } from '../errors.ts'
import { correctFact, eraseFact, recordFact } from '../resources/matches/facts.commands.ts'
import type { FeedFact } from '../resources/providers/feed.schema.ts'
import type { Counts } from './counts.ts'
import { type Copy, type Local, localId } from './local.ts'
import { isRefusal, type Problems } from './problems.ts'

type Told = z.output<typeof FeedFact>

export type FactParts = {
  matchId: number
  /** The match by the provider's id, with all its facts. */
  told: { id: string; facts: readonly Told[] }
  /** The facts of the last sync; undefined when they are not to be relied on. */
  before: readonly Told[] | undefined
  copy: Copy
  local: Local
  context(): Context
  counts: Counts
  problems: Problems
}

type Step = { about: string; does: 'created' | 'updated'; run: () => Promise<unknown> }

/**
 * Makes the facts of a match that came from this provider the ones that it tells now: matched by the provider's id, recorded,
 * corrected and erased through the match's actor. Facts of others stay. A fact corrected or deleted by hand stays so until the
 * provider changes it.
 */
export async function takeFacts(parts: FactParts): Promise<void> {
  const { matchId, told, copy, counts, context } = parts
  const match = (await context().actors.read('match', matchId))?.context
  const stored = new Map(
    (match?.facts ?? []).flatMap((fact) =>
      fact.dataProvider?.name === copy.provider ? [[fact.dataProvider.id, fact] as const] : [],
    ),
  )
  const earlier = new Map((parts.before ?? []).map((fact) => [fact.id, fact]))
  const steps: Step[] = []
  const inOrder = [...told.facts].sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))
  for (const fact of inOrder) {
    const step = stepFor(parts, fact, earlier.get(fact.id), stored.get(fact.id))
    if (step) steps.push(step)
    else counts.unchanged++
  }
  const listed = new Set(told.facts.map(({ id }) => id))
  // the latest first: facts that others rest on go last
  for (const [id, fact] of [...stored].reverse())
    if (!listed.has(id))
      steps.push({
        about: `fact "${id}" of match "${told.id}", which the provider took back`,
        does: 'updated',
        run: () => onMatch(context(), matchId, eraseFactErrand, { matchId, factId: fact.id }),
      })
  await carryOut(parts, steps)
}

function stepFor(parts: FactParts, fact: Told, before: Told | undefined, stored: Fact | undefined): Step | undefined {
  const { matchId, told, copy, local, context } = parts
  if (before && isDeepStrictEqual(before, fact)) return undefined
  const about = `fact "${fact.id}" of match "${told.id}"`
  const asked = { ...askedOf(local, fact), source: 'provider' as const }
  if (!stored) {
    const dataProvider = { name: copy.provider, id: fact.id }
    const fresh = { ...asked, type: fact.type, dataProvider }
    const run = () => onMatch(context(), matchId, recordFactErrand, { matchId, asked: fresh })
    return { about, does: 'created', run }
  }
  if (Object.entries(asked).every(([key, value]) => isDeepStrictEqual(value, stored[key as keyof Fact])))
    return undefined
  const cleared = Object.fromEntries(
    CLEARABLE.filter((key) => fact[key] === undefined && before?.[key] !== undefined).map((key) => [key, null]),
  )
  const correction = { matchId, factId: stored.id, asked: { ...cleared, ...asked } }
  return { about, does: 'updated', run: () => onMatch(context(), matchId, correctFactErrand, correction) }
}

const onMatch = <A>(ctx: Context, matchId: number, errand: Errand<A, unknown>, args: A) =>
  ctx.atOwner(`match/${matchId}`, errand, args)

type OfMatch<A> = A & { matchId: number }

export const recordFactErrand: Errand<OfMatch<{ asked: Parameters<typeof recordFact>[2] }>, unknown> = {
  name: 'record fact',
  run: (ctx, { matchId, asked }) => recordFact(ctx, matchId, asked),
}

export const correctFactErrand: Errand<
  OfMatch<{ factId: number; asked: Parameters<typeof correctFact>[3] }>,
  unknown
> = {
  name: 'correct fact',
  run: (ctx, { matchId, factId, asked }) => correctFact(ctx, matchId, factId, asked),
}

export const eraseFactErrand: Errand<OfMatch<{ factId: number }>, unknown> = {
  name: 'erase fact',
  run: (ctx, { matchId, factId }) => eraseFact(ctx, matchId, factId),
}

/** Fields that a correction may take away again. */
const CLEARABLE = ['teamId', 'playerId', 'secondaryPlayerId', 'clockMs', 'minute', 'addedMinute', 'value'] as const

function askedOf(local: Local, { id: _, teamId, playerId, secondaryPlayerId, timestamp, ...fact }: Told) {
  return {
    ...fact,
    timestamp: new Date(timestamp).toISOString(),
    ...(teamId !== undefined && { teamId: localId(local.team, teamId) }),
    ...(playerId !== undefined && { playerId: localId(local.player, playerId) }),
    ...(secondaryPlayerId !== undefined && { secondaryPlayerId: localId(local.player, secondaryPlayerId) }),
  }
}

/** Each step must be possible when it is taken, so one that is refused is tried again after others, as long as any succeeds. */
async function carryOut({ told, counts, problems }: FactParts, steps: readonly Step[]) {
  let left = [...steps]
  for (;;) {
    const refused: { step: Step; error: ApiError }[] = []
    for (const step of left)
      try {
        await step.run()
        counts[step.does]++
      } catch (error) {
        if (!isRefusal(error)) throw error
        refused.push({ step, error })
      }
    if (refused.length === 0) return
    if (refused.length === left.length) {
      for (const { step, error } of refused) problems.add(told.id, step.about, error)
      counts.skipped += refused.length
      return
    }
    left = refused.map(({ step }) => step)
  }
}
