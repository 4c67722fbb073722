import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { goodUntil, HeldLeases } from './held.ts'
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
  type Reason,
  release,
  removeNode,
  SLOT_CHANNEL,
  take,
} from './leases.ts'
import type { Lease, NodeAddress, Ownership } from './ownership.ts'
import { checkJoin, raiseNeeds } from './service.ts'
import { planOf } from './shares.ts'
import { SLOTS, slotOf } from './slots.ts'
import { type Knowledge, mustJoin } from './versions.ts'

const BEAT_MS = 1_000
/** After a beat that failed: a connection that was lost refuses one statement before it is taken up anew. */
const RETRY_MS = 200
/** A statement that takes longer is given up, and its connection with it: the next one must be in time for the leases. */
const ANSWER_WITHIN_MS = 1_200
/** Silent for longer than a beat and its way: its leases may be about to end. */
const SUSPECT_MS = 1_200
/** How soon to look again at leases that end just now. */
const AWAITED_MS = 30
/** What the host may take to finish what it has accepted. */
const RELEASE_WITHIN_MS = 1_000
const PRUNE_EVERY_BEATS = 600

/** How many slots came and went; for the metrics. */
export type Figures = { readonly slotsOwned: number; readonly takeovers: number }

export type MemberOptions = Knowledge & {
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
  /** What to say of this node each second. */
  readonly counts?: () => Counts
  /** Nodes that this one cannot reach although they beat. */
  readonly cutOffFrom?: () => readonly string[]
  /** Another node will own these: finishes what was accepted for them. They are owned no more when it is called. */
  readonly onRelease: (slots: readonly number[]) => Promise<void>
  /** These are lost: another node may have them already. */
  readonly onLost: (slots: readonly number[]) => void
  /** These are owned from now on. */
  readonly onTaken?: (slots: readonly number[]) => void
  /** This node must not serve any more; it has given up everything. The message is one line. */
  readonly onMustLeave: (message: string) => void
}

const NOTHING: Counts = { actors: 0, renderers: 0, followers: 0 }
const NOBODY: Beat = {
  joined: false,
  nodes: [],
  owners: Array.from({ length: SLOTS }, () => null),
  renewed: [],
  needs: null,
}

/** One node among others: beats, takes its share of the slots, and gives up what others shall have. */
export class Member implements Ownership {
  readonly id: string
  readonly #options: MemberOptions
  readonly #log: Logger
  readonly #now: () => number
  readonly #held = new HeldLeases()
  /** Out of hand, and not yet given up in the database. */
  readonly #releasing = new Set<number>()
  readonly #releases = new Set<Promise<void>>()
  #sql: Sql
  #seen = NOBODY
  #addresses = new Map<string, NodeAddress>()
  #liveUntil = 0
  #takeovers = 0
  #beats = 0
  #failing = false
  #phase: 'joining' | 'member' | 'leaving' | 'gone' = 'joining'
  #timer: NodeJS.Timeout | undefined
  #expiry: NodeJS.Timeout | undefined
  #ticking: Promise<void> | undefined
  #again: Promise<void> | undefined

  private constructor(options: MemberOptions) {
    this.id = options.id ?? randomBytes(5).toString('hex')
    this.#options = options
    this.#log = options.log.child({ node: this.id })
    this.#now = options.now ?? (() => performance.now())
    this.#sql = options.connect()
  }

  /** Joins, with the share that is free at once. Throws one line when this node must not join, or the database does not answer. */
  static async join(options: MemberOptions): Promise<Member> {
    const member = new Member(options)
    try {
      await member.#join()
      const { listener } = options
      const onNotice = (from: string) => from !== member.id && member.#poke()
      await Promise.all([SLOT_CHANNEL, NODE_CHANNEL].map((channel) => listener.listen(channel, onNotice)))
      listener.onUp(() => member.#poke())
      const first = member.#tick()
      // who asks for a look meanwhile gets the next one
      member.#ticking = first.then(
        () => {},
        () => {},
      )
      const nextMs = await first
      member.#ticking = undefined
      member.#schedule(nextMs)
    } catch (error) {
      await member.leave()
      throw error
    }
    return member
  }

  owns(ref: string): boolean {
    return this.#held.isValid(slotOf(ref), this.#now())
  }

  ownsSlot(slot: number): boolean {
    return this.#held.isValid(slot, this.#now())
  }

  ownerOf(ref: string): NodeAddress | undefined {
    const slot = slotOf(ref)
    const owner = this.ownsSlot(slot) ? this.id : this.#seen.owners[slot]
    // what the map says is ours and we do not hold is nobody's yet
    return owner == null || (owner === this.id && !this.ownsSlot(slot)) ? undefined : this.#addresses.get(owner)
  }

  lease(ref: string): Lease | undefined {
    return this.#held.lease(slotOf(ref), this.#now())
  }

  get isLive(): boolean {
    return this.#now() < this.#liveUntil
  }

  /** The nodes that have beaten lately, this one too. */
  get nodes(): readonly LiveNode[] {
    return this.#seen.nodes
  }

  get figures(): Figures {
    const now = this.#now()
    return {
      slotsOwned: this.#held.slots.filter((slot) => this.#held.isValid(slot, now)).length,
      takeovers: this.#takeovers,
    }
  }

  /** Looks at the slots anew: what another node says of them differs from what this one knows. */
  refresh(): Promise<void> {
    return this.#poke()
  }

  /** Hands everything over and takes leave; the others do not wait for anything. Never rejects. */
  async leave(): Promise<void> {
    if (this.#phase === 'leaving' || this.#phase === 'gone') return
    this.#phase = 'leaving'
    await this.#ticking
    // before the slots are free: nobody shall think that they are still for this node
    await this.#tried('leave', () => this.#ask((sql) => markLeaving(sql, this.id)))
    this.#giveUp(this.#held.slots, 'leave')
    await Promise.all(this.#releases)
    await this.#tried('take the row away', () => this.#ask((sql) => removeNode(sql, this.id)))
    this.#phase = 'gone'
    clearTimeout(this.#timer)
    clearTimeout(this.#expiry)
    await this.#sql.end({ timeout: 1 }).catch(() => {})
  }

  async #join(): Promise<void> {
    const { url, version, knows, worksBeside } = this.#options
    if (this.#phase === 'joining') await this.#ask((sql) => checkJoin(sql, this.#options))
    await this.#ask((sql) => raiseNeeds(sql, worksBeside))
    await this.#ask((sql) => join(sql, { id: this.id, url, version, knows }))
    if (this.#phase === 'joining') this.#phase = 'member'
  }

  /** Ticks soon: now, or after the one under way, which may have read what is old by now. */
  #poke(): Promise<void> {
    if (this.#phase !== 'member') return Promise.resolve()
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
        this.#dropLost()
        if (this.#phase === 'member') this.#schedule(Math.max(0, startedAt + nextMs - this.#now()))
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
      isHeld: (slot) => this.#held.has(slot),
      isBusy: (slot) => this.#releasing.has(slot),
    })
    this.#giveUp(plan.giveUp, plan.reason)
    if (plan.forgotten.length > 0)
      await this.#release(
        seen.renewed.filter(({ slot }) => plan.forgotten.includes(slot)),
        plan.reason,
      )
    if (plan.take.length > 0) await this.#take(plan.take)
    if (++this.#beats % PRUNE_EVERY_BEATS === 0) await this.#ask(prune)
    return plan.awaited ? AWAITED_MS : nextIn(seen.nodes)
  }

  async #beat(): Promise<Beat> {
    const { counts, cutOffFrom } = this.#options
    const said = { ...(counts?.() ?? NOTHING), cutOffFrom: cutOffFrom?.() ?? [] }
    let sentAt = this.#now()
    let seen = await this.#ask((sql) => beat(sql, this.id, said))
    this.#mindVersion(seen)
    if (!seen.joined && this.#phase !== 'leaving') {
      this.#log.warn('the others took this node for dead: it joins anew')
      await this.#join()
      sentAt = this.#now()
      seen = await this.#ask((sql) => beat(sql, this.id, said))
    }
    this.#seen = seen
    this.#addresses = new Map(seen.nodes.map(({ id, url }) => [id, { id, url }]))
    this.#liveUntil = goodUntil(sentAt)
    if (this.#failing) this.#log.info('this node beats again')
    this.#failing = false
    // a lease that ended in between is lost, even when nobody had it: the host was told so, or shall be
    this.#dropLost()
    this.#held.renew(seen.renewed, sentAt)
    const terms = new Map(seen.renewed.map(({ slot, term }) => [slot, term]))
    // a row that was locked is not among the renewed: its time goes on
    this.#dropLost((slot, term) => seen.owners[slot] !== this.id || (terms.get(slot) ?? term) !== term)
    return seen
  }

  /** Newer nodes have agreed on what this one does not know: it leaves. */
  #mindVersion({ needs }: Beat): void {
    try {
      mustJoin(this.#options, { needs, nodes: [] })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      void this.leave().then(() => this.#options.onMustLeave(message))
    }
  }

  async #take(slots: readonly number[]): Promise<void> {
    const sentAt = this.#now()
    const { taken, takeovers } = await this.#ask((sql) => take(sql, this.id, slots))
    this.#held.hold(taken, sentAt, this.#now())
    this.#takeovers += takeovers
    const owners = [...this.#seen.owners]
    for (const { slot } of taken) owners[slot] = this.id
    this.#seen = { ...this.#seen, owners }
    this.#watchEnds()
    const valid = taken.map(({ slot }) => slot).filter((slot) => this.ownsSlot(slot))
    if (valid.length === 0) return
    this.#log.info({ slots: valid.length, takeovers }, 'slots taken')
    this.#options.onTaken?.(valid)
  }

  /** Lets the host finish, then gives the leases up. Beats renew them meanwhile, so that nobody is faster. */
  #giveUp(slots: readonly number[], reason: Reason): void {
    const leases = this.#held.drop(slots)
    if (leases.length === 0) return
    for (const { slot } of leases) this.#releasing.add(slot)
    const released = this.#finishAndRelease(leases, reason).finally(() => {
      for (const { slot } of leases) this.#releasing.delete(slot)
      this.#releases.delete(released)
    })
    this.#releases.add(released)
  }

  async #finishAndRelease(leases: readonly { slot: number; term: number }[], reason: Reason): Promise<void> {
    const slots = leases.map(({ slot }) => slot)
    await this.#tried('finish what was accepted', () => inTime(this.#options.onRelease(slots), RELEASE_WITHIN_MS))
    // a release whose answer is lost is seen by the next beat
    await this.#tried('release', () => this.#release(leases, reason))
    this.#log.info({ slots: slots.length, reason }, 'slots given up')
  }

  async #release(leases: readonly { slot: number; term: number }[], reason: Reason): Promise<void> {
    await this.#ask((sql) => release(sql, this.id, leases, reason))
    const owners = [...this.#seen.owners]
    for (const { slot } of leases) if (owners[slot] === this.id) owners[slot] = null
    this.#seen = { ...this.#seen, owners }
  }

  #dropLost(isLost?: (slot: number, term: number) => boolean): void {
    const lost = this.#held.takeLost(this.#now(), isLost)
    if (lost.length > 0) {
      this.#log.warn({ slots: lost.length }, 'slots lost')
      this.#options.onLost(lost)
    }
    this.#watchEnds()
  }

  /** Leases end by themselves when no beat is answered. */
  #watchEnds(): void {
    clearTimeout(this.#expiry)
    const end = this.#held.firstEnd
    if (end === undefined) return
    this.#expiry = setTimeout(() => this.#dropLost(), Math.max(0, end - this.#now()) + 1)
    this.#expiry.unref()
  }

  /** A statement, answered in time; otherwise its connection is given up, for one that may answer. */
  async #ask<T>(run: (sql: Sql) => Promise<T>): Promise<T> {
    const sql = this.#sql
    const answer = run(sql)
    try {
      return await inTime(answer, ANSWER_WITHIN_MS)
    } catch (error) {
      if (error instanceof TookTooLong && this.#sql === sql) {
        answer.catch(() => {})
        this.#sql = this.#options.connect()
        sql.end({ timeout: 0 }).catch(() => {})
      }
      throw error
    }
  }

  async #tried(what: string, run: () => Promise<unknown>): Promise<void> {
    try {
      await run()
    } catch (error) {
      this.#log.warn({ err: error }, `could not ${what}`)
    }
  }
}

/** In a second, or as soon as the leases of a node that has fallen silent end. */
function nextIn(nodes: readonly LiveNode[]): number {
  const ends = nodes
    .filter(({ ageMs }) => ageMs > SUSPECT_MS && ageMs < LEASE_MS)
    .map(({ ageMs }) => LEASE_MS - ageMs + AWAITED_MS)
  return Math.min(BEAT_MS, ...ends)
}

class TookTooLong extends Error {}

async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TookTooLong(`no answer within ${withinMs} ms`)), withinMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
