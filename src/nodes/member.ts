import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { isOutOfReach } from '../store/postgres.ts'
import { heardDatabaseTime } from '../waiting/service-time.ts'
import { goodUntil } from './held.ts'
import { type Figures, Holding, type SlotsHeard } from './holding.ts'
import {
  type Beat,
  beat,
  type Counts,
  join,
  LEASE_MS,
  type LiveNode,
  markLeaving,
  NODE_CHANNEL,
  prune,
  removeNode,
  SLOT_CHANNEL,
} from './leases.ts'
import { type Beating, beatingAt, goesFirst, oneAddress, stillBeats } from './namesakes.ts'
import type { Lease, NodeAddress, Ownership } from './ownership.ts'
import { checkJoin, raiseNeeds } from './service.ts'
import { planOf } from './shares.ts'
import { slotOf } from './slots.ts'
import { Statements, TookTooLong, tried } from './statements.ts'
import { type Knowledge, mustJoin } from './versions.ts'

const BEAT_MS = 1_000
/** After a beat that failed: a connection that was lost refuses one statement before it is taken up anew. */
const RETRY_MS = 200
/** How long a node that starts goes on to ask a database that is busy, or about to fail over. */
const START_WITHIN_MS = 10_000
/** Silent for longer than a beat and its way: its leases may be about to end. */
const SUSPECT_MS = 1_200
/** How soon to look again at leases that end just now. */
const AWAITED_MS = 30
const PRUNE_EVERY_BEATS = 600
/** How soon to look again at a node with the address of this one. */
const NAMESAKE_MS = 100

export type MemberOptions = Knowledge &
  SlotsHeard & {
    /** Made up unless given. */
    readonly id?: string
    /** Where the other nodes reach this one. */
    readonly url: string
    readonly version: string
    /** Opens a pool of one connection for this node alone; one that does not answer is given up for a new one. */
    readonly connect: () => Sql
    /** The notifications of the database. */
    readonly listener: {
      listen(channel: string, onMessage: (payload: string) => void): Promise<void>
      onUp(run: () => void): void
    }
    readonly log: Logger
    /** Monotonic. */
    readonly now?: () => number
    /** The part of this node's row that each beat renews. */
    readonly counts?: () => Counts
    /** Nodes that this one cannot reach although they beat. */
    readonly cutOffFrom?: () => readonly string[]
    /** This node must not serve any more; it has given up everything. The message is one line. */
    readonly onMustLeave: (message: string) => void
  }

const NOTHING: Counts = { actors: 0, renderers: 0, followers: 0 }

/** One node among others: beats, takes its share of the slots, and gives those up that others shall have. */
export class Member implements Ownership {
  readonly id: string
  readonly #options: MemberOptions
  readonly #log: Logger
  readonly #now: () => number
  readonly #statements: Statements
  readonly #holding: Holding
  #nodes: readonly LiveNode[] = []
  #addresses = new Map<string, NodeAddress>()
  #liveUntil = 0
  #beats = 0
  #failing = false
  #phase: 'joining' | 'member' | 'leaving' | 'gone' | 'closed' = 'joining'
  #timer: NodeJS.Timeout | undefined
  #ticking: Promise<void> | undefined
  #again: Promise<void> | undefined

  private constructor(options: MemberOptions) {
    this.id = options.id ?? randomBytes(5).toString('hex')
    this.#options = options
    this.#log = options.log.child({ node: this.id })
    this.#now = options.now ?? (() => performance.now())
    this.#statements = new Statements(options.connect)
    this.#holding = new Holding({
      id: this.id,
      statements: this.#statements,
      heard: options,
      log: this.#log,
      now: this.#now,
    })
  }

  /** Joins, with the share that is free at once. Throws one line when this node must not join, or the database does not answer. */
  static async join(options: MemberOptions): Promise<Member> {
    const member = new Member(options)
    try {
      await member.#patiently(() => member.#join())
      const { listener } = options
      const onNotice = (from: string) => from !== member.id && member.#poke()
      await Promise.all([SLOT_CHANNEL, NODE_CHANNEL].map((channel) => listener.listen(channel, onNotice)))
      listener.onUp(() => member.#poke())
      const first = member.#patiently(() => member.#tick())
      // a caller that asks for a look meanwhile gets the next one
      member.#ticking = first.then(
        () => {},
        () => {},
      )
      const nextMs = await first
      member.#ticking = undefined
      member.#schedule(nextMs)
    } catch (error) {
      await member.close()
      throw error
    }
    return member
  }

  owns(ref: string): boolean {
    return this.#holding.owns(slotOf(ref))
  }

  ownsSlot(slot: number): boolean {
    return this.#holding.owns(slot)
  }

  ownerOf(ref: string): NodeAddress | undefined {
    const owner = this.#holding.ownerOf(slotOf(ref))
    return owner === undefined ? undefined : this.#addresses.get(owner)
  }

  lease(ref: string): Lease | undefined {
    return this.#holding.lease(slotOf(ref))
  }

  get isLive(): boolean {
    return this.#now() < this.#liveUntil
  }

  /** The nodes that have beaten lately, this one too. */
  get nodes(): readonly LiveNode[] {
    return this.#nodes
  }

  get figures(): Figures {
    return this.#holding.figures
  }

  /** Looks at the slots anew: another node's answer differs from what this node knows of them. */
  refresh(): Promise<void> {
    return this.#poke()
  }

  /** Hands all slots over and takes leave, so that the other nodes need not wait for leases to end. This node goes on to know who owns each. Never rejects. */
  async leave(): Promise<void> {
    if (!this.#isIn) return
    this.#phase = 'leaving'
    await this.#ticking
    // before the slots are free: no node shall think that they are still for this one
    await tried(this.#log, 'leave', () => this.#ask((sql) => markLeaving(sql, this.id)))
    await this.#holding.giveUpAll('leave')
    await tried(this.#log, 'take the row away', () => this.#ask((sql) => removeNode(sql, this.id)))
    this.#phase = 'gone'
    this.#holding.close()
    // while this node drains it sends requests on, and must know that it is not cut off
    this.#schedule(0)
  }

  /** Leaves, if it has not left yet, and lets go of the database. */
  async close(): Promise<void> {
    await this.leave()
    this.#phase = 'closed'
    clearTimeout(this.#timer)
    await this.#ticking
    await this.#statements.close()
  }

  /** False once this node has begun to leave. */
  get #isIn(): boolean {
    return this.#phase === 'joining' || this.#phase === 'member'
  }

  async #join(): Promise<void> {
    const { url, version, knows, worksBeside } = this.#options
    if (this.#phase === 'joining') {
      await this.#ask((sql) => checkJoin(sql, this.#options))
      await this.#beAloneThere()
    }
    await this.#ask((sql) => raiseNeeds(sql, worksBeside))
    await this.#ask((sql) => join(sql, { id: this.id, url, version, knows }))
    if (this.#phase === 'joining') this.#phase = 'member'
  }

  /** Throws when another node has this address. A node that was killed a moment ago is known by its silence. */
  async #beAloneThere(): Promise<void> {
    const me = { id: this.id, url: this.#options.url }
    for (let before: readonly Beating[] = []; ; await pause(NAMESAKE_MS)) {
      const there = await this.#ask((sql) => beatingAt(sql, me))
      const other = stillBeats(before, there)
      if (other) throw new Error(oneAddress(other.id, other.url))
      if (there.length === 0) return
      before = there
    }
  }

  /** Tries until the database answers: one that is slow for a moment is no reason not to start. */
  async #patiently<T>(run: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + START_WITHIN_MS
    for (;;) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof TookTooLong || isOutOfReach(error)) || performance.now() > giveUpAt) throw error
        await pause(RETRY_MS)
      }
    }
  }

  /** Ticks soon: now, or after the tick under way, which may have read rows that are old by now. */
  #poke(): Promise<void> {
    if (this.#phase === 'joining' || this.#phase === 'closed') return Promise.resolve()
    if (!this.#ticking) return this.#run()
    this.#again ??= this.#ticking.then(() => {
      this.#again = undefined
      return this.#poke()
    })
    return this.#again
  }

  #run(): Promise<void> {
    clearTimeout(this.#timer)
    const startedAt = this.#now()
    this.#ticking = this.#tick()
      .catch((error: unknown) => {
        if (!this.#failing) this.#log.warn({ err: error }, 'the beat of this node failed')
        this.#failing = true
        return RETRY_MS
      })
      .then((nextMs) => {
        this.#ticking = undefined
        this.#holding.dropLost()
        if (this.#phase === 'member' || this.#phase === 'gone')
          this.#schedule(Math.max(0, startedAt + nextMs - this.#now()))
      })
    return this.#ticking
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#poke(), ms)
    this.#timer.unref()
  }

  /** One look at everything; answers how long after its start the next one is due. */
  async #tick(): Promise<number> {
    const seen = await this.#beat()
    if (this.#phase !== 'member') return BEAT_MS
    const plan = planOf({
      me: this.id,
      nodes: seen.nodes,
      owners: seen.owners,
      isHeld: (slot) => this.#holding.has(slot),
      isBusy: (slot) => this.#holding.isBusy(slot),
    })
    this.#holding.giveUp(plan.giveUp, plan.reason)
    if (plan.forgotten.length > 0)
      await this.#holding.release(
        seen.renewed.filter(({ slot }) => plan.forgotten.includes(slot)),
        plan.reason,
      )
    if (plan.take.length > 0) await this.#holding.take(plan.take)
    if (++this.#beats % PRUNE_EVERY_BEATS === 0) await this.#ask(prune)
    return plan.awaited ? AWAITED_MS : nextIn(seen.nodes)
  }

  async #beat(): Promise<Beat> {
    const { counts, cutOffFrom } = this.#options
    const said = { ...(counts?.() ?? NOTHING), cutOffFrom: cutOffFrom?.() ?? [] }
    let sentAt = this.#now()
    const sentAtWall = Date.now()
    let seen = await this.#ask((sql) => beat(sql, this.id, said))
    heardDatabaseTime(seen.at, sentAtWall, Date.now())
    if (this.#isIn) this.#mindOthers(seen)
    if (!seen.joined && this.#isIn) {
      this.#log.warn('the others took this node for dead: it joins anew')
      await this.#join()
      sentAt = this.#now()
      seen = await this.#ask((sql) => beat(sql, this.id, said))
    }
    this.#nodes = seen.nodes
    this.#addresses = new Map(seen.nodes.map(({ id, url }) => [id, { id, url }]))
    this.#liveUntil = goodUntil(sentAt)
    if (this.#failing) this.#log.info('this node beats again')
    this.#failing = false
    this.#holding.renew(seen, sentAt)
    return seen
  }

  /** Why this node must leave: newer nodes have agreed on a version that it does not know, or another node has its address. */
  #mindOthers({ needs, nodes }: Beat): void {
    try {
      mustJoin(this.#options, { needs, nodes: [] })
      const other = goesFirst(nodes, { id: this.id, url: this.#options.url })
      if (other) throw new Error(oneAddress(other.id, other.url))
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      void this.leave().then(() => this.#options.onMustLeave(message))
    }
  }

  #ask<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#statements.ask(run)
  }
}

/** When the next look is due: in a second, or as soon as the leases of a node that has fallen silent end. */
function nextIn(nodes: readonly LiveNode[]): number {
  const ends = nodes
    .filter(({ ageMs }) => ageMs > SUSPECT_MS && ageMs < LEASE_MS)
    .map(({ ageMs }) => LEASE_MS - ageMs + AWAITED_MS)
  return Math.min(BEAT_MS, ...ends)
}
