import type { DueDelivery } from '../resources/webhooks/tell.ts'
import type { Attempt } from './attempt.ts'

/** integrations: the waits after the first attempt, the second, and so on. */
const WAITS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000] as const
const LONGEST_MS = 86_400_000

/** Not all at the same moment: a tenth more or less. */
const withJitter = (ms: number) => Math.round(ms * (0.9 + Math.random() * 0.2))

/** How an attempt of a delivery went, and what comes of it. */
export type Outcome = {
  webhookId: number
  place: number
  /** Of the attempts before this one. */
  tries: number
  attempt: Omit<Attempt, 'retryAfterMs'>
  state: 'pending' | 'delivered' | 'failed'
  /** Until the next attempt. */
  waitMs: number
  /** The endpoint wants no more. */
  isGone: boolean
}

/** What an attempt means for its delivery. integrations: Webhooks */
export function outcomeOf(delivery: DueDelivery, made: Attempt): Outcome {
  const { webhookId, place, tries } = delivery
  const { retryAfterMs, ...attempt } = made
  const wait = WAITS_MS[tries]
  const isGone = made.status === 410
  const state = made.error === null ? 'delivered' : wait === undefined || isGone ? 'failed' : 'pending'
  const waitMs = state === 'pending' ? Math.min(LONGEST_MS * 1.1, Math.max(withJitter(wait ?? 0), retryAfterMs)) : 0
  return { webhookId, place, tries, attempt, state, waitMs, isGone }
}
