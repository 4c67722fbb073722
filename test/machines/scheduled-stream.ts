import type { Schedule, StreamCommand } from '../../machines/stream-model.ts'
import { iso, LoneActor } from './lone-actor.ts'

type Ask<C = StreamCommand> = C extends unknown ? Omit<C, 'seq'> : never
export const MINUTE = 60_000

/** A stream whose schedule and observations are told in minutes from the moment it begins. */
export class Scheduled extends LoneActor<'stream'> {
  readonly #begin = this.now

  #inMs = (minute: number | null) => (minute === null ? null : this.#begin + minute * MINUTE - this.now)

  schedule(startAt: number | null, stopAt: number | null, more: Partial<Schedule> = {}): this {
    const instant = (minute: number | null) => (minute === null ? null : this.#begin + minute * MINUTE)
    return this.all({
      type: 'automate',
      schedule: { startAt: instant(startAt), stopAt: instant(stopAt), startHidden: false, cannotStart: null, ...more },
      startInMs: this.#inMs(startAt),
      stopInMs: this.#inMs(stopAt),
    } satisfies Ask)
  }

  /** Goes on to this minute; a start that is asked for comes about, and so does a stop. */
  until(minute: number): this {
    const end = this.#begin + minute * MINUTE
    while (this.now < end) this.pass(Math.min(1_000, end - this.now)).#follow()
    return this.#follow()
  }

  start = () => this.all({ type: 'start', at: iso(this.now) } satisfies Ask)
  stop = () => this.all({ type: 'stop', at: iso(this.now) } satisfies Ask)
  goLive = () => this.all({ type: 'goLive', at: iso(this.now), destinationIds: [1, 2] } satisfies Ask)

  /** What the media plane would see. */
  #follow(): this {
    const { phase, run, liveOnceRunning } = this.context
    if (phase === 'starting' || (phase === 'running' && liveOnceRunning))
      this.all({ type: 'started', run, at: iso(this.now), linked: [1, 2] } satisfies Ask)
    if (phase === 'stopping') this.all({ type: 'stopped', run } satisfies Ask)
    return this
  }

  get runs(): number {
    return this.told.filter((type) => type === 'stream.starting').length
  }
}

/** How a stream is that Auto Stream has taken live. */
export const live = { phase: 'running', publishing: [1, 2] }
