import type { Media } from './media/ports.ts'
import type { JoinedNode } from './nodes/joined.ts'

/** What has processes somewhere. */
const RUNS = /^(input|stream-input|stream|stream-settings|destination|stream-destination|overlay)\//
/** A node that does not answer looks by itself, within its sweep. */
const TOLD_WITHIN_MS = 1_000
const SETTLED_WITHIN_MS = 3_000

/**
 * The media planes of all nodes as one: a commit here may be of what another one runs. An actor and its processes need not be on the
 * same node.
 */
export function mediaOfAll(node: JoinedNode, own: Media): Media {
  node.answer('media changed', async (head) => {
    own.changed((head as { ref: string }).ref)
    return { head: null }
  })
  node.answer('media settled', async (head) => {
    await own.settled((head as { destinationIds: number[] }).destinationIds)
    return { head: null }
  })
  const askAll = async (kind: string, head: object, withinMs: number): Promise<void> => {
    const asked = node.others().map((other) => node.ask(other, kind, head, undefined, withinMs))
    await Promise.allSettled(asked)
  }
  return {
    ...own,
    changed(ref) {
      own.changed(ref)
      if (RUNS.test(ref)) void askAll('media changed', { ref }, TOLD_WITHIN_MS)
    },
    async settled(destinationIds) {
      await Promise.all([own.settled(destinationIds), askAll('media settled', { destinationIds }, SETTLED_WITHIN_MS)])
    },
  }
}
