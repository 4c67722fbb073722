import type { Logger } from 'pino'
import type { JoinedNode } from './joined.ts'
import type { NodeAddress } from './ownership.ts'

/** The kind of the asks and notes that carry parts. */
const KIND = 'parts'
const LOOK_MS = 500
/** A part that was lost on its way is asked for again so late at most. */
const ASK_EVERY_MS = 3_000
const ANSWER_WITHIN_MS = 2_000
/** Three asks of a watching node that did not come: it watches the topic no more. */
const WANTED_MS = 10_000
/** How long a caller that begins to watch a topic waits for the parts of other nodes. */
const PATIENCE_MS = 300
/** A part that is long to make is made seldom: at most this share of the time goes into it. */
const MOST_OF_THE_TIME = 0.05
/** Topics of one ask: its answer holds their parts, and fits into a frame. */
const TOPICS_PER_ASK = 100

export type PartsParts = {
  node: Pick<JoinedNode, 'id' | 'nodes' | 'ask' | 'note' | 'answer'>
  log: Logger
  /** The part of this node for a topic; undefined: it has none. */
  partOf(topic: string): unknown
  /** The least time between two tellings of a topic; `isTimely`: the part changes by time alone, so it is made anew each time. */
  pace(topic: string): { everyMs: number; isTimely?: boolean }
  /** Another node told of a topic that is watched here, or its part is gone with it. */
  heard(topic: string): void
  /** No other node watches the topic any more. */
  unwatched(topic: string): void
  now?(): number
}

type Known = readonly [topic: string, version: number]
type Part = { readonly topic: string; readonly version: number; readonly part: unknown }

/** A topic of which other nodes watch this node's part. */
type Told = {
  /** By watching node, until when it counts as watching. */
  readonly watchers: Map<string, number>
  version: number
  text: string
  part: unknown
  isStale: boolean
  madeAt: number
  pauseMs: number
  timer: NodeJS.Timeout | undefined
}

/** Another node, as this one asks it. */
type Peer = { askedAt: number; isAsking: boolean }

/**
 * Parts that nodes tell each other of themselves, by topic: each its own, whole, to the nodes that watch. They go over the links, also while
 * Redis is away. Parts have versions that only grow, so that an older one never takes the place of a newer one, and
 * those that were lost are asked for every few seconds. A part stays while its node lives.
 */
export class Parts {
  readonly #of: PartsParts
  readonly #now: () => number
  /** By topic that this node watches, the parts of other nodes. */
  readonly #heard = new Map<string, Map<string, Part>>()
  readonly #told = new Map<string, Told>()
  readonly #peers = new Map<string, Peer>()
  readonly #timer: NodeJS.Timeout
  #version = 0
  #isClosed = false

  constructor(of: PartsParts) {
    this.#of = of
    this.#now = of.now ?? (() => performance.now())
    of.node.answer(KIND, async (head, _body, from) => {
      if ('asked' in (head as object)) return { head: this.#answer(from, (head as { asked: Known[] }).asked) }
      this.#take(from, [head as Part])
      return undefined
    })
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#timer.unref()
  }

  /** Watches a topic from now on; resolves when the other nodes have told their parts, or soon anyway. */
  async watch(...topics: string[]): Promise<void> {
    for (const topic of topics) if (!this.#heard.has(topic)) this.#heard.set(topic, new Map())
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS)
    })
    const asked = this.#others().map((node) => this.#ask(node, topics).catch(() => {}))
    await Promise.race([Promise.all(asked), patience])
    clearTimeout(timer)
  }

  unwatch(...topics: string[]): void {
    for (const topic of topics) this.#heard.delete(topic)
  }

  /** The parts of the other nodes for a topic. */
  of(topic: string): unknown[] {
    const parts = this.#heard.get(topic)
    return parts ? Array.from(parts.values(), ({ part }) => part).filter((part) => part != null) : []
  }

  /** Whether another node watches a topic. */
  isWatched(topic: string): boolean {
    return this.#told.has(topic)
  }

  /** The part of this node for a topic may have changed. */
  changed(topic: string): void {
    const told = this.#told.get(topic)
    if (!told) return
    told.isStale = true
    this.#tellSoon(topic, told)
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const { timer } of this.#told.values()) clearTimeout(timer)
  }

  #others(): NodeAddress[] {
    return this.#of.node.nodes().filter(({ id }) => id !== this.#of.node.id)
  }

  async #ask(node: NodeAddress, topics: readonly string[]): Promise<void> {
    const asked = topics.map((topic): Known => [topic, this.#heard.get(topic)?.get(node.id)?.version ?? 0])
    const { head } = await this.#of.node.ask(node, KIND, { asked }, undefined, ANSWER_WITHIN_MS)
    this.#take(node.id, head as Part[])
  }

  #take(from: string, parts: readonly Part[]): void {
    for (const part of parts) {
      const known = this.#heard.get(part.topic)
      // notes and answers of a node come by two ways
      if (!known || (known.get(from)?.version ?? 0) >= part.version) continue
      known.set(from, part)
      this.#of.heard(part.topic)
    }
  }

  /** Answers the parts that the asking node has not; later ones are sent as notes for as long as it asks again. */
  #answer(from: string, asked: readonly Known[]): Part[] {
    const news: Part[] = []
    for (const [topic, known] of asked) {
      const told = this.#told.get(topic) ?? this.#begin(topic)
      told.watchers.set(from, this.#now() + WANTED_MS)
      // a part that changed just now comes by its own note
      if (told.version === 0) this.#make(topic, told)
      if (told.version > known) news.push({ topic, version: told.version, part: told.part })
    }
    return news
  }

  #begin(topic: string): Told {
    const told: Told = {
      watchers: new Map(),
      version: 0,
      text: '',
      part: undefined,
      isStale: true,
      madeAt: 0,
      pauseMs: 0,
      timer: undefined,
    }
    this.#told.set(topic, told)
    return told
  }

  /** Makes the part anew; answers whether it has changed. */
  #make(topic: string, told: Told): boolean {
    const begunAt = performance.now()
    const part = this.#of.partOf(topic) ?? null
    const text = JSON.stringify(part)
    told.isStale = false
    told.madeAt = this.#now()
    told.pauseMs = Math.max(this.#of.pace(topic).everyMs, (performance.now() - begunAt) / MOST_OF_THE_TIME)
    if (text === told.text) return false
    told.text = text
    told.part = part
    told.version = ++this.#version
    return true
  }

  #tellSoon(topic: string, told: Told): void {
    // changes of one turn of the loop are told together
    const waitMs = Math.max(0, told.madeAt + told.pauseMs - this.#now())
    told.timer ??= setTimeout(() => {
      told.timer = undefined
      this.#tell(topic, told)
    }, waitMs).unref()
  }

  #tell(topic: string, told: Told): void {
    if (this.#isClosed || this.#told.get(topic) !== told || !this.#make(topic, told)) return
    const part: Part = { topic, version: told.version, part: told.part }
    for (const node of this.#others()) if (told.watchers.has(node.id)) this.#of.node.note(node, KIND, part)
  }

  /** Asks nodes that are new or were not asked lately, and forgets those that are gone. */
  #look(): void {
    const others = this.#others()
    const ids = new Set(others.map(({ id }) => id))
    for (const id of this.#peers.keys()) if (!ids.has(id)) this.#peers.delete(id)
    for (const [topic, parts] of this.#heard)
      for (const id of parts.keys()) {
        if (ids.has(id)) continue
        parts.delete(id)
        this.#of.heard(topic)
      }
    for (const node of others) void this.#askAll(node)
    this.#mindTold()
  }

  async #askAll(node: NodeAddress): Promise<void> {
    const peer = this.#peers.get(node.id) ?? { askedAt: Number.NEGATIVE_INFINITY, isAsking: false }
    this.#peers.set(node.id, peer)
    if (peer.isAsking || this.#now() - peer.askedAt < ASK_EVERY_MS) return
    peer.isAsking = true
    try {
      const topics = [...this.#heard.keys()]
      for (let from = 0; from < topics.length; from += TOPICS_PER_ASK)
        await this.#ask(node, topics.slice(from, from + TOPICS_PER_ASK))
      peer.askedAt = this.#now()
    } catch (error) {
      // the parts of that node stay, and it is asked again as long as it lives
      this.#of.log.debug({ err: error, node: node.id }, 'a node does not say what it has')
    } finally {
      peer.isAsking = false
    }
  }

  #mindTold(): void {
    const now = this.#now()
    for (const [topic, told] of this.#told) {
      for (const [id, until] of told.watchers) if (until < now) told.watchers.delete(id)
      if (told.watchers.size === 0) {
        clearTimeout(told.timer)
        this.#told.delete(topic)
        this.#of.unwatched(topic)
      } else if (told.isStale || this.#of.pace(topic).isTimely) this.#tellSoon(topic, told)
    }
  }
}
