import { sportOf } from '../../../machines/sports.ts'
import type { DeskFact } from './model.ts'

/** Two people who saw the same thing press within so much of each other. */
const WITHIN_MS = 12_000

export type Twice = { own: DeskFact; other: DeskFact; apartMs: number }

/**
 * A fact that was told here and, right before or after it, from somewhere else in the same words: perhaps one thing told twice. Nobody
 * but the two of them knows, so it is asked and nothing is dropped. Points that come one after the other in seconds are not asked about.
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
    if (!own || !isMine(own) || settled.has(keyOf(own)) || !factTypes[own.type]?.scoring) continue
    for (const other of facts) {
      const apartMs = Math.abs(Date.parse(other.timestamp) - Date.parse(own.timestamp))
      if (isMine(other) || other.type !== own.type || other.teamId !== own.teamId || apartMs > WITHIN_MS) continue
      return { own, other, apartMs }
    }
  }
  return undefined
}

export const keyOf = ({ clientFactId, id }: DeskFact): string => clientFactId ?? String(id)
