import { Redis } from 'ioredis'

const CONNECT_WITHIN_MS = 2_000

/** A connection that publishes and one that listens, which live and end together. */
export type Pair = {
  readonly hears: Redis
  /** Topic, text, topic, text, …: one write. Never throws. */
  publish(texts: readonly string[]): void
  /** Gives both up at once. */
  give(reason: string): void
  /** Ends both connections when the published texts have left, or after so long. */
  leave(withinMs: number): Promise<void>
}

export type PairOptions = {
  /** Asked when the connections are there, and until none is new. */
  topics(): readonly string[]
  onText(topic: string, text: string): void
  /** Every topic is subscribed. Inside the call it must begin to tell the pair of each that comes or goes. */
  onUp(pair: Pair): void
  /** Once, when either connection ends, unless it was told to leave. */
  onLost(pair: Pair, reason: string): void
  /** Whether the pair is still wanted; asked when it is open. */
  isWanted(): boolean
}

/**
 * Rejects when there is no pair to be had now. ioredis neither reconnects nor keeps commands: a new pair takes the place of a
 * lost one, so that nothing stale is sent by it.
 */
export async function connectPair(url: string, options: PairOptions): Promise<void> {
  const [tells, hears] = [connection(url), connection(url)]
  const end = () => {
    for (const redis of [tells, hears]) redis.disconnect(false)
  }
  const unanswered = setTimeout(end, CONNECT_WITHIN_MS)
  try {
    hears.on('message', options.onText)
    await Promise.all([tells.connect(), hears.connect()])
    await subscribeAll(hears, options.topics, () => {
      if (tells.status !== 'ready' || hears.status !== 'ready') throw new Error('Redis does not answer')
      if (options.isWanted()) options.onUp(paired(tells, hears, end, options))
      else end()
    })
  } catch (error) {
    end()
    throw error
  } finally {
    clearTimeout(unanswered)
  }
}

const CONNECTION = {
  lazyConnect: true,
  retryStrategy: () => null,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  connectTimeout: CONNECT_WITHIN_MS,
  // a frozen server never closes its side; not among the types of ioredis
  disconnectTimeout: 100,
}

function connection(url: string): Redis {
  const redis = new Redis(url, CONNECTION)
  // a connection ends after an error, and its end is listened to
  redis.on('error', () => {})
  return redis
}

/** Others come and go while it waits for the answer. `all` is called when none is left, before one more can come. */
async function subscribeAll(hears: Redis, topics: () => readonly string[], all: () => void): Promise<void> {
  const subscribed = new Set<string>()
  for (;;) {
    const wanted = new Set(topics())
    const gone = [...subscribed].filter((topic) => !wanted.has(topic))
    const fresh = [...wanted].filter((topic) => !subscribed.has(topic))
    if (gone.length === 0 && fresh.length === 0) return all()
    for (const topic of gone) subscribed.delete(topic)
    for (const topic of fresh) subscribed.add(topic)
    if (gone.length > 0) await hears.unsubscribe(...gone)
    if (fresh.length > 0) await hears.subscribe(...fresh)
  }
}

function paired(tells: Redis, hears: Redis, end: () => void, { onLost }: PairOptions): Pair {
  let isLost = false
  const pair: Pair = {
    hears,
    publish(texts) {
      const pipeline = tells.pipeline()
      for (let at = 0; at < texts.length; at += 2) pipeline.publish(texts[at] ?? '', texts[at + 1] ?? '')
      // the subscription is lost with its connection
      pipeline.exec().catch(() => {})
    },
    give(reason) {
      end()
      lost(reason)
    },
    async leave(withinMs) {
      isLost = true
      const left = new Promise<void>((resolve) => {
        tells.once('end', resolve)
        setTimeout(resolve, withinMs).unref()
      })
      tells.quit().catch(() => {})
      hears.disconnect(false)
      await left
      tells.disconnect(false)
    },
  }
  const lost = (reason: string) => {
    if (isLost) return
    isLost = true
    end()
    onLost(pair, reason)
  }
  for (const redis of [tells, hears]) redis.once('end', () => lost('a connection to Redis was lost'))
  return pair
}
