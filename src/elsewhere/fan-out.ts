import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { OverlayAside, OverlayEvent } from '../../machines/overlay/events.ts'
import type { Publish } from '../actors/settling.ts'
import { Feed } from '../nodes/feed.ts'
import type { JoinedNode } from '../nodes/joined.ts'
import { createMissing } from '../nodes/missing.ts'
import { startRepair } from '../nodes/repair.ts'
import type { Hub } from '../realtime/hub.ts'
import type { Channels } from '../realtime/ports.ts'
import type { Listener } from '../store/listen.ts'
import { createUnheard } from './unheard.ts'

/** Changes of records on other nodes, told by the database while Redis is away. */
const CHANNEL = 'record'

type Parts = {
  node: JoinedNode
  sql: Sql
  listener: Listener
  log: Logger
  hub(): Hub
  /** A record or actor changed on another node: this node's copies of it are old. */
  changed(ref: string, organizationId?: number): void
  /** The records that a refresh names changed, whichever node committed that. */
  announced(ref: string, organizationId: number): void
  /** Anything may have changed on another node, unheard. */
  missedChanges(): void
}

export type FanOut = {
  /** The hub tells which overlays have sockets here. */
  readonly channels: Channels
  /** Hands a commit of this node to its sockets, and to the nodes that have sockets of the overlay. */
  committed: Publish
  /** A record was written by this node. */
  recordChanged(ref: string, organizationId: number): void
  repaired(): number
  close(): void
}

type AfterRef<Of> = Of extends (ref: never, ...rest: infer Rest) => void ? Rest : never

type FirstFive<All extends unknown[]> = All extends [...infer Five, unknown] ? Five : never

/** A commit of an overlay, as the host tells it. */
export const overlayCommit = (...[seq, events, at, { principal, command }, asides]: FirstFive<AfterRef<Publish>>) => ({
  seq,
  // the host tells of an overlay what its machine says, and keeps the two apart
  events: events as readonly OverlayEvent[],
  ...(asides.length > 0 && { asides: asides as readonly OverlayAside[] }),
  at,
  cause: { principal, command },
})

/** Takes the commits of all nodes to the sockets of this one, and its own to the others. cluster 4 */
export async function openFanOut({ node, sql, listener, log, hub, ...caches }: Parts): Promise<FanOut> {
  const { bus, ownership } = node
  const journal = createMissing(sql)
  const isLive = () => ownership.isLive
  const feed = new Feed({
    nodeId: node.id,
    bus,
    journal,
    sockets: {
      publish: (overlayId, { cause, ...commit }) => hub().publish(overlayId, { ...commit, cause }),
      reload: (overlayId) => hub().reload(overlayId),
      closeMissed: (overlayId) => hub().closeMissed(overlayId),
    },
    ...caches,
    fallBack(text) {
      sql`select pg_notify(${CHANNEL}, ${text})`.catch((error: unknown) =>
        log.warn({ err: error }, 'other nodes were not told of a change'),
      )
    },
    isLive,
    hasOthers: node.hasOthers,
    log,
  })
  await listener.listen(CHANNEL, (text) => feed.hear(text))
  const unheard = createUnheard(sql, () => hub().followings)
  bus.onUp(unheard.forget)
  const endRepair = startRepair({ feed, bus, journal, isLive, unheard: unheard.look, log })
  return {
    channels: feed,
    committed: (ref, seq, events, at, cause, asides) =>
      feed.committed(ref, overlayCommit(seq, events, at, cause, asides)),
    recordChanged: (ref, organizationId) => feed.changed(ref, organizationId),
    repaired: () => feed.repaired,
    close() {
      endRepair()
      feed.close()
    },
  }
}
