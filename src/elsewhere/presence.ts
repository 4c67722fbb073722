import type { Logger } from 'pino'
import type { JoinedNode } from '../nodes/joined.ts'
import type { NodeAddress } from '../nodes/ownership.ts'
import { Parts } from '../nodes/parts.ts'
import type { LivePictureProblem, LiveRenderer } from '../realtime/followers/live-protocol.ts'
import type { Hub } from '../realtime/hub.ts'
import type { Elsewhere, Engine, Painting } from '../realtime/ports.ts'
import type { Answered, Asked } from '../realtime/renderers/protocol.ts'

/** How many renderers of each overlay a node has. */
const COUNTS = 'counts'
const paintsOf = (overlayId: number) => `paints/${overlayId}`
const renderersOf = (overlayId: number) => `renderers/${overlayId}`
const picturesOf = (overlayId: number) => `pictures/${overlayId}`

/** All that whoever follows an overlay is told of other nodes. */
const topicsOf = (overlayId: number) => [paintsOf(overlayId), renderersOf(overlayId), picturesOf(overlayId)]

/** How many places of followers a node has taken. */
const PLACES = 'places'

/** A follower hears of a paint on another node about as soon as of one here. */
const PAINTS = { everyMs: 50 }
const RENDERERS = { everyMs: 500, isTimely: true }
const COUNTED = { everyMs: 250 }

/** The kind of the asks about a call of the OGraf Server API: answered when the renderers of a node have. */
const CALLS = 'calls'
/** How long the answer to a call takes from node to node. */
const ON_ITS_WAY_MS = 200

/** The kind of the asks for what the renderers of an overlay say that they are. */
const ENGINES = 'engines'
/** A show waits for it. */
const ENGINES_WITHIN_MS = 300

export type Presence = { readonly elsewhere: Elsewhere; close(): void }

/** Tells the followers here of the renderers on all nodes, and the other nodes of the renderers here. cluster 5 */
export function openPresence({ node, log, hub }: { node: JoinedNode; log: Logger; hub(): Hub }): Presence {
  const topicOf = (topic: string) => {
    const [kind, id] = topic.split('/')
    return { kind, overlayId: Number(id) }
  }
  const parts = new Parts({
    node,
    log,
    partOf(topic) {
      if (topic === COUNTS) return hub().ownRenderers()
      if (topic === PLACES) return hub().places.own()
      const { kind, overlayId } = topicOf(topic)
      if (kind === 'pictures') return hub().rosters.pictures(overlayId)
      return kind === 'paints' ? hub().rosters.painting(overlayId) : hub().rosters.renderers(overlayId)
    },
    pace(topic) {
      if (topic === COUNTS || topic === PLACES) return COUNTED
      return topicOf(topic).kind === 'paints' ? PAINTS : RENDERERS
    },
    heard(topic) {
      if (topic === PLACES) hub().places.othersTold()
      const { kind, overlayId } = topicOf(topic)
      // lists are told once a second
      if (kind === 'paints') hub().followings.othersTold(overlayId)
    },
    unwatched(topic) {
      const { kind, overlayId } = topicOf(topic)
      if (kind === 'paints') hub().followings.unfollowedElsewhere(overlayId)
    },
  })
  void parts.watch(COUNTS, PLACES)
  node.answer(CALLS, async (head) => {
    const { asked, withinMs } = head as { asked: Asked; withinMs: number }
    return { head: (await hub().calls.expectHere(asked, withinMs)) ?? null }
  })
  const answeredBy = async (other: NodeAddress, asked: Asked, withinMs: number): Promise<Answered | undefined> => {
    try {
      const { head } = await node.ask(other, CALLS, { asked, withinMs }, undefined, withinMs + ON_ITS_WAY_MS)
      return (head as Answered | null) ?? undefined
    } catch (error) {
      // it is gone, or of the release before: the command is carried out all the same
      log.debug({ err: error, node: other.id }, 'a node does not say what its renderers answer')
      return undefined
    }
  }
  node.answer(ENGINES, async (head) => ({ head: hub().ownEngines((head as { overlayId: number }).overlayId) }))
  const renderersElsewhere = countsIn<number>(() => parts.of(COUNTS))
  const placesElsewhere = countsIn<string>(() => parts.of(PLACES))
  return {
    elsewhere: {
      prefix: `${node.id}-`,
      follow: (overlayId) => parts.watch(...topicsOf(overlayId)),
      unfollow: (overlayId) => parts.unwatch(...topicsOf(overlayId)),
      paintings: (overlayId) => parts.of(paintsOf(overlayId)) as Painting[],
      // the release before answers a topic that it does not know with its renderers
      pictures: (overlayId) =>
        (parts.of(picturesOf(overlayId)) as LivePictureProblem[][]).flat().filter((one) => 'bus' in one),
      renderers: (overlayId) => (parts.of(renderersOf(overlayId)) as LiveRenderer[][]).flat(),
      count: (overlayId) => renderersElsewhere(overlayId).reduce((sum, count) => sum + count, 0),
      calls: (asked, withinMs) => node.others().map((other) => answeredBy(other, asked, withinMs)),
      async engines(overlayId) {
        const asked = node
          .others()
          .map((other) => node.ask(other, ENGINES, { overlayId }, undefined, ENGINES_WITHIN_MS))
        const answers = await Promise.allSettled(asked)
        return answers.flatMap((one) => (one.status === 'fulfilled' ? (one.value.head as Engine[]) : []))
      },
      isFollowed: (overlayId) => parts.isWatched(paintsOf(overlayId)),
      painted: (overlayId) => parts.changed(paintsOf(overlayId)),
      counted: () => parts.changed(COUNTS),
      places: placesElsewhere,
      placed: () => parts.changed(PLACES),
    },
    close: () => parts.close(),
  }
}

/** Looks a key up in the lists of counts of all nodes; each list is taken apart once. */
function countsIn<Key>(told: () => readonly unknown[]): (key: Key) => readonly number[] {
  const known = new WeakMap<object, ReadonlyMap<Key, number>>()
  const countsOf = (list: object) => {
    const counts = known.get(list) ?? new Map(list as [Key, number][])
    known.set(list, counts)
    return counts
  }
  return (key) => told().map((list) => countsOf(list as object).get(key) ?? 0)
}
