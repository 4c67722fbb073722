import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import type { DueDelivery } from '../resources/webhooks/tell.ts'
import type { Attempt, Sender } from './attempt.ts'
import type { Endpoint, Registry } from './registry.ts'
import type { Outcome, Rows } from './rows.ts'

/** integrations: the waits after the first attempt, the second, and so on. */
export const WAITS_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000, 86_400_000] as const
const LONGEST_MS = 86_400_000
/** At an endpoint that answers, and at one that does not. */
const AT_ONCE = 4
const AT_ONCE_FAILING = 1
/** An attempt that takes longer is one of the slow ones, and keeps no quick one of the organization waiting. */
const SLOW_AFTER_MS = 1_000
const QUICK_OF_ORGANIZATION = 64
const SLOW_OF_ORGANIZATION = 128
const AT_ONCE_IN_ALL = 1_024
const LOOK_ROWS = 50
/** Above that they stay rows alone, and are looked for when there is room. */
const KEPT_OF_ONE = 100
const SETTLE_AGAIN_MS = 1_000
const ENDED_WITHIN_MS = 2_000

/** Not all at the same moment: a tenth more or less. */
const withJitter = (ms: number) => Math.round(ms * (0.9 + Math.random() * 0.2))

/** Of an organization, the attempts under way. */
type Seats = { quick: number; slow: number }

/** What is on its way to one webhook. */
type Lane = {
  readonly id: number
  waiting: DueDelivery[]
  /** By place; one at a time of each subject, so that a receiver that answers gets them in order. */
  readonly running: Map<number, string>
  /** Those whose end became known while a look was under way, which may still have seen them. */
  readonly ended: Set<number>
  /** There may be rows that are due and not in `waiting`. */
  more: boolean
  looking: boolean
  isFailing: boolean | undefined
}

type Parts = {
  rows: Rows
  registry: Registry
  sender: Sender
  /** Whether the webhook is for this node to serve. */
  owns(webhookId: number): boolean
  /** Has the queue call `look` then. */
  later(webhookId: number, delayMs: number): void
  /** An attempt ended, `ms` after it began. */
  attempted(outcome: 'delivered' | 'retried' | 'failed', ms: number): void
  log: Logger
}

export type Pump = {
  /** Deliveries that just became due. */
  offer(deliveries: readonly DueDelivery[]): void
  /** Looks for rows of these webhooks that are due. */
  look(webhookIds: readonly number[]): void
  /** Lets attempts under way end for a moment; what did not end is tried again by whoever comes next. */
  close(): Promise<void>
}

/**
 * The attempts of this node. The rows are the truth: what is in memory is only what they say is due. A webhook that answers late or
 * never has few attempts under way, which keep nobody else waiting.
 */
export function createPump({ rows, registry, sender, owns, later, attempted, log }: Parts): Pump {
  const lanes = new Map<number, Lane>()
  const seats = new Map<number, Seats>()
  /** Lanes that have something to send and found no seat. */
  const hungry = new Set<Lane>()
  const cancelled = new AbortController()
  // each attempt listens
  setMaxListeners(0, cancelled.signal)
  let running = 0
  let closed = false
  let settling = false
  let outcomes: (Outcome & { lane: Lane })[] = []
  let idle = () => {}

  const laneOf = (id: number): Lane => {
    const known = lanes.get(id)
    if (known) return known
    const lane: Lane = {
      ...{ id, waiting: [], running: new Map(), ended: new Set(), more: false, looking: false, isFailing: undefined },
    }
    lanes.set(id, lane)
    return lane
  }

  /** One that has nothing to do is made anew when it has. */
  const drop = (lane: Lane) => {
    const isIdle = lane.waiting.length + lane.running.size === 0 && !lane.looking
    if (isIdle && lanes.get(lane.id) === lane) lanes.delete(lane.id)
  }

  const seatsOf = (organizationId: number): Seats => {
    const known = seats.get(organizationId)
    if (known) return known
    const made = { quick: 0, slow: 0 }
    seats.set(organizationId, made)
    return made
  }

  const isFailing = (lane: Lane, endpoint: Endpoint) => lane.isFailing ?? endpoint.isFailing

  const hasSeat = (lane: Lane, endpoint: Endpoint): boolean => {
    const { quick, slow } = seatsOf(endpoint.organizationId)
    const failing = isFailing(lane, endpoint)
    if (lane.running.size >= (failing ? AT_ONCE_FAILING : AT_ONCE)) return false
    const isFree = running < AT_ONCE_IN_ALL && (failing ? slow < SLOW_OF_ORGANIZATION : quick < QUICK_OF_ORGANIZATION)
    if (!isFree) hungry.add(lane)
    return isFree
  }

  /** The next one whose subject has none under way. */
  const next = (lane: Lane): DueDelivery | undefined => {
    const busy = new Set(lane.running.values())
    const index = lane.waiting.findIndex(({ subject }) => !busy.has(subject))
    return index < 0 ? undefined : lane.waiting.splice(index, 1)[0]
  }

  const advance = (lane: Lane): void => {
    const endpoint = closed ? undefined : registry.find(lane.id)
    if (!endpoint || !owns(lane.id)) {
      lane.waiting = []
      lane.more = false
      drop(lane)
      return
    }
    while (lane.waiting.length > 0 && hasSeat(lane, endpoint)) {
      const delivery = next(lane)
      if (!delivery) break
      void attempt(lane, endpoint, delivery)
    }
    if (lane.more && lane.waiting.length === 0) void fill(lane)
    else drop(lane)
  }

  const attempt = async (lane: Lane, endpoint: Endpoint, delivery: DueDelivery): Promise<void> => {
    lane.running.set(delivery.place, delivery.subject)
    running++
    const seat = seatsOf(endpoint.organizationId)
    let kind: keyof Seats = isFailing(lane, endpoint) ? 'slow' : 'quick'
    seat[kind]++
    const slow = setTimeout(() => {
      seat[kind]--
      kind = 'slow'
      seat[kind]++
      lane.isFailing = true
      feed()
    }, SLOW_AFTER_MS)
    const made = await sender.send(endpoint, delivery, cancelled.signal)
    clearTimeout(slow)
    seat[kind]--
    running--
    if (seat.quick + seat.slow === 0) seats.delete(endpoint.organizationId)
    if (cancelled.signal.aborted) {
      // cut off by the end of this node: as if it had not been made
      lane.running.delete(delivery.place)
      idle()
      return
    }
    lane.isFailing = made.error !== null
    const outcome = outcomeOf(delivery, made)
    attempted(outcome.state === 'pending' ? 'retried' : outcome.state, made.ms)
    outcomes.push({ lane, ...outcome })
    void settle()
    feed()
  }

  /** Seats became free. Those that wait for one of a kind of which none is left are not asked one by one. */
  const feed = () => {
    const full = new Set<string>()
    for (const lane of [...hungry]) {
      const endpoint = registry.find(lane.id)
      const kind = endpoint && `${endpoint.organizationId} ${isFailing(lane, endpoint)}`
      if (running >= AT_ONCE_IN_ALL || (kind !== undefined && full.has(kind))) continue
      hungry.delete(lane)
      advance(lane)
      if (kind !== undefined && hungry.has(lane)) full.add(kind)
    }
  }

  /** Writes how attempts went, all that gathered meanwhile at once; a database that is away is waited for. */
  const settle = async (): Promise<void> => {
    if (settling) return
    settling = true
    try {
      // what ends in the same turn of the loop is one statement
      await new Promise((resolve) => setImmediate(resolve))
      while (outcomes.length > 0) {
        const batch = outcomes
        outcomes = []
        await written(batch)
        for (const { lane, place, state, waitMs } of batch) {
          lane.running.delete(place)
          if (lane.looking) lane.ended.add(place)
          if (state === 'pending') later(lane.id, waitMs)
        }
        for (const lane of new Set(batch.map((one) => one.lane))) advance(lane)
      }
    } finally {
      settling = false
      idle()
    }
  }

  const written = async (batch: readonly Outcome[]): Promise<void> => {
    for (;;) {
      try {
        return await rows.settle(batch)
      } catch (error) {
        log.warn({ err: error, attempts: batch.length }, 'attempts of webhooks could not be noted')
        if (closed) return
        await new Promise((resolve) => setTimeout(resolve, SETTLE_AGAIN_MS))
      }
    }
  }

  const fill = async (lane: Lane): Promise<void> => {
    if (lane.looking) return
    lane.looking = true
    lane.more = false
    lane.ended.clear()
    try {
      const found = await rows.due(lane.id, [...lane.running.keys()], LOOK_ROWS)
      if (found.length === LOOK_ROWS) lane.more = true
      const known = new Set([...lane.running.keys(), ...lane.ended, ...lane.waiting.map(({ place }) => place)])
      lane.waiting.push(...found.filter(({ place }) => !known.has(place)))
      lane.waiting.sort((one, other) => one.place - other.place)
    } catch (error) {
      // the next sweep looks again
      log.debug({ err: error, webhookId: lane.id }, 'deliveries of a webhook could not be read')
    } finally {
      lane.looking = false
      advance(lane)
    }
  }

  return {
    offer(deliveries) {
      const touched = new Set<Lane>()
      for (const delivery of deliveries) {
        if (!owns(delivery.webhookId)) continue
        const lane = laneOf(delivery.webhookId)
        touched.add(lane)
        // rows that came before are sent before
        if (lane.more || lane.looking || lane.waiting.length >= KEPT_OF_ONE) lane.more = true
        else lane.waiting.push(delivery)
      }
      for (const lane of touched) advance(lane)
    },
    look(webhookIds) {
      if (closed) return
      for (const id of webhookIds) {
        if (!owns(id) || !registry.find(id)) continue
        const lane = laneOf(id)
        lane.more = true
        if (lane.waiting.length === 0) advance(lane)
      }
    },
    async close() {
      closed = true
      const isIdle = () => running === 0 && outcomes.length === 0 && !settling
      const ended = new Promise<void>((resolve) => {
        idle = () => {
          if (isIdle()) resolve()
        }
        idle()
      })
      const late = setTimeout(() => cancelled.abort(), ENDED_WITHIN_MS)
      await ended
      clearTimeout(late)
      sender.close()
    },
  }
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
