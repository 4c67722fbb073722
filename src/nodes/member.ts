import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { isOutOfReach } from '../store/postgres.ts'
import { heardDatabaseTime } from '../waiting/service-time.ts'
import { getReady } from './get-ready.ts'
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
import { Looks } from './looks.ts'
import { beAlone, beatingAt, goesFirst, oneAddress } from './namesakes.ts'
import type { Lease, NodeAddress, Ownership } from './ownership.ts'
import { checkJoin, raiseNeeds } from './service.ts'
import { beating, cutOff, planOf } from './shares.ts'
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
/** How soon to look again at a node that was too slow to be handed more. */
const KEPT_BACK_MS = 100
const PRUNE_EVERY_BEATS = 600

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
    /** Gets ready for the slots that other nodes will hand over to this one. A node that is not ready in time takes them all the same. */
    readonly prepare?: (slots: readonly number[]) => Promise<void>
    /** The part of this node's row that each beat renews. */
    readonly counts?: () => Counts
    /** Nodes that this one cannot reach although they beat; `beatenAt` is when each did, by `now`. */
    readonly cutOffFrom?: (beatenAt: ReadonlyMap<string, number>) => readonly string[]
    /** Whether a node that joined is to be handed no more slots for now. */
    readonly isSlow?: (node: string) => boolean
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
  readonly #looks: Looks
  #nodes: readonly LiveNode[] = []
  #beatenAt = new Map<string, number>()
  #addresses = new Map<string, NodeAddress>()
  #liveUntil = 0
  #beats = 0
  #failing = false
  #ready: Promise<void> | undefined
  #phase: 'joining' | 'member' | 'leaving' | 'closed' = 'joining'

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
    this.#looks = new Looks({ look: () => this.#tickOrTell(), now: this.#now })
  }

  /** Joins, with the share that is free at once. Throws one line when this node must not join, or the database does not answer. */
  static async join(options: MemberOptions): Promise<Member> {
    const member = new Member(options)
    try {
      await member.#patiently(() => member.#join())
      const { listener } = options
      const onNotice = (from: string) => from !== member.id && member.#looks.now()
      await Promise.all([SLOT_CHANNEL, NODE_CHANNEL].map((channel) => listener.listen(channel, onNotice)))
      listener.onUp(() => member.#looks.now())
      await member.#looks.begin(() => member.#patiently(() => member.#tick()))
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

  /** Whether this node is out of the share since it and others do not reach each other. */
  get isCutOff(): boolean {
    return cutOff(beating(this.#nodes)).has(this.id)
  }

  /** The nodes that have beaten lately, this one too. */
  get nodes(): readonly LiveNode[] {
    return this.#nodes
  }

  get figures(): Figures {
    return this.#holding.figures
  }

  /** Looks at the slots now; resolves when it has. */
  refresh(): Promise<void> {
    return this.#looks.now()
  }

  /** Looks at the slots soon: what another node says of one differs from what this one knows. Costs little, however many ask. */
  refreshSoon(): void {
    this.#looks.soon()
  }

  /** Hands all slots over and takes leave, so that the other nodes need not wait for leases to end. This node goes on to know who owns each. Never rejects. */
  async leave(): Promise<void> {
    if (!this.#isIn) return
    this.#phase = 'leaving'
    // what it takes yet is given up as well
    await this.#looks.underWay
    // before the slots are free: nobody shall think that they are still for this node
    await tried(this.#log, 'leave', () => this.#ask((sql) => markLeaving(sql, this.id)))
    await this.#holding.giveUpAll('leave')
    await tried(this.#log, 'take the row away', () => this.#ask((sql) => removeNode(sql, this.id)))
    this.#holding.close()
    // while it drains it answers for what it sends on, and must know that it is not cut off
    void this.#looks.now()
  }

  /** Leaves, if it has not left yet, and lets go of the database. */
  async close(): Promise<void> {
    await this.leave()
    this.#phase = 'closed'
    this.#looks.end()
    await this.#looks.underWay
    await this.#statements.close()
  }

  /** False once this node has begun to leave. */
  get #isIn(): boolean {
    return this.#phase === 'joining' || this.#phase === 'member'
  }

  async #join(): Promise<void> {
    const { url, version, knows, worksBeside, prepare } = this.#options
    if (this.#phase === 'joining') {
      await this.#ask((sql) => checkJoin(sql, this.#options))
      const me = { id: this.id, url }
      const nodes = async () => (await this.#ask((sql) => beat(sql, this.id, { ...NOTHING, cutOffFrom: [] }))).nodes
      // once, however often the rest is tried
      if (prepare) this.#ready ??= getReady({ me: { ...me, knows }, nodes, prepare, log: this.#log })
      await Promise.all([beAlone(() => this.#ask((sql) => beatingAt(sql, me))), this.#ready])
    }
    await this.#ask((sql) => raiseNeeds(sql, worksBeside))
    await this.#ask((sql) => join(sql, { id: this.id, url, version, knows }))
    if (this.#phase === 'joining') this.#phase = 'member'
  }

  /** Runs until the database answers: it is no reason not to start that it is slow for a moment. */
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

  async #tickOrTell(): Promise<number> {
    try {
      return await this.#tick()
    } catch (error) {
      if (!this.#failing) this.#log.warn({ err: error }, 'the beat of this node failed')
      this.#failing = true
      return RETRY_MS
    } finally {
      this.#holding.dropLost()
    }
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
      isSlow: (node) => this.#options.isSlow?.(node) ?? false,
    })
    this.#holding.giveUp(plan.giveUp, plan.reason)
    if (plan.forgotten.length > 0)
      await this.#holding.release(
        seen.renewed.filter(({ slot }) => plan.forgotten.includes(slot)),
        plan.reason,
      )
    if (plan.take.length > 0) await this.#holding.take(plan.take)
    if (++this.#beats % PRUNE_EVERY_BEATS === 0) await this.#ask(prune)
    if (plan.awaited) return AWAITED_MS
    return plan.keptBack ? KEPT_BACK_MS : nextIn(seen.nodes)
  }

  async #beat(): Promise<Beat> {
    const { counts, cutOffFrom } = this.#options
    const said = { ...(counts?.() ?? NOTHING), cutOffFrom: cutOffFrom?.(this.#beatenAt) ?? [] }
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
    // the database looked later than that: nobody is taken for fresher than it is
    this.#beatenAt = new Map(seen.nodes.map(({ id, ageMs }) => [id, sentAt - ageMs]))
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
