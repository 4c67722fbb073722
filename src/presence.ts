import type { Logger } from 'pino'
import type { JoinedNode } from './nodes/joined.ts'
import { Parts } from './nodes/parts.ts'
import type { LiveRenderer } from './realtime/followers/live-protocol.ts'
import type { Hub } from './realtime/hub.ts'
import type { Elsewhere, Painting } from './realtime/ports.ts'

/** How many renderers of each overlay a node has. */
const COUNTS = 'counts'
const paintsOf = (overlayId: number) => `paints/${overlayId}`
const renderersOf = (overlayId: number) => `renderers/${overlayId}`

/** A follower hears of a paint on another node about as soon as of one here. */
const PAINTS = { everyMs: 50 }
const RENDERERS = { everyMs: 500, isTimely: true }
const COUNTED = { everyMs: 250 }

export type Presence = { readonly elsewhere: Elsewhere; close(): void }

/** Tells the followers here of the renderers on all nodes, and the other nodes of the renderers here. cluster 5 */
export function openPresence({ node, log, hub }: { node: JoinedNode; log: Logger; hub(): Hub }): Presence {
  const counts = new Map<unknown, ReadonlyMap<number, number>>()
  const topicOf = (topic: string) => {
    const [kind, id] = topic.split('/')
    return { kind, overlayId: Number(id) }
  }
  const parts = new Parts({
    node,
    log,
    partOf(topic) {
      if (topic === COUNTS) return hub().ownRenderers()
      const { kind, overlayId } = topicOf(topic)
      return kind === 'paints' ? hub().rosters.painting(overlayId) : hub().rosters.renderers(overlayId)
    },
    pace: (topic) => (topic === COUNTS ? COUNTED : topicOf(topic).kind === 'paints' ? PAINTS : RENDERERS),
    heard(topic) {
      const { kind, overlayId } = topicOf(topic)
      // lists are told once a second
      if (kind === 'paints') hub().othersTold(overlayId)
    },
    unwatched(topic) {
      const { kind, overlayId } = topicOf(topic)
      if (kind === 'paints') hub().unfollowedElsewhere(overlayId)
    },
  })
  void parts.watch(COUNTS)
  const countsOf = (part: unknown) => {
    const known = counts.get(part)
    if (known) return known
    const made = new Map(part as [number, number][])
    // of each node the newest: those before are not asked for again
    const current = new Set(parts.of(COUNTS))
    for (const old of counts.keys()) if (!current.has(old)) counts.delete(old)
    counts.set(part, made)
    return made
  }
  return {
    elsewhere: {
      prefix: `${node.id}-`,
      follow: (overlayId) => parts.watch(paintsOf(overlayId), renderersOf(overlayId)),
      unfollow: (overlayId) => parts.unwatch(paintsOf(overlayId), renderersOf(overlayId)),
      paintings: (overlayId) => parts.of(paintsOf(overlayId)) as Painting[],
      renderers: (overlayId) => (parts.of(renderersOf(overlayId)) as LiveRenderer[][]).flat(),
      count: (overlayId) =>
        parts.of(COUNTS).reduce((sum: number, part) => sum + (countsOf(part).get(overlayId) ?? 0), 0),
      isFollowed: (overlayId) => parts.isWatched(paintsOf(overlayId)),
      painted: (overlayId) => parts.changed(paintsOf(overlayId)),
      counted: () => parts.changed(COUNTS),
    },
    close: () => parts.close(),
  }
}
