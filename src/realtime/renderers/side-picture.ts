import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { Overlay } from '../../../machines/overlay/model.ts'
import type { Committed, Ports } from '../ports.ts'
import type { Receiver } from '../receiver.ts'
import { liveText } from './live-text.ts'
import { Output, type Shared } from './output.ts'
import type { Showing } from './protocol.ts'
import { isEmpty, nothing } from './screen.ts'

const retryMs = 500

/** A commit, with the state after it; `events` are those of the air or, in rehearsal, of what would be there. */
export type Change = { overlay: Overlay; seq: number; events: readonly OverlayEvent[] }

/** Which graphics of an overlay a picture shows. */
export type Projection = {
  topic(overlayId: number): string
  /** The view of a state from nothing. */
  view(committed: Committed): Committed
  /** The view after a commit and what changed in it, as facts. */
  step(before: Committed, change: Change): { view: Committed; events: readonly OverlayEvent[] }
}

/**
 * A picture of an overlay beside the one on air: what is on preview, or a rehearsal. It is there while somebody looks at it, and has no delay: a
 * take is seen on it before it is seen on air, and nothing that is encoded comes to meet it. show-control: Pictures
 */
export class SidePicture<R extends Receiver> {
  readonly output: Output<R>
  readonly #ports: Ports
  readonly #overlayId: number
  readonly #projection: Projection
  #view = nothing
  #sport = ''
  /** Changes while the state is being read; undefined: it is not. */
  #early: Change[] | undefined = []

  constructor(ports: Ports, overlayId: number, shared: Shared<R>, projection: Projection) {
    this.#ports = ports
    this.#overlayId = overlayId
    this.#projection = projection
    this.output = new Output({
      ports,
      shared,
      overlayId,
      topic: projection.topic(overlayId),
      failed: (error) => this.#fail(error),
    })
  }

  /** Takes the committed state, and brings every socket to it once its live data is read. */
  begin(committed: Committed, sport: string): void {
    this.#sport = sport
    this.output.backlog.clear()
    const early: Change[] = []
    this.#early = early
    void this.#read(this.#projection.view(committed), early)
  }

  /** A commit, with the state after it. */
  accept(change: Change): void {
    if (this.#early) {
      this.#early.push(change)
      return
    }
    const before = this.#view
    const step = this.#projection.step(before, change)
    this.#view = step.view
    this.output.accept(before, step)
  }

  /** READY. live-path 16 */
  answer(member: R, showing: readonly Showing[]): void {
    if (this.#early) this.output.audience.ask(member, showing)
    else this.output.answer(member, showing)
  }

  stop(): void {
    this.#early = undefined
    this.output.backlog.stop()
  }

  async #read(view: Committed, early: Change[]): Promise<void> {
    while (this.#early === early) {
      try {
        const live = isEmpty(view) ? undefined : liveText(await this.#ports.live(this.#overlayId, 0))
        // stopped, or begun anew
        if (this.#early !== early) return
        const liveFollowed = live !== undefined
        this.output.reset(view, live, { sport: this.#sport, newest: view, liveFollowed })
        this.#view = view
        this.#early = undefined
        for (const change of early) this.accept(change)
        for (const [member, showing] of this.output.audience.takeAsked()) this.#tell(member, showing)
        return
      } catch (error) {
        this.#warn(error, 'a picture beside the air could not be read')
        await new Promise<void>((resolve) => this.#ports.clock.after(retryMs, resolve))
      }
    }
  }

  #tell(member: R, showing: readonly Showing[]): void {
    try {
      this.answer(member, showing)
    } catch (error) {
      this.#warn(error, 'a picture beside the air could not be answered')
      member.end(1011, 'Unexpected error')
    }
  }

  /** Ends all members: they connect again, and are told the state anew. */
  #fail(error: unknown): void {
    this.#warn(error, 'a commit could not be pushed to a picture beside the air')
    for (const member of [...this.output.audience.told]) member.end(1011, 'Unexpected error')
  }

  #warn(error: unknown, message: string): void {
    this.#ports.log.warn({ overlayId: this.#overlayId, seq: this.#view.seq, err: error }, message)
  }
}
