import type { Bus } from '../../src/nodes/bus.ts'
import { Feed } from '../../src/nodes/feed.ts'
import type { Commit, FeedParts, Gap } from '../../src/nodes/feed-ports.ts'
import type { Random } from '../support/random.ts'

/** What a channel of one node was handed, from the state that it read. */
type Channel = { from: number; handed: Commit[]; reading: boolean; early: Commit[] }

type Sent = { topic: string; text: string; to: FeedNode }

/** The committed truth of every overlay, and texts under way that nothing keeps in order. */
export class FeedWorld {
  readonly journal = new Map<number, Commit[]>()
  readonly nodes: FeedNode[]
  sent: Sent[] = []
  /** Rows below are pruned. */
  readonly pruned = new Map<number, number>()
  journalFails = false
  readonly faults: string[] = []
  readonly #random: Random

  constructor(random: Random, count: number) {
    this.#random = random
    this.nodes = Array.from({ length: count }, (_, at) => new FeedNode(this, `node-${at}`))
  }

  seq(overlayId: number): number {
    return this.journal.get(overlayId)?.at(-1)?.seq ?? 0
  }

  /** The commit becomes durable at its owner, which hears of it later. */
  commit(owner: FeedNode, overlayId: number): void {
    const seq = this.seq(overlayId) + 1
    const isRefresh = this.#random.chance(0.2)
    const events: Commit['events'] = isRefresh
      ? [{ type: 'data.refreshed', seq, revisions: { [`match/${overlayId}`]: seq } }]
      : []
    const cause = { principal: { type: 'system' as const, name: 'test' }, command: `{"type":"${seq}"}` }
    const commit = { seq, at: seq * 10, events, cause }
    this.journal.set(overlayId, [...(this.journal.get(overlayId) ?? []), commit])
    owner.own.push({ overlayId, commit })
  }

  /** Any text under way arrives, perhaps not for the last time; or is lost. */
  deliver(): void {
    if (this.sent.length === 0) return
    const at = this.#random.below(this.sent.length)
    const sent = this.sent[at]
    if (!this.#random.chance(0.15)) this.sent.splice(at, 1)
    if (sent && !this.#random.chance(0.1)) sent.to.arrives(sent)
  }

  async missing(gaps: readonly Gap[]) {
    await new Promise(setImmediate)
    if (this.journalFails) throw new Error('no database')
    return new Map(
      gaps.map(({ overlayId, from, count }) => {
        const first = Math.max(from, this.pruned.get(overlayId) ?? 0)
        const rows = (this.journal.get(overlayId) ?? []).filter(({ seq }) => seq >= first && seq < from + count)
        return [overlayId, rows]
      }),
    )
  }

  async seqs(overlayIds: readonly number[]) {
    await new Promise(setImmediate)
    if (this.journalFails) throw new Error('no database')
    return new Map(overlayIds.map((id) => [id, this.seq(id)]))
  }
}

/** A node with channels that note what they are handed. */
export class FeedNode {
  readonly feed: Feed
  readonly id: string
  readonly channels = new Map<number, Channel>()
  /** Own commits whose answer of the database is under way. */
  readonly own: { overlayId: number; commit: Commit }[] = []
  readonly announced: string[] = []
  readonly missed: number[] = []
  reloads = 0
  isLive = true
  readonly #world: FeedWorld
  readonly #topics = new Map<string, (text: string) => void>()

  constructor(world: FeedWorld, id: string) {
    this.#world = world
    this.id = id
    this.feed = new Feed(this.#parts())
  }

  #parts(): FeedParts {
    const world = this.#world
    return {
      nodeId: this.id,
      bus: this.#bus(),
      journal: { missing: (gaps) => world.missing(gaps), seqs: (ids) => world.seqs(ids) },
      sockets: {
        publish: (overlayId, commit) => this.#handed(overlayId, commit),
        reload: (overlayId) => {
          this.reloads++
          this.#load(overlayId)
        },
        closeMissed: (overlayId) => void this.missed.push(overlayId),
      },
      announced: (ref) => void this.announced.push(ref),
      changed: () => {},
      missedChanges: () => {},
      fallBack: () => {},
      isLive: () => this.isLive,
      log: { warn: (fields, message) => void (message.includes('taken') && world.faults.push(`${message} ${fields}`)) },
    }
  }

  #bus(): Bus {
    return {
      publish: (topic, text) => {
        for (const to of this.#world.nodes) this.#world.sent.push({ topic, text, to })
      },
      subscribe: (topic, onText) => {
        this.#topics.set(topic, onText)
        return () => this.#topics.delete(topic)
      },
      isUp: () => true,
      onUp: () => {},
      onDown: () => {},
      close: async () => {},
    }
  }

  arrives({ topic, text }: Sent): void {
    this.#topics.get(topic)?.(text)
  }

  /** The database answers the oldest commit of this node. */
  learns(): void {
    const next = this.own.shift()
    if (next) this.feed.committed(`overlay/${next.overlayId}`, next.commit)
  }

  open(overlayId: number): void {
    if (this.channels.has(overlayId)) return
    this.channels.set(overlayId, { from: 0, handed: [], reading: false, early: [] })
    this.feed.opened(overlayId)
    this.#load(overlayId)
  }

  close(overlayId: number): void {
    if (this.channels.delete(overlayId)) this.feed.closed(overlayId)
  }

  /** As a channel does: what comes while it reads waits. */
  #load(overlayId: number): void {
    const channel = this.channels.get(overlayId)
    if (!channel || channel.reading) return
    channel.reading = true
    setImmediate(() => {
      const seq = this.#world.seq(overlayId)
      setImmediate(() => {
        if (this.channels.get(overlayId) !== channel) return
        channel.reading = false
        if (seq < this.stands(channel)) this.#world.faults.push(`${this.id} read an older state`)
        Object.assign(channel, { from: seq, handed: [] })
        for (const commit of channel.early.splice(0)) if (commit.seq > seq) this.#handed(overlayId, commit)
        this.feed.read(overlayId, this.stands(channel), 1)
      })
    })
  }

  stands({ from, handed }: Channel): number {
    return handed.at(-1)?.seq ?? from
  }

  #handed(overlayId: number, commit: Commit): void {
    const channel = this.channels.get(overlayId)
    if (!channel) this.#world.faults.push(`${this.id} was handed a commit of a closed channel`)
    else if (channel.reading) channel.early.push(commit)
    else if (commit.seq !== this.stands(channel) + 1)
      this.#world.faults.push(`${this.id} was handed ${commit.seq} after ${this.stands(channel)}`)
    else channel.handed.push(commit)
    const refreshed = commit.events.flatMap((event) =>
      event.type === 'data.refreshed' ? Object.keys(event.revisions) : [],
    )
    if (refreshed.some((ref) => !this.announced.includes(ref)))
      this.#world.faults.push('a refresh was not announced before')
  }
}
