import { indexAt, type Moment } from './moments.ts'
import type { Screen } from './screen.ts'

export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16, 30, 60]

/** The state of the player that people see. */
export type PlayerState = {
  /** Ms since 1970, in the time that is replayed. */
  position: number
  playing: boolean
  speed: number
  /** The moment in force. */
  index: number
}

const TICK_MS = 50

type Span = { from: number; to: number }

/** Goes through the moments at any speed, and keeps the screen there. */
export class Player {
  readonly #moments: readonly Moment[]
  readonly #screen: Pick<Screen, 'jump' | 'go' | 'tick'>
  readonly #span: Span
  readonly #listeners = new Set<() => void>()
  #state: PlayerState
  #timer = 0
  #tickedAt = 0

  constructor(moments: readonly Moment[], screen: Pick<Screen, 'jump' | 'go' | 'tick'>, span: Span) {
    this.#moments = moments
    this.#screen = screen
    this.#span = span
    this.#state = { position: span.from, playing: false, speed: 1, index: 0 }
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  readonly state = () => this.#state

  /** From the beginning again when it stands at the end. */
  play() {
    if (this.#state.playing) return
    if (this.#state.position >= this.#span.to) this.seek(this.#span.from)
    this.#set({ playing: true })
    this.#screen.tick(this.#pace(), true)
    this.#tickedAt = performance.now()
    this.#timer = window.setInterval(() => this.#tick(), TICK_MS)
  }

  pause() {
    if (!this.#state.playing) return
    window.clearInterval(this.#timer)
    this.#tick()
    this.#set({ playing: false })
    this.#screen.tick(this.#pace(), true)
  }

  toggle() {
    if (this.#state.playing) this.pause()
    else this.play()
  }

  set speed(speed: number) {
    this.#set({ speed })
    this.#screen.tick(this.#pace(), true)
  }

  /** The next speed up or down. */
  faster(by: 1 | -1) {
    const place = SPEEDS.indexOf(this.#state.speed)
    const next = SPEEDS[place + by]
    if (next !== undefined) this.speed = next
  }

  /** Shows a time at once. */
  seek(to: number) {
    const position = Math.min(this.#span.to, Math.max(this.#span.from, to))
    const index = indexAt(this.#moments, position)
    this.#set({ position, index })
    const moment = this.#moments[index]
    if (moment) this.#screen.jump(moment, this.#pace())
  }

  /** To the next change, with its animation, or to the one before. */
  step(by: 1 | -1) {
    const { index, position } = this.#state
    const current = this.#moments[index]
    // back first goes to the beginning of the moment it is in
    if (by === -1) {
      const within = current !== undefined && position > current.at
      const target = this.#moments[within ? index : index - 1]
      if (target) this.seek(target.at)
      return
    }
    const next = this.#moments[index + 1]
    if (!next) return
    this.#set({ index: index + 1, position: Math.max(next.at, this.#span.from) })
    this.#screen.go(next, this.#pace())
  }

  stop() {
    window.clearInterval(this.#timer)
  }

  #pace() {
    const { position, playing, speed } = this.#state
    return { at: position, rate: playing ? speed : 0 }
  }

  #tick() {
    const now = performance.now()
    const { speed } = this.#state
    const position = Math.min(this.#span.to, this.#state.position + (now - this.#tickedAt) * speed)
    this.#tickedAt = now
    this.#set({ position })
    for (let next = this.#next(); next && next.at <= position; next = this.#next()) {
      this.#set({ index: this.#state.index + 1 })
      this.#screen.go(next, this.#pace())
    }
    this.#screen.tick(this.#pace())
    if (position >= this.#span.to) this.#end()
  }

  #next = () => this.#moments[this.#state.index + 1]

  #end() {
    window.clearInterval(this.#timer)
    this.#set({ playing: false })
    this.#screen.tick(this.#pace(), true)
  }

  #set(change: Partial<PlayerState>) {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
