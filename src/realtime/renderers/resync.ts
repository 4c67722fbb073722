import type { Receiver } from '../receiver.ts'
import type { Screen } from './screen.ts'

/** As much may wait on a line before the next frame is made. */
const lowWaterBytes = 64 * 1024
const stalledMs = 15_000

/**
 * The way of one renderer from what it shows to what is on air, as fast as its line takes it. Each graphic is told as it is
 * when its turn comes, so that what is overtaken never leaves and no more than one frame is made ahead.
 */
export class Resync {
  readonly #member: Receiver
  readonly #screen: Screen
  /** What it will have on screen when it has received what was sent, by graphicId. */
  readonly #shown: Map<string, number>
  #queue: string[]
  #lateSeq = 0
  #waitingBytes = 0
  #movedAt: number

  constructor(member: Receiver, screen: Screen, from: { shown: Map<string, number>; lateSeq: number; now: number }) {
    this.#member = member
    this.#screen = screen
    this.#shown = from.shown
    this.#queue = screen.lacks(from.shown, from.lateSeq)
    this.#movedAt = from.now
  }

  /** Live data came after its seq: what was sent up to there is to be told again. */
  noteLate(seq: number): void {
    this.#lateSeq = seq
  }

  /** Sends what there is room for. True: nothing is left to tell, and what waits is little. */
  goOn(now: number): boolean {
    for (;;) {
      const waiting = this.#member.bufferedBytes()
      if (waiting < this.#waitingBytes) this.#movedAt = now
      this.#waitingBytes = waiting
      if (waiting >= lowWaterBytes) break
      this.#movedAt = now
      for (let room = lowWaterBytes - waiting; room > 0; ) {
        const text = this.#next()
        if (text === undefined) return true
        this.#member.send(text)
        room -= text.length
      }
    }
    if (now - this.#movedAt > stalledMs) this.#member.end(1013, 'too slow')
    return false
  }

  #next(): string | undefined {
    for (;;) {
      const graphicId = this.#pick()
      if (graphicId === undefined) return undefined
      const frame = this.#screen.frameOf(graphicId, this.#shown.get(graphicId))
      if (!frame) continue
      if (frame.seq === undefined) this.#shown.delete(graphicId)
      else this.#shown.set(graphicId, frame.seq)
      return frame.text
    }
  }

  /** What is off air by now goes first. Nobody is told about twice before all others had their turn. */
  #pick(): string | undefined {
    for (const graphicId of this.#shown.keys()) if (!this.#screen.isOnAir(graphicId)) return graphicId
    if (this.#queue.length === 0) {
      this.#queue = this.#screen.behind(this.#shown, this.#lateSeq)
      this.#lateSeq = 0
    }
    return this.#queue.shift()
  }
}
