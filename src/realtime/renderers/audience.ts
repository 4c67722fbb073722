import type { Receiver } from '../receiver.ts'
import type { Showing } from './protocol.ts'
import { Resync } from './resync.ts'
import type { Screen } from './screen.ts'

/** The receivers of one overlay's frames: those that hear of each change at once, and those still in resync. live-path 16 */
export class Audience<R extends Receiver> {
  /** Members that hear published frames. */
  readonly told = new Set<R>()
  readonly #topic: string
  readonly #screen: Screen
  /** READY that could not be answered yet. */
  #asked = new Map<R, readonly Showing[]>()
  readonly #resyncs = new Map<R, Resync>()

  constructor(topic: string, screen: Screen) {
    this.#topic = topic
    this.#screen = screen
  }

  get isEmpty(): boolean {
    return this.told.size + this.#asked.size + this.#resyncs.size === 0
  }

  /** Whether it waits for something that is not published. */
  isOwed(member: R): boolean {
    return this.#asked.has(member) || this.#resyncs.has(member)
  }

  /** Whether READY of the member was answered, or is being answered. */
  has(member: R): boolean {
    return this.told.has(member) || this.#resyncs.has(member)
  }

  /** READY, while the state is being read, or compared. */
  ask(member: R, showing: readonly Showing[]): void {
    this.#asked.set(member, showing)
  }

  takeAsked(): Map<R, readonly Showing[]> {
    const asked = this.#asked
    this.#asked = new Map()
    return asked
  }

  /** The newest READY of one that still waits. */
  takeAskedOf(member: R): readonly Showing[] | undefined {
    const showing = this.#asked.get(member)
    this.#asked.delete(member)
    return showing
  }

  /** READY. Subscribing and computing the difference happen in one turn of the loop. */
  answer(member: R, showing: readonly Showing[], lateSeq: number, now: number): void {
    const shown = new Map(showing.map(({ graphicId, seq }) => [graphicId, seq]))
    if (this.told.has(member)) {
      for (const text of this.#screen.lacking(shown, lateSeq)) member.send(text)
      member.caughtUp?.()
      return
    }
    this.#resyncs.set(member, new Resync(member, this.#screen, { shown, lateSeq, now }))
    this.goOn(member, now)
  }

  /** Sends a member the frames that its line has room for; once it has them all, it hears with all others. */
  goOn(member: R, now: number): void {
    const resync = this.#resyncs.get(member)
    // a socket that closes on the way has left
    if (!resync?.goOn(now) || this.#resyncs.get(member) !== resync) return
    this.#resyncs.delete(member)
    this.told.add(member)
    member.subscribe(this.#topic)
    member.caughtUp?.()
  }

  /** Live data came after the seq that announced it. */
  noteLate(seq: number): void {
    for (const resync of this.#resyncs.values()) resync.noteLate(seq)
  }

  leave(member: R): void {
    this.told.delete(member)
    this.#asked.delete(member)
    this.#resyncs.delete(member)
  }
}
