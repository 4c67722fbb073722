import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { ActorHost } from './actors/host.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Context, Stills } from './context.ts'
import type { Database } from './database.ts'
import { errandAtOwner } from './elsewhere/to-owner.ts'
import type { Forwarded } from './http/message.ts'
import type { Media } from './media/ports.ts'
import type { JoinedNode } from './nodes/joined.ts'
import type { Parsing } from './parsing/pool.ts'
import type { IdempotencyClaim, JournalPrincipal } from './principal.ts'
import type { Hub } from './realtime/hub.ts'
import type { LiveDataCache } from './resources/matches/live-data.ts'
import type { Blobs } from './store/blobs.ts'

/** The parts of the live core that commands and queries may use. */
export type ContextParts = {
  db: Database
  host: ActorHost
  hub: Hub
  catalog: Catalog
  liveData: Pick<LiveDataCache, 'live'>
  media: Media
  stills: Stills
  parsing: Parsing
  /** The thread that unpacks archives. */
  unpacking: Parsing
  blobs: Blobs
  /** Without a trailing slash. */
  publicUrl(): string
  /** Left out where this process is alone on its database. */
  node?: JoinedNode | undefined
  log: Logger
}

/** Makes the contexts that commands run in: of principals, and of the server itself. */
export function createContexts(parts: ContextParts) {
  const { db, host, hub, catalog, liveData, media, stills, parsing, unpacking, blobs, publicUrl, node, log } = parts

  /** The context that a command of this principal runs in. */
  const context = (
    organizationId: number,
    actor: JournalPrincipal,
    scopes: ReadonlySet<string>,
    requestId: string,
    idempotency?: IdempotencyClaim,
    forwarded?: Pick<Forwarded, 'commandId' | 'mayBeDone'>,
  ): Context => {
    const ctx: Context = {
      organizationId,
      actor,
      scopes,
      requestId,
      commandId: forwarded?.commandId ?? randomUUID(),
      ...(forwarded?.mayBeDone && { mayBeDone: true }),
      log,
      db,
      actors: host,
      atOwner: (ref, errand, args) => (node ? errandAtOwner(node, ctx, ref, { errand, args }) : errand.run(ctx, args)),
      catalog,
      live: liveData.live,
      parsing,
      archives: {
        run: (owner, job) => unpacking.run(owner, job),
        keep: (bytes, hash) => blobs.put(bytes, { hash }),
        read: (hash) => blobs.read(hash),
      },
      media,
      stills,
      publicUrl: publicUrl(),
      renderers: (overlayId) => hub.renderers(overlayId),
      engines: (overlayId) => hub.engines(overlayId),
      lamps: (overlayId) => hub.watched.lamps(overlayId),
      calls: hub.calls,
      ...(idempotency && { idempotency }),
    }
    return ctx
  }
  const systemContext = (organizationId: number, name: string, requestId: string = randomUUID()) =>
    context(organizationId, { type: 'system', name }, new Set(), requestId)

  return { context, systemContext }
}
