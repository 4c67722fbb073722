import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { tellEach } from '../store/listeners.ts'
import type { Bus } from './bus.ts'
import { connectPair, type Pair } from './redis-pair.ts'
import { createTopics } from './topics.ts'

/**
 * A text that this bus sends itself, over both connections: no answer means that Redis is frozen or a line is cut. The last beat may
 * have been answered just before, so that it is noticed after four.
 */
const BEAT_EVERY_MS = 400
const SILENT_BEATS = 3
const FIRST_RETRY_MS = 50
const LONGEST_RETRY_MS = 500
/** How long texts under way may take to leave at the end. */
const LEAVE_WITHIN_MS = 250

export type RedisBusOptions = {
  url: string
  /** Services that share a Redis hear nothing of each other. */
  serviceId: string
  log: Logger
}

/** The bus on the publish and subscribe of Redis. Begins at once, and tries for ever. */
export function openRedisBus({ url, serviceId, log }: RedisBusOptions): Bus {
  return new RedisBus(url, `tally:${serviceId}:`, log)
}

class RedisBus implements Bus {
  readonly #url: string
  readonly #prefix: string
  readonly #log: Logger
  readonly #beatTopic: string
  readonly #ups: (() => void)[] = []
  readonly #downs: (() => void)[] = []
  readonly #topics: ReturnType<typeof createTopics>
  /** The texts that this turn of the loop published: topic, text, topic, … */
  #gathered: string[] = []
  #pair: Pair | undefined
  #failures = 0
  #retrying: NodeJS.Timeout | undefined
  #beating: NodeJS.Timeout | undefined
  /** Beats in a row without a text since the one before. Counted and not timed: a process that was busy heard nothing either. */
  #silentBeats = 0
  #closed = false

  constructor(url: string, prefix: string, log: Logger) {
    this.#url = url
    this.#prefix = prefix
    this.#log = log
    this.#beatTopic = `${prefix}beat/${randomUUID()}`
    this.#topics = createTopics(log, {
      first: (topic) => this.#tell((hears) => hears.subscribe(prefix + topic)),
      last: (topic) => this.#tell((hears) => hears.unsubscribe(prefix + topic)),
    })
    void this.#connect()
  }

  publish(topic: string, text: string): void {
    if (!this.#pair) return
    // one write for all that a turn of the loop publishes
    if (this.#gathered.push(this.#prefix + topic, text) === 2) setImmediate(() => this.#flush())
  }

  subscribe(topic: string, onText: (text: string) => void): () => void {
    return this.#topics.add(topic, onText)
  }

  isUp(): boolean {
    return this.#pair !== undefined
  }

  onUp(run: () => void): void {
    this.#ups.push(run)
  }

  onDown(run: () => void): void {
    this.#downs.push(run)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#flush()
    this.#closed = true
    clearTimeout(this.#retrying)
    clearInterval(this.#beating)
    this.#topics.clear()
    const pair = this.#pair
    this.#pair = undefined
    await pair?.leave(LEAVE_WITHIN_MS)
  }

  async #connect(): Promise<void> {
    try {
      await connectPair(this.#url, {
        topics: () => [this.#beatTopic, ...this.#topics.names().map((topic) => this.#prefix + topic)],
        onText: (topic, text) => this.#heard(topic, text),
        onUp: (pair) => this.#up(pair),
        onLost: (pair, reason) => this.#lost(pair, reason),
        isWanted: () => !this.#closed,
      })
    } catch (error) {
      if (!this.#closed) this.#again(error)
    }
  }

  #up(pair: Pair): void {
    this.#pair = pair
    this.#log.info({ failures: this.#failures }, 'the bus is up')
    this.#failures = 0
    this.#silentBeats = 0
    this.#beating = setInterval(() => this.#beat(pair), BEAT_EVERY_MS)
    tellEach(this.#ups, (run) => run(), this.#log)
  }

  #lost(pair: Pair, reason: string): void {
    if (this.#pair !== pair) return
    this.#pair = undefined
    // texts that were not sent are not sent later
    this.#gathered = []
    clearInterval(this.#beating)
    tellEach(this.#downs, (run) => run(), this.#log)
    if (!this.#closed) this.#again(new Error(reason))
  }

  #again(error: unknown): void {
    // once per outage
    if (this.#failures++ === 0) this.#log.warn({ err: error }, 'the bus is down; the database is asked instead')
    const backoffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(this.#failures - 1, 10), LONGEST_RETRY_MS)
    this.#retrying = setTimeout(() => void this.#connect(), backoffMs * (0.75 + Math.random() / 2))
  }

  #flush(): void {
    const gathered = this.#gathered
    this.#gathered = []
    if (gathered.length > 0) this.#pair?.publish(gathered)
  }

  #heard(topic: string, text: string): void {
    this.#silentBeats = -1
    if (topic !== this.#beatTopic) this.#topics.tell(topic.slice(this.#prefix.length), text)
  }

  /** Runs a command of the connection that listens: one that fails would leave a topic unheard. */
  #tell(command: (hears: Redis) => Promise<unknown>): void {
    const pair = this.#pair
    if (pair) command(pair.hears).catch(() => pair.give('a topic could not be changed'))
  }

  #beat(pair: Pair): void {
    // texts that came while this process was busy are read first
    setImmediate(() => {
      if (this.#pair !== pair) return
      if (++this.#silentBeats >= SILENT_BEATS) pair.give('Redis does not answer')
      else pair.publish([this.#beatTopic, ''])
    })
  }
}
