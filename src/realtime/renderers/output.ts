import type { OverlayEvent } from '../../../machines/overlay/events.ts'
import type { Shown } from '../../../machines/overlay/model.ts'
import type { Committed, Ports } from '../ports.ts'
import type { Receiver } from '../receiver.ts'
import { Audience } from './audience.ts'
import { Backlog } from './backlog.ts'
import type { LiveText } from './live-text.ts'
import type { Showing } from './protocol.ts'
import { isEmpty, Screen, type Step } from './screen.ts'

/** The parts of the hub that outlive an output. */
export type Shared<R extends Receiver> = {
  /** Outputs that sent frames to all since the last sweep. */
  pushed: Pushed<R>[]
  /** Per topic the newest seq that went out before the live data that belongs to it, if that ever happened. */
  late: Map<string, number>
}

/** `takePushed`: the sockets that frames were sent to since the last call. */
export type Pushed<R extends Receiver> = { takePushed(): ReadonlySet<R> }

type Parts<R extends Receiver> = {
  ports: Ports
  shared: Shared<R>
  overlayId: number
  topic: string
  /** A step could not be turned into frames: the state is to be read anew. */
  failed(error: unknown): void
}

const isShow = (event: OverlayEvent) => event.type === 'graphic.shown'

/** Whether something on air is of the same theme version: then live data is known to be as new as that version. */
const isKnown = ({ context }: Committed, { themeId, themeVersion }: Shown) =>
  Object.values(context.graphics).some((one) => one.themeId === themeId && one.themeVersion === themeVersion)

/**
 * A refresh announces new data; while nothing is on air none is announced. Nor is it for a theme version, whose graphics may
 * ask for other data than those before.
 */
export const needsLive = (before: Committed, events: readonly OverlayEvent[]) =>
  events.some((event) => event.type === 'data.refreshed' || (isShow(event) && !isKnown(before, event.graphic)))

/** One picture of an overlay: the view that its sockets are to show, as late as its delay asks, and the frames that take them there. live-path 16 to 18, 22 */
export class Output<R extends Receiver> implements Pushed<R> {
  readonly topic: string
  readonly screen: Screen
  readonly backlog: Backlog
  readonly audience: Audience<R>
  /** When frames last went out to all, ms. */
  lastPushAt = 0
  readonly #ports: Ports
  readonly #shared: Shared<R>
  readonly #failed: (error: unknown) => void
  #pushed = false
  /** True: live data is current, or a refresh will be announced. With nothing to show none is. */
  #liveFollowed = false

  constructor({ ports, shared, overlayId, topic, failed }: Parts<R>) {
    this.#ports = ports
    this.#shared = shared
    this.topic = topic
    this.#failed = failed
    this.screen = new Screen(ports.publicUrl())
    this.audience = new Audience(topic, this.screen)
    this.backlog = new Backlog(ports, overlayId, {
      release: (step) => this.#release(step),
      knowsLive: () => this.screen.hasLive,
    })
  }

  takePushed(): ReadonlySet<R> {
    this.#pushed = false
    return this.audience.told
  }

  get lateSeq(): number {
    return this.#shared.late.get(this.topic) ?? 0
  }

  /** READY. live-path 16 */
  answer(member: R, showing: readonly Showing[]): void {
    this.audience.answer(member, showing, this.lateSeq, this.#ports.clock.now())
  }

  /** A step from the view before it. */
  accept(before: Committed, step: { view: Committed; events: readonly OverlayEvent[] }): void {
    const { view, events } = step
    const reads = needsLive(before, events) || (!this.#liveFollowed && events.some(isShow))
    this.#liveFollowed = (reads || this.#liveFollowed) && !isEmpty(view)
    this.backlog.add(step, this.#ports.clock.now(), reads)
  }

  /** Takes a view that was read from the store, and brings every socket to it. `live`: undefined leaves what is known. `newest`: the state that it is a view of. */
  reset(
    view: Committed,
    live: LiveText | undefined,
    { sport, newest, liveFollowed }: { sport: string; newest: Committed; liveFollowed: boolean },
  ): void {
    const framesWanted = this.audience.told.size > 0
    const frames = this.screen.reset(view, live, { sport, lateSeq: this.lateSeq, framesWanted })
    this.#liveFollowed = liveFollowed && !isEmpty(newest)
    for (const text of frames) this.#ports.publish(this.topic, text)
    this.#notePush(this.#ports.clock.now())
  }

  /** A frame that is of no view: nothing on screen changes by it. */
  tell(text: string): void {
    if (this.audience.told.size === 0) return
    this.#ports.publish(this.topic, text)
    this.#notePush(this.#ports.clock.now())
  }

  #release(step: Step): void {
    if (step.view && this.backlog.delayMs > 0) this.screen.noteRelease(step.view.seq, this.#ports.clock.wall())
    if (step.late) this.#noteLate((step.view ?? this.screen.view).seq)
    try {
      const frames = this.screen.apply(step, this.audience.told.size > 0)
      for (const text of frames) this.#ports.publish(this.topic, text)
      if (frames.length > 0) this.#notePush(this.#ports.clock.now())
    } catch (error) {
      // neither the committer nor a timer may stumble over one bad record
      this.#failed(error)
    }
  }

  #noteLate(seq: number): void {
    this.#shared.late.set(this.topic, seq)
    this.audience.noteLate(seq)
  }

  #notePush(now: number): void {
    this.lastPushAt = now
    if (this.#pushed) return
    this.#pushed = true
    this.#shared.pushed.push(this)
  }
}
