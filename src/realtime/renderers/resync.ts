import type { Receiver } from '../receiver.ts'
import type { Screen } from './screen.ts'

/** As much may wait on a line before the next frame is made. */
const lowWaterBytes = 64 * 1024
const stalledMs = 15_000

/**
 * The way of one renderer from the graphics it shows to those on air, as fast as its line takes them. Each graphic is told as it is
 * when it comes first in the queue, so a state that is overtaken never leaves and no more than one frame is made ahead.
 */
export class Resync {
  readonly #member: Receiver
  readonly #screen: Screen
  /** The seq of each graphic that the renderer will have on screen once it has received all frames sent, by graphicId. */
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

  /** Live data came after its seq: graphics sent up to there are to be told again. */
  noteLate(seq: number): void {
    this.#lateSeq = seq
  }

  /** Sends the frames that there is room for. True: nothing is left to tell, and few bytes wait. */
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

  /** Graphics that are off air by now go first. None is told twice before all others were told once. */
  #pick(): string | undefined {
    for (const graphicId of this.#shown.keys()) if (!this.#screen.isOnAir(graphicId)) return graphicId
    if (this.#queue.length === 0) {
      this.#queue = this.#screen.behind(this.#shown, this.#lateSeq)
      this.#lateSeq = 0
    }
    return this.#queue.shift()
  }
}
