import type { Channel } from './channel.ts'
import type { Followings } from './followers/followings.ts'
import type { Member } from './followers/roster.ts'
import type { Shared } from './renderers/output.ts'

const maxBufferedBytes = 256 * 1024

type Parts = {
  shared: Shared<Member>
  followings: Followings
  channelOf(overlayId: number): Channel<Member> | undefined
}

/** Closes sockets that cannot keep up; they catch up by connecting again, and delay nobody. live-path 18 */
export class SlowLines {
  readonly #parts: Parts
  /** Had bytes waiting when last seen, or were just sent much. */
  #buffering = new Set<Member>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Looks at a member that was just sent much until its bytes are gone. */
  watch(member: Member): void {
    this.#buffering.add(member)
  }

  forget(member: Member): void {
    this.#buffering.delete(member)
  }

  /** Looks at sockets that were sent something since the last sweep, and at those that were behind then. */
  sweep(): void {
    const { shared, followings, channelOf } = this.#parts
    for (const output of shared.pushed.splice(0)) for (const member of output.takePushed()) this.#buffering.add(member)
    for (const { followers } of followings.all()) for (const follower of followers) this.#buffering.add(follower)
    const looked = this.#buffering
    // a new set instead of many deletions. docs/performance.md: sets as queues
    this.#buffering = new Set()
    for (const member of looked) {
      const channel = channelOf(member.overlayId)
      if (channel?.isOwed(member)) {
        this.#buffering.add(member)
        channel.goOn(member)
        continue
      }
      const bytes = member.bufferedBytes()
      if (bytes > maxBufferedBytes) member.end(1013, 'too slow')
      else if (bytes > 0) this.#buffering.add(member)
    }
  }
}
