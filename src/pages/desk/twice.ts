import { sportOf } from '../../../machines/sports.ts'
import type { DeskFact } from './model.ts'
import type { FactSaid } from './press.ts'

/** Two people who saw the same thing press within so much of each other. */
const WITHIN_MS = 12_000

/** `dropped`: the one that goes when both are one, the same on every telephone; `kept` learns from it what `more` says. */
export type Twice = { own: DeskFact; apartMs: number; kept: DeskFact; dropped: DeskFact; more: FactSaid }

/**
 * A fact that was told here and, right before or after it, from somewhere else in the same words: perhaps one thing told twice. Nobody
 * but the two of them knows, so it is asked and nothing is dropped. Points that come one after the other in seconds are not asked about; what
 * is only noted is where it is of the same player.
 */
export function toldTwice(
  sport: string,
  facts: readonly DeskFact[],
  mine: ReadonlySet<string>,
  settled: ReadonlySet<string>,
): Twice | undefined {
  const { factTypes, periodType } = sportOf(sport)
  if (periodType === 'set') return undefined
  const isMine = ({ clientFactId }: DeskFact) => clientFactId !== null && mine.has(clientFactId)
  for (let index = facts.length - 1; index >= 0; index--) {
    const own = facts[index]
    const type = own && factTypes[own.type]
    if (!own || !type || type.structural || !isMine(own) || settled.has(keyOf(own))) continue
    for (const other of facts) {
      const apartMs = Math.abs(Date.parse(other.timestamp) - Date.parse(own.timestamp))
      if (isMine(other) || other.type !== own.type || other.teamId !== own.teamId || apartMs > WITHIN_MS) continue
      // two corners in ten seconds are two; two cards of one player are not
      if (!type.scoring && (own.playerId === null || other.playerId !== own.playerId)) continue
      return { own, apartMs, ...asOne(own, other) }
    }
  }
  return undefined
}

/**
 * Both people are asked and may answer at once, also without a line: they must mean the same fact, or both would take theirs back. The one that
 * the server took last goes, and one that is yet to be sent is later than any.
 */
function asOne(one: DeskFact, other: DeskFact): Pick<Twice, 'kept' | 'dropped' | 'more'> {
  const orderOf = ({ id }: DeskFact) => (id < 0 ? Number.POSITIVE_INFINITY : id)
  const [kept, dropped] = orderOf(one) < orderOf(other) ? [one, other] : [other, one]
  const { playerId, secondaryPlayerId } = dropped
  const more = {
    ...(kept.playerId === null && playerId !== null && { playerId }),
    ...(kept.secondaryPlayerId === null && secondaryPlayerId !== null && { secondaryPlayerId }),
  }
  return { kept, dropped, more }
}

export const keyOf = ({ clientFactId, id }: DeskFact): string => clientFactId ?? String(id)
