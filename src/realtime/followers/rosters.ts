import type { Channel } from '../channel.ts'
import type { Painting, Ports } from '../ports.ts'
import type { Session } from '../renderers/session.ts'
import type { LivePictureProblem, LiveRenderer } from './live-protocol.ts'
import { type Member, Roster } from './roster.ts'

/** The rosters of overlays that somebody follows, here or on another node. */
export class Rosters {
  readonly #ports: Pick<Ports, 'clock' | 'elsewhere'>
  readonly #channelOf: (overlayId: number) => Channel<Member> | undefined
  readonly #rosters = new Map<number, Roster>()

  constructor(
    ports: Pick<Ports, 'clock' | 'elsewhere'>,
    channelOf: (overlayId: number) => Channel<Member> | undefined,
  ) {
    this.#ports = ports
    this.#channelOf = channelOf
  }

  of(channel: Channel<Member>): Roster {
    const known = this.#rosters.get(channel.overlayId)
    if (known?.channel === channel) return known
    const roster = new Roster(channel, this.#ports)
    this.#rosters.set(channel.overlayId, roster)
    return roster
  }

  /** A renderer came, went, said READY, or came into view. */
  noteRenderer(session: Session, gone: boolean): void {
    if (gone) this.#rosters.get(session.overlayId)?.forget(session)
    this.#ports.elsewhere?.painted(session.overlayId)
  }

  /** A paint report. `latencyMs` is undefined when the graphic went out too long ago to know, or out of view. */
  painted(
    session: Session,
    graphicId: string,
    paint: { seq: number; at: number; latencyMs: number | undefined },
  ): void {
    this.#rosters.get(session.overlayId)?.note(session, graphicId, paint)
    this.#ports.elsewhere?.painted(session.overlayId)
  }

  /** What the renderers here paint, for other nodes; undefined: there are none. */
  painting(overlayId: number): Painting | undefined {
    const channel = this.#channelOf(overlayId)
    return channel && this.of(channel).painting()
  }

  /** The renderers here, for other nodes; undefined: there are none. */
  renderers(overlayId: number): LiveRenderer[] | undefined {
    const channel = this.#channelOf(overlayId)
    return channel && this.of(channel).ownList()
  }

  /** What the pictures beside the air that are connected here say to be wrong, for other nodes; undefined: there are none. */
  pictures(overlayId: number): LivePictureProblem[] | undefined {
    const channel = this.#channelOf(overlayId)
    return channel && this.of(channel).ownPictureProblems()
  }

  /** Nobody here follows it any more. */
  unfollowed(overlayId: number): void {
    if (!this.#ports.elsewhere?.isFollowed(overlayId)) this.forget(overlayId)
  }

  forget(overlayId: number): void {
    this.#rosters.delete(overlayId)
  }
}
