import type { Logger } from 'pino'
import type { DueDelivery } from '../resources/webhooks/tell.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { Endpoint, Registry } from './registry.ts'
import type { Rows } from './rows.ts'
import type { Sender } from './sender.ts'

/** At an endpoint that answers, and at one that does not. */
const AT_ONCE = 4
const AT_ONCE_FAILING = 1
/** An attempt that takes longer is one of the slow ones, and keeps no quick one of the organization waiting. */
const SLOW_AFTER_MS = 300
const QUICK_OF_ORGANIZATION = 256
const SLOW_OF_ORGANIZATION = 256
const AT_ONCE_IN_ALL = 2_048
const LOOK_ROWS = 50
/** Above that they stay rows alone, and are looked for when there is room. */
const KEPT_OF_ONE = 100
const SETTLE_AGAIN_MS = 1_000
const ENDED_WITHIN_MS = 2_000

/** Of an organization, the attempts under way. */
type Seats = { quick: number; slow: number }

/** What is on its way to one webhook. */
type Lane = {
  readonly id: number
  waiting: DueDelivery[]
  /** Subjects with an attempt under way: one at a time of each, so that a receiver that answers gets them in order. */
  readonly busy: Set<string>
  /** Places that are under way, or whose end is not written yet. */
  readonly running: Set<number>
  /** Those whose end became known while a look was under way, which may still have seen them. */
  readonly ended: Set<number>
  /** There may be rows that are due and not in `waiting`. */
  more: boolean
  looking: boolean
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
  /** Lanes that have something to send and found no seat, or may have. */
  const hungry = new Set<Lane>()
  /** Whether its latest attempt here was taken late or not at all, by webhook. */
  const failing = new Map<number, boolean>()
  let running = 0
  let isFed = true
  let closed = false
  let settling = false
  let outcomes: (Outcome & { lane: Lane })[] = []
  let idle = () => {}

  const laneOf = (id: number): Lane => {
    const known = lanes.get(id)
    if (known) return known
    const lane: Lane = {
      ...{ id, waiting: [], busy: new Set<string>(), running: new Set<number>() },
      ...{ ended: new Set<number>(), more: false, looking: false },
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

  const isFailing = (endpoint: Endpoint) => failing.get(endpoint.id) ?? endpoint.isFailing

  const hasSeat = (lane: Lane, endpoint: Endpoint): boolean => {
    const { quick, slow } = seatsOf(endpoint.organizationId)
    const isSlow = isFailing(endpoint)
    if (lane.busy.size >= (isSlow ? AT_ONCE_FAILING : AT_ONCE) || lane.running.size >= KEPT_OF_ONE) return false
    const isFree = running < AT_ONCE_IN_ALL && (isSlow ? slow < SLOW_OF_ORGANIZATION : quick < QUICK_OF_ORGANIZATION)
    if (!isFree) hungry.add(lane)
    return isFree
  }

  const isKnown = (lane: Lane, place: number) =>
    lane.running.has(place) || lane.waiting.some((delivery) => delivery.place === place)

  /** The next one whose subject has none under way. */
  const next = (lane: Lane): DueDelivery | undefined => {
    const index = lane.waiting.findIndex(({ subject }) => !lane.busy.has(subject))
    return index < 0 ? undefined : lane.waiting.splice(index, 1)[0]
  }

  const advance = (lane: Lane): void => {
    const endpoint = closed ? undefined : registry.find(lane.id)
    if (!endpoint || !owns(lane.id)) {
      lane.waiting = []
      lane.more = false
      failing.delete(lane.id)
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
    const { place, subject } = delivery
    lane.busy.add(subject)
    lane.running.add(place)
    running++
    const seat = seatsOf(endpoint.organizationId)
    let kind: keyof Seats = isFailing(endpoint) ? 'slow' : 'quick'
    seat[kind]++
    const slow = setTimeout(() => {
      seat[kind]--
      kind = 'slow'
      seat[kind]++
      failing.set(lane.id, true)
      feedSoon()
    }, SLOW_AFTER_MS)
    const made = await sender.send(endpoint, delivery)
    clearTimeout(slow)
    seat[kind]--
    running--
    lane.busy.delete(subject)
    if (seat.quick + seat.slow === 0) seats.delete(endpoint.organizationId)
    if (!made) {
      // cut off by the end of this node: as if it had not been made
      lane.running.delete(place)
      idle()
      return
    }
    failing.set(lane.id, made.error !== null)
    const outcome = outcomeOf(delivery, made)
    attempted(outcome.state === 'pending' ? 'retried' : outcome.state, made.ms)
    outcomes.push({ lane, ...outcome })
    void settle()
    // behind those that waited for a seat
    hungry.add(lane)
    feedSoon()
  }

  /** Once for all attempts that end in the same turn of the loop. */
  const feedSoon = () => {
    if (isFed) queueMicrotask(feed)
    isFed = false
  }

  /** Seats became free. Those that wait for one of a kind of which none is left are not asked one by one. */
  const feed = () => {
    isFed = true
    const full = new Set<string>()
    for (const lane of [...hungry]) {
      const endpoint = registry.find(lane.id)
      const kind = endpoint && `${endpoint.organizationId} ${isFailing(endpoint)}`
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
      const found = await rows.due(lane.id, [...lane.running], LOOK_ROWS)
      if (found.length === LOOK_ROWS) lane.more = true
      const known = new Set([...lane.running, ...lane.ended, ...lane.waiting.map(({ place }) => place)])
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
        // a look may have found it before its commit was told here
        else if (!isKnown(lane, delivery.place)) lane.waiting.push(delivery)
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
      const late = setTimeout(() => void sender.close(), ENDED_WITHIN_MS)
      await ended
      clearTimeout(late)
      await sender.close()
    },
  }
}
