import { until } from '../../../bench/clock.ts'
import { type Operators, requestIdOf } from './operators.ts'
import type { NodesRig } from './rig.ts'
import type { Watcher } from './watcher.ts'

/** How long one renderer waited for one acknowledged command. */
export type Push = {
  readonly watcher: Watcher
  readonly overlayId: number
  /** That carried it out. */
  readonly node: string | undefined
  readonly sinceAskedMs: number
  readonly sinceAnsweredMs: number
}

/** Nothing that is promised takes longer. */
const PATIENCE_MS = 6_000

/** When renderers were told what operators did, by the journal: one that was told what came later has it, too. */
export class Pushes {
  readonly #rig: NodesRig
  readonly #operators: Operators
  readonly #watchers: readonly Watcher[]

  constructor(rig: NodesRig, operators: Operators, watchers: readonly Watcher[]) {
    this.#rig = rig
    this.#operators = operators
    this.#watchers = watchers
  }

  /** Of commands that were asked between these times and acknowledged; to renderers whose connection lasted since `from`. */
  async between(from: number, to: number): Promise<Push[]> {
    const asked = (await this.#operators.since(from)).filter(
      ({ startedAt, status, changes }) => changes && status === 200 && startedAt < to,
    )
    const seqs = await this.#seqs(from)
    const waiting = () =>
      this.#watchers
        .filter(({ renderer, openedAt }) => renderer.connected && openedAt < from)
        .flatMap((watcher) =>
          asked
            .filter(({ overlayId }) => overlayId === watcher.overlayId)
            .map((attempt) => ({
              watcher,
              attempt,
              at: watcher.toldAt(seqs.get(requestIdOf(attempt.number)) ?? Number.POSITIVE_INFINITY),
            })),
        )
    await until('renderers to be told', PATIENCE_MS, 50, () => waiting().every(({ at }) => at !== undefined)).catch(
      () => {},
    )
    const now = performance.now()
    return waiting().map(({ watcher, attempt, at = now }) => ({
      watcher,
      overlayId: attempt.overlayId,
      node: attempt.node,
      sinceAskedMs: at - attempt.startedAt,
      sinceAnsweredMs: at - attempt.startedAt - attempt.tookMs,
    }))
  }

  /** Of the commands since a time, by their request ids. */
  async #seqs(from: number): Promise<Map<string, number>> {
    const lows = new Map<string, number>()
    for (const watcher of this.#watchers) {
      const ref = `overlay/${watcher.overlayId}`
      lows.set(ref, Math.min(lows.get(ref) ?? Number.POSITIVE_INFINITY, watcher.seqBefore(from)))
    }
    const rows = await this.#rig.sql<{ requestId: string; seq: number }[]>`
      select request_id as "requestId", journal.seq::float8 as seq
      from unnest(${[...lows.keys()]}::text[], ${[...lows.values()]}::bigint[]) as low (ref, seq)
        join journal on journal.ref = low.ref and journal.seq > low.seq`
    return new Map(rows.map(({ requestId, seq }) => [requestId, seq]))
  }
}

/** The time that so many of a hundred keep. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0
}
