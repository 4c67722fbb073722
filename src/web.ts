import type { Logger } from 'pino'
import { pageMounts } from './access/mounts.ts'
import { openAccounts } from './accounts/open.ts'
import type { NameKind } from './catalog/cards.ts'
import type { Config } from './config.ts'
import type { Database } from './database.ts'
import { starterPages } from './demo/starter.ts'
import { shelfOfAll } from './elsewhere/shelf.ts'
import { answerRequests, forwardTo, NODE_HEADER } from './elsewhere/to-owner.ts'
import { healthPages, type Readiness } from './health/health.ts'
import { docsPages } from './http/docs.ts'
import { ingestAccessPage } from './http/ingest-access-page.ts'
import { livePages } from './http/live-pages.ts'
import type { HttpReply, HttpRequest } from './http/message.ts'
import { pages } from './http/pages.ts'
import { createRouter } from './http/router.ts'
import { createServer } from './http/uws.ts'
import type { Live } from './live.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { JoinedNode } from './nodes/joined.ts'
import { asyncapi } from './realtime/asyncapi.ts'
import { bundlePages } from './resources/code-graphics/bundle-pages.ts'
import { imagePages } from './resources/image-pages.ts'
import { routes, signedInRoutes, webhookSchemas } from './resources/index.ts'
import { findDesk } from './resources/matches/desk-link.queries.ts'
import { withGenerated } from './resources/motion-graphics/generated.ts'
import { noteReceived } from './resources/motion-graphics/imports.queries.ts'
import { ografServerRoutes } from './resources/ograf-server/routes.ts'
import { createPreloads } from './resources/overlays/preloads.ts'
import { previewPages } from './resources/previews/pages.ts'
import { findPreview } from './resources/previews/queries.ts'
import { replayPages } from './resources/replays/pages.ts'
import { findReplay } from './resources/replays/queries.ts'
import { uploadPages } from './resources/upload-pages.ts'
import { cachedFiles } from './store/blob-cache.ts'
import { type Blobs, BlobsUnavailable } from './store/blobs.ts'
import { createIdempotencyStore } from './store/idempotency.ts'
import { connectDatabase, isIdempotencyRace, isOutOfReach } from './store/postgres.ts'
import { recordImage, storeReceived } from './store/received.ts'
import { inTime } from './waiting/in-time.ts'

/** The parts that the server in front of the live core stands on. */
export type WebParts = {
  db: Database
  url: string
  blobs: Blobs
  live: Live
  readiness: Readiness
  metrics: Metrics
  metricsText(): Promise<HttpReply>
  /** Without a trailing slash. */
  publicUrl(): string
  outboxFilled(): void
  /** Left out where this process is alone on its database. */
  node?: JoinedNode | undefined
  log: Logger
}

/** The server: routes and pages over HTTP, and the sockets of the live core. route -> command */
export async function openWeb(config: Config, parts: WebParts) {
  const { db, url, blobs, live, metrics, metricsText, publicUrl, node, log } = parts
  const { catalog, opened, within } = live
  const { sql } = db
  const files = cachedFiles(blobs)
  // a press asks for its Idempotency-Key: it must not wait behind reads of others
  const answers = connectDatabase(url, { connections: 2, statementTimeoutMs: 2_000, applicationName: 'tally:answers' })

  // the page is the same for everybody and repairs itself; an error in its place stays until somebody reloads the source
  const exists = (by: NameKind) => async (name: string) => {
    const found = catalog.named(by, name)
    if (!(found instanceof Promise)) return found !== undefined
    const answer = await inTime(found.then((overlay) => ({ overlay })))
    if (!answer && catalog.knew(by, name)) return true
    return (await found) !== undefined
  }

  const desk = (token: string) => within(findDesk(sql, token))

  const accounts = await openAccounts({
    db,
    isOutOfReach,
    within,
    routes: [...routes, ...signedInRoutes],
    baseUrl: publicUrl(),
    publicUrl,
    proxies: config.proxies,
    isShared: node !== undefined,
    log,
  })
  const request: (request: HttpRequest) => Promise<HttpReply> = createRouter({
    routes,
    mounts: [
      ...pageMounts({ named: catalog.named, desk }),
      accounts.mount,
      { prefix: '/ograf/v1', routes: ografServerRoutes, problems: true },
    ],
    pages: [
      ...accounts.pages,
      ...docsPages({ routes, ograf: ografServerRoutes, publicUrl, sockets: asyncapi, webhooks: webhookSchemas }),
      ...starterPages(),
      ...bundlePages(sql, withGenerated(sql, files)),
      ...imagePages(sql, files),
      ...(opened.shelf ? livePages(node ? shelfOfAll(node, opened.shelf) : opened.shelf) : []),
      ...(opened.ingest ? [ingestAccessPage(opened.ingest.secret, opened.ingest.permits)] : []),
      ...replayPages({ sql, log, publicUrl, within }),
      ...previewPages({
        sql,
        load: live.stills.load,
        parsing: live.parsing,
        publicUrl,
        within,
      }),
      ...uploadPages({
        sql,
        store: storeReceived(blobs),
        inspect: { team: recordImage(sql, blobs), club: recordImage(sql, blobs), brand: recordImage(sql, blobs) },
        received: { import: noteReceived },
        noted: parts.outboxFilled,
        within,
      }),
      ...healthPages(
        parts.readiness,
        metricsText,
        config.metrics.port === undefined ? { token: config.metrics.token } : undefined,
      ),
      ...pages({
        urlFor: (host) => config.publicUrl ?? (host ? `http://${host}` : publicUrl()),
        preload: createPreloads(catalog),
        overlayExists: exists('key'),
        monitorExists: exists('monitoring'),
        controlExists: exists('control'),
        deskExists: async (token) => (await desk(token)) !== undefined,
        replayExists: async (token) => (await within(findReplay(sql, token))) !== undefined,
        previewExists: async (token) => (await within(findPreview(sql, token))) !== undefined,
      }),
    ],
    keyStore: live.keyStore,
    limiter: live.limiter,
    idempotency: createIdempotencyStore({ sql: answers.sql, secrets: db.secrets }),
    makeContext: (principal, requestId, claim, forwarded) =>
      live.context(principal.organizationId, principal.actor, principal.scopes, requestId, claim, forwarded),
    // the answer of the run that was faster is there for the client that asks again
    isOutOfReach: (error) => isOutOfReach(error) || isIdempotencyRace(error) || error instanceof BlobsUnavailable,
    publicUrl,
    maxBodyBytes: config.maxBodyBytes,
    ...(node && {
      forward: forwardTo(node, (forwarded) => request(forwarded)),
      nodeHeaders: { [NODE_HEADER]: node.id },
    }),
    log,
    metrics,
  })
  if (node) answerRequests(node, request)
  const server = createServer({
    handle: request,
    sockets: [...live.hub.endpoints(), live.desks.endpoint()],
    isOutOfReach,
    log,
    sharesPort: config.place !== undefined,
  })
  return { request, server, close: () => answers.close(1) }
}
