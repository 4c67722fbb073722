import { SILENCE_MS } from './identity.ts'

const TICK_MS = 500
const BEAT_TICKS = 2
/** A node that stands still for less is not given up by the others, which heard its last beat a second before at most. */
const STANDSTILL_MS = SILENCE_MS - BEAT_TICKS * TICK_MS

/** A link as the pulse looks after it. */
export type Pulsed = {
  /** Called twice a second; `isBeat` each second. */
  tick(isBeat: boolean): void
}

/** Ticks without a sign after which the other side counts as gone. */
export const SILENT_TICKS = SILENCE_MS / TICK_MS

/**
 * One timer for all links of a node. Silence is counted in ticks, not by the clock: a process that stood still itself has not
 * listened meanwhile, and blames nobody.
 */
export class Pulse {
  readonly #members = new Set<Pulsed>()
  readonly #timer: NodeJS.Timeout
  readonly #now: () => number
  #tickedAt: number
  #ticks = 0
  #stood = 0

  constructor(now = () => performance.now()) {
    this.#now = now
    this.#tickedAt = now()
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref()
  }

  /** How often this process stood still for so long that others may have given it up: asks that came meanwhile are old. */
  get standstills(): number {
    // a process that goes on reads its connections before its timers
    if (this.#now() - this.#tickedAt > STANDSTILL_MS) this.#stoodStill()
    return this.#stood
  }

  add(member: Pulsed): void {
    this.#members.add(member)
  }

  delete(member: Pulsed): void {
    this.#members.delete(member)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#members.clear()
  }

  #stoodStill(): void {
    this.#stood++
    this.#tickedAt = this.#now()
  }

  #tick(): void {
    if (this.#now() - this.#tickedAt > STANDSTILL_MS) this.#stoodStill()
    this.#tickedAt = this.#now()
    this.#ticks++
    for (const member of this.#members) member.tick(this.#ticks % BEAT_TICKS === 0)
  }
}
