import type { ServerFrame } from './protocol.ts'

export type GraphicFrame = Exclude<ServerFrame, { type: 'HELLO' }>

/** Keeps the frames of one command until all of them are here: the picture must never show half of it. */
export class Together {
  readonly #show: (frames: readonly GraphicFrame[]) => void
  #kept: GraphicFrame[] = []

  constructor(show: (frames: readonly GraphicFrame[]) => void) {
    this.#show = show
  }

  receive(frame: GraphicFrame) {
    const { together, ...payload } = frame.payload
    // no graphic needs to know
    const alone = { ...frame, payload } as GraphicFrame
    // what never came whole is shown as it is, rather than not at all
    if (this.#kept[0] && this.#kept[0].payload.seq !== frame.payload.seq) this.#flush()
    this.#kept.push(alone)
    if (typeof together !== 'number' || this.#kept.length >= together) this.#flush()
  }

  /** A new socket: the rest will not come, and what is missing is told anew. */
  restart() {
    this.#kept = []
  }

  #flush() {
    const frames = this.#kept
    this.#kept = []
    this.#show(frames)
  }
}
