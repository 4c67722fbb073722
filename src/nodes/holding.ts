import type { Logger } from 'pino'
import { within } from '../waiting/within.ts'
import { HeldLeases } from './held.ts'
import { type Beat, type Reason, release, type Term, take } from './leases.ts'
import type { Lease } from './ownership.ts'
import { SLOTS } from './slots.ts'
import { type Statements, tried } from './statements.ts'

/** The time that the host has to finish the commands that it has accepted. */
const RELEASE_WITHIN_MS = 1_000

/** How many slots came and went; for the metrics. */
export type Figures = { readonly slotsOwned: number; readonly takeovers: number }

/** Who hears of slots that come and go. */
export type SlotsHeard = {
  /** Another node will own these slots: finishes the commands accepted for them. They are owned no more when it is called. */
  readonly onRelease: (slots: readonly number[]) => Promise<void>
  /** These slots are lost: another node may have them already. */
  readonly onLost: (slots: readonly number[]) => void
  /** These slots are owned from now on. */
  readonly onTaken?: (slots: readonly number[]) => void
}

type Parts = { id: string; statements: Statements; heard: SlotsHeard; log: Logger; now: () => number }

/** The slots of one node: it takes them, gives them up in peace, and notices those that are lost. */
export class Holding {
  readonly #id: string
  readonly #statements: Statements
  readonly #heard: SlotsHeard
  readonly #log: Logger
  readonly #now: () => number
  readonly #held = new HeldLeases()
  /** Slots out of hand, and not yet given up in the database. */
  readonly #releasing = new Set<number>()
  readonly #releases = new Set<Promise<void>>()
  #owners: readonly (string | null)[] = Array.from({ length: SLOTS }, () => null)
  #takeovers = 0
  #expiry: NodeJS.Timeout | undefined

  constructor({ id, statements, heard, log, now }: Parts) {
    this.#id = id
    this.#statements = statements
    this.#heard = heard
    this.#log = log
    this.#now = now
  }

  owns(slot: number): boolean {
    return this.#held.isValid(slot, this.#now())
  }

  lease(slot: number): Lease | undefined {
    return this.#held.lease(slot, this.#now())
  }

  ownerOf(slot: number): string | undefined {
    if (this.owns(slot)) return this.#id
    const owner = this.#owners[slot] ?? undefined
    // a slot that is ours by the map, and that we do not hold, is nobody's yet
    return owner === this.#id ? undefined : owner
  }

  has(slot: number): boolean {
    return this.#held.has(slot)
  }

  /** Slots that are being given up. */
  isBusy(slot: number): boolean {
    return this.#releasing.has(slot)
  }

  get figures(): Figures {
    return { slotsOwned: this.#held.slots.filter((slot) => this.owns(slot)).length, takeovers: this.#takeovers }
  }

  /** Takes up the leases as a beat found them that was sent at this moment. */
  renew({ owners, renewed }: Beat, sentAt: number): void {
    this.#owners = owners
    // a lease that ended in between is lost, even when nobody had it: the host was told so, or shall be
    this.dropLost()
    this.#held.renew(renewed, sentAt)
    const terms = new Map(renewed.map(({ slot, term }) => [slot, term]))
    // a row that was locked is not among the renewed: its time goes on
    this.dropLost((slot, term) => owners[slot] !== this.#id || (terms.get(slot) ?? term) !== term)
  }

  async take(slots: readonly number[]): Promise<void> {
    const sentAt = this.#now()
    const { taken, takeovers } = await this.#statements.ask((sql) => take(sql, this.#id, slots))
    this.#held.hold(taken, sentAt, this.#now())
    this.#takeovers += takeovers
    const owners = [...this.#owners]
    for (const { slot } of taken) owners[slot] = this.#id
    this.#owners = owners
    this.#watchEnds()
    const valid = taken.map(({ slot }) => slot).filter((slot) => this.owns(slot))
    if (valid.length === 0) return
    this.#log.info({ slots: valid.length, takeovers }, 'slots taken')
    this.#heard.onTaken?.(valid)
  }

  /** Lets the host finish, then gives the leases up. Beats renew them meanwhile, so that no other node takes them before. */
  giveUp(slots: readonly number[], reason: Reason): void {
    const leases = this.#held.drop(slots)
    if (leases.length === 0) return
    for (const { slot } of leases) this.#releasing.add(slot)
    const released = this.#finishAndRelease(leases, reason).finally(() => {
      for (const { slot } of leases) this.#releasing.delete(slot)
      this.#releases.delete(released)
    })
    this.#releases.add(released)
  }

  /** Gives all slots up; resolves when those that were being given up already are gone, too. */
  async giveUpAll(reason: Reason): Promise<void> {
    this.giveUp(this.#held.slots, reason)
    await Promise.all(this.#releases)
  }

  /** Gives leases up in the database that this node does not hold. */
  async release(leases: readonly Term[], reason: Reason): Promise<void> {
    await this.#statements.ask((sql) => release(sql, this.#id, leases, reason))
    const owners = [...this.#owners]
    for (const { slot } of leases) if (owners[slot] === this.#id) owners[slot] = null
    this.#owners = owners
  }

  /** Lets go of slots whose lease is over, or that `isLost` names. */
  dropLost(isLost?: (slot: number, term: number) => boolean): void {
    const lost = this.#held.takeLost(this.#now(), isLost)
    if (lost.length > 0) {
      this.#log.warn({ slots: lost.length }, 'slots lost')
      this.#heard.onLost(lost)
    }
    this.#watchEnds()
  }

  close(): void {
    clearTimeout(this.#expiry)
  }

  async #finishAndRelease(leases: readonly Term[], reason: Reason): Promise<void> {
    const slots = leases.map(({ slot }) => slot)
    await tried(this.#log, 'finish what was accepted', () =>
      within(RELEASE_WITHIN_MS, this.#heard.onRelease(slots), tookTooLong),
    )
    // a release whose answer is lost is seen by the next beat
    await tried(this.#log, 'release', () => this.release(leases, reason))
    this.#log.info({ slots: slots.length, reason }, 'slots given up')
  }

  /** Leases end by themselves when no beat is answered. */
  #watchEnds(): void {
    clearTimeout(this.#expiry)
    const end = this.#held.firstEnd
    if (end === undefined) return
    this.#expiry = setTimeout(() => this.dropLost(), Math.max(0, end - this.#now()) + 1)
    this.#expiry.unref()
  }
}

const tookTooLong = () => new Error(`no answer within ${RELEASE_WITHIN_MS} ms`)
