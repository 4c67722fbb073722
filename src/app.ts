import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { EventOf } from '../machines/kinds.ts'
import { startWorkers, type Workers } from '../workers/start.ts'
import { openAccounts } from './accounts/open.ts'
import { ActorHost } from './actors/host.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { doorsOf } from './doors.ts'
import { createAdmission } from './followers.ts'
import { healthPages, metricsReply } from './health.ts'
import { Deadline } from './http/deadline.ts'
import { docsPages } from './http/docs.ts'
import type { HttpReply, HttpRequest } from './http/message.ts'
import { pages } from './http/pages.ts'
import { createLimiter } from './http/rate-limit.ts'
import { createRouter } from './http/router.ts'
import { createServer } from './http/uws.ts'
import { createImporting } from './importing.ts'
import { inTime } from './in-time.ts'
import type { Media } from './media/ports.ts'
import { measureMedia } from './media-metrics.ts'
import { mediaOf } from './media-of.ts'
import type { Metrics } from './metrics.ts'
import { listenForMetrics, type MetricsServer } from './metrics-server.ts'
import { createParsing } from './parsing/pool.ts'
import type { IdempotencyClaim, JournalPrincipal } from './principal.ts'
import { connectorsOf } from './providers/connectors.ts'
import { createSync } from './providers/sync.ts'
import { createReactions } from './reactions.ts'
import { asyncapi } from './realtime/asyncapi.ts'
import { systemClock } from './realtime/clock.ts'
import { liveText, loadFrame } from './realtime/frames.ts'
import { Hub } from './realtime/hub.ts'
import { createReread } from './realtime/reread.ts'
import type { Publish } from './realtime/socket.ts'
import { bundlePages } from './resources/code-graphics/bundle-pages.ts'
import type { NameKind } from './resources/control-rooms/cards.ts'
import { createCatalog } from './resources/control-rooms/catalog.ts'
import { imagePages } from './resources/image-pages.ts'
import { routes } from './resources/index.ts'
import { createLiveData } from './resources/matches/live-data.ts'
import { liveMatch } from './resources/matches/live-match.queries.ts'
import { withGenerated } from './resources/motion-graphics/generated.ts'
import { noteReceived } from './resources/motion-graphics/imports.queries.ts'
import { dashboardRoutes } from './resources/organizations/routes.ts'
import { createPreloads } from './resources/overlays/preloads.ts'
import { previewPages } from './resources/previews/pages.ts'
import { findPreview } from './resources/previews/queries.ts'
import { failingConnections, oldestSuccessSeconds } from './resources/providers/queries.ts'
import { replayPages } from './resources/replays/pages.ts'
import { findReplay } from './resources/replays/queries.ts'
import { createStreamReactions } from './resources/streams/react.commands.ts'
import { uploadPages } from './resources/upload-pages.ts'
import { measureRetention } from './retention-metrics.ts'
import { createApiKeyStore } from './store/api-keys.ts'
import { cachedFiles } from './store/blob-cache.ts'
import { BlobsUnavailable } from './store/blobs.ts'
import { findChannelCard } from './store/channel-card.ts'
import { createHistory } from './store/history.ts'
import { createIdempotencyStore } from './store/idempotency.ts'
import { createPostgresJournal } from './store/journal-postgres.ts'
import type { Listener } from './store/listen.ts'
import { matchProjection } from './store/match-projection.ts'
import { databaseState } from './store/migrate.ts'
import type { NodeLock } from './store/node-lock.ts'
import type { Store } from './store/open.ts'
import { openBlobs } from './store/open-blobs.ts'
import { anyAddress, createOutbound } from './store/outbound.ts'
import { createPaints, firstPaints } from './store/paints.ts'
import { connectDatabase, isIdempotencyRace, isOutOfReach } from './store/postgres.ts'
import { recordImage, storeReceived } from './store/received.ts'
import { createRendererSessions } from './store/renderer-sessions.ts'
import { KEYS_CHANGED, settleKeys } from './store/secrets/settle.ts'

/** What is open before the parts meet, and stays open until after they have parted. */
export type Foundation = {
  store: Store
  listener: Listener
  nodeLock: NodeLock
  metrics: Metrics
  log: Logger
  /** False while what the first start makes is not there yet; the node is not ready before. */
  started?: () => boolean
  /** The media plane, where it is another than the one of the configuration. */
  media?: Media
}

export type App = {
  /** Answers one request without a port, for tests. */
  request(request: HttpRequest): Promise<HttpReply>
  /** Opens the port and starts the workers; resolves with the port. */
  listen(): Promise<number>
  readonly media: Media
  /** A context outside a request: the CLI, the demo, workers. */
  systemContext(organizationId: number, name: string, requestId?: string): Context
  /** Stop accepting, finish what was accepted, close sockets with 1012, stop the workers. Each step has its time. */
  close(): Promise<void>
  /** Nobody waits for an answer any more: what `close` still does may be cut off. */
  isAnswered(): boolean
}

/** Every answer has its own deadline, which is shorter. */
const ANSWERED_WITHIN_MS = 2_500
/** What is left then reads slowly. */
const DRAINED_WITHIN_MS = 500
const SAVED_WITHIN_MS = 2_000
/** Its processes are told at once; what outlives that is ended by the next start. */
const MEDIA_WITHIN_MS = 4_000

const overlayIdOf = (ref: string): number | undefined =>
  ref.startsWith('overlay/') ? Number(ref.slice('overlay/'.length)) : undefined

/** The only place where the parts meet. route -> command -> actor -> journal -> publish */
export async function createApp(config: Config, foundation: Foundation): Promise<App> {
  const { store, listener, nodeLock, metrics, log, started } = foundation
  const { db, url } = store
  const { sql } = db
  let port = config.port
  let draining = false
  let answered = true
  const stopping = new AbortController()
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`

  const journal = createPostgresJournal({
    connect: (pool) => connectDatabase(url, { ...pool, applicationName: 'tally:journal' }).sql,
    sql,
    projections: [matchProjection],
    secrets: db.secrets,
  })
  // a press asks for its Idempotency-Key: it must not wait behind what others read
  const answers = connectDatabase(url, { connections: 2, statementTimeoutMs: 2_000, applicationName: 'tally:answers' })
  const history = createHistory(sql)
  const blobs = openBlobs(config)
  const { sweep } = blobs
  const files = cachedFiles(blobs)
  const paints = createPaints({ sql, log })
  const connections = createRendererSessions({ sql, log })
  // the server is made last, since it needs everybody; nobody publishes before it listens
  let publish: Publish = () => {}

  const host = new ActorHost({
    journal,
    idleMs: config.actorIdleMs,
    log,
    publish(ref, seq, events, at, cause) {
      const overlayId = overlayIdOf(ref)
      if (overlayId !== undefined)
        return hub.publish(overlayId, seq, events as readonly EventOf<'overlay'>[], at, cause)
      changedHere(ref)
      media.changed(ref)
    },
    committed({ actors, entries, ms, outboxRows }) {
      metrics.commit(actors, entries, ms)
      if (outboxRows > 0) workers?.drainSoon()
    },
  })
  const deadline = new Deadline(1_900, log)
  const parsing = createParsing({ log })
  const opened = mediaOf(config, {
    db,
    actors: host,
    systemContext: (...who) => systemContext(...who),
    port: () => port,
    publicUrl,
    log,
  })
  const media = foundation.media ?? opened.media
  const catalog = await createCatalog(sql, listener)
  const liveData = await createLiveData({ sql, catalog, notifications: listener, log, publicUrl })
  const changedHere = (ref: string, organizationId?: number) => {
    liveData.changed(ref, organizationId)
    if (ref.startsWith('match/')) catalog.forget({ match: Number(ref.slice('match/'.length)) })
    hub.recordChanged(ref, organizationId)
  }
  db.onWritten((organizationId, ref) => {
    changedHere(ref, organizationId)
    media.changed(ref)
  })
  const hub = new Hub({
    clock: systemClock,
    log,
    publicUrl,
    publish: (topic, text) => {
      metrics.pushed(text.length)
      publish(topic, text)
    },
    find(by, name) {
      const overlay = catalog.named(by, name)
      return overlay instanceof Promise ? deadline.within(overlay).then((found) => found?.id) : overlay?.id
    },
    card: (overlayId) => findChannelCard(sql, overlayId),
    read: (overlayId) => host.read('overlay', overlayId),
    live: liveData.live,
    past: history.past,
    commitTimes: history.commitTimes,
    commitsFrom: history.commitsFrom,
    firstPaints: (overlayId, graphics) => firstPaints(sql, overlayId, graphics),
    match: (organizationId, matchId) => liveMatch({ organizationId, db }, matchId),
    admit: (request) => admitFollower(request),
    paint: paints.add,
    connections,
    painted: metrics.painted,
    troubled: metrics.troubled,
  })
  const keyStore = await createApiKeyStore({ sql, listener, log })
  const limiter = createLimiter(config.rateLimit)
  const admitFollower = createAdmission({ keyStore, limiter, catalog, within: (work) => deadline.within(work) })
  const overlayChanged = createReread<number>({
    async read(id) {
      if (draining) return
      const card = await findChannelCard(sql, id)
      if (card) {
        hub.changed(card)
        // sockets that come by its names are let in without a wait
        await catalog.overlay(id)
        return
      }
      host.forget(`overlay/${id}`)
      hub.removed(id)
    },
    failed: (id, error) => log.warn({ overlayId: id, err: error }, 'a changed overlay could not be read'),
  })
  await listener.listen('overlay', (payload) => overlayChanged(JSON.parse(payload).id))
  await listener.listen('catalog', (payload) => {
    const changed = JSON.parse(payload)
    if ('room' in changed || 'theme' in changed) hub.roomChanged(changed)
  })
  // the administration made it, or another node
  await listener.listen('stream_input', (payload) => media.changed(`input/${JSON.parse(payload).id}`))
  // after the key store, which forgets the key first
  await listener.listen('api_key', () => hub.keysChanged())
  const keysChanged = () => {
    settleKeys(sql, store.keys).catch((error) =>
      log.error({ err: error }, 'the key of the secrets was changed, and is not known here'),
    )
  }
  await listener.listen(KEYS_CHANGED, keysChanged)
  // what was notified meanwhile is lost
  listener.onUp(() => {
    keysChanged()
    hub.overlays().forEach(overlayChanged)
    media.changed('everything/0')
    hub.roomChanged()
    hub.keysChanged()
  })
  const systemContext = (organizationId: number, name: string, requestId: string = randomUUID()) =>
    context(organizationId, { type: 'system', name }, new Set(), requestId)
  const importing = createImporting({ sql, blobs, systemContext, log })
  let workers: Workers | undefined
  db.onOutbox(() => workers?.drainSoon())

  const context = (
    organizationId: number,
    actor: JournalPrincipal,
    scopes: ReadonlySet<string>,
    requestId: string,
    idempotency?: IdempotencyClaim,
  ): Context => ({
    organizationId,
    actor,
    scopes,
    requestId,
    commandId: randomUUID(),
    log,
    db,
    actors: host,
    catalog,
    parsing,
    media,
    publicUrl: publicUrl(),
    renderers: (overlayId) => hub.renderers(overlayId),
    ...(idempotency && { idempotency }),
  })

  // the page is the same for everybody and repairs itself; an error in its place stays until somebody reloads the source
  const exists = (by: NameKind) => async (name: string) => {
    const found = catalog.named(by, name)
    if (!(found instanceof Promise)) return found !== undefined
    const answer = await inTime(found.then((overlay) => ({ overlay })))
    if (!answer && catalog.knew(by, name)) return true
    return (await found) !== undefined
  }

  const accounts = await openAccounts({
    db,
    isOutOfReach,
    within: (work) => deadline.within(work),
    routes: [...routes, ...dashboardRoutes],
    baseUrl: publicUrl(),
    publicUrl,
    proxies: config.proxies,
    log,
  })
  const metricsText = metricsReply(metrics)
  const request = createRouter({
    routes,
    doors: [...doorsOf(catalog), accounts.door],
    pages: [
      ...accounts.pages,
      ...docsPages({ routes, publicUrl, sockets: asyncapi }),
      ...bundlePages(sql, withGenerated(sql, files)),
      ...imagePages(sql, files),
      ...opened.pages,
      ...replayPages({ sql, log, publicUrl, within: (work) => deadline.within(work) }),
      ...previewPages({
        sql,
        load: (graphic, sport, live) => loadFrame(graphic, sport, liveText(live), publicUrl()),
        parsing,
        within: (work) => deadline.within(work),
      }),
      ...uploadPages({
        sql,
        store: storeReceived(blobs),
        inspect: { team: recordImage(sql, blobs), club: recordImage(sql, blobs) },
        received: { import: noteReceived },
        noted: () => workers?.drainSoon(),
        within: (work) => deadline.within(work),
      }),
      ...healthPages(
        {
          database: () => databaseState(sql),
          listening: listener.isUp,
          owner: nodeLock.isHeld,
          accepting: () => !draining && (started?.() ?? true),
          quarantined: () => host.quarantined(),
          unsettled: () => host.unsettled(),
          media: () => media.problems(),
        },
        metricsText,
        config.metrics.port === undefined ? { token: config.metrics.token } : undefined,
      ),
      ...pages({
        urlFor: (host) => config.publicUrl ?? (host ? `http://${host}` : publicUrl()),
        preload: createPreloads(catalog),
        overlayExists: exists('key'),
        monitorExists: exists('monitoring'),
        controlExists: exists('control'),
        replayExists: async (token) => (await deadline.within(findReplay(sql, token))) !== undefined,
        previewExists: async (token) => (await deadline.within(findPreview(sql, token))) !== undefined,
      }),
    ],
    keyStore,
    limiter,
    idempotency: createIdempotencyStore({ sql: answers.sql, secrets: db.secrets }),
    makeContext: (principal, requestId, claim) =>
      context(principal.organizationId, principal.actor, principal.scopes, requestId, claim),
    // the answer of the run that was faster is there for whoever asks again
    isOutOfReach: (error) => isOutOfReach(error) || isIdempotencyRace(error) || error instanceof BlobsUnavailable,
    publicUrl,
    maxBodyBytes: config.maxBodyBytes,
    log,
    metrics,
  })

  const server = createServer({ handle: request, sockets: hub.endpoints(), isOutOfReach, log })
  publish = server.publish
  metrics.sample('tally_actors_awake', () => host.awake)
  metrics.sample('tally_actors_quarantined', () => host.quarantined().length)
  metrics.sample('tally_actors_unsettled', () => host.unsettled().length)
  metrics.sample('tally_renderers', () => hub.count().renderers)
  metrics.sample('tally_followers', () => hub.count().followers)
  metrics.sample('tally_database_up', () => (listener.isUp() ? 1 : 0))
  metrics.sample('tally_providers_failing', () => failingConnections(sql))
  metrics.sample('tally_provider_success_age_seconds', () => oldestSuccessSeconds(sql))
  measureMedia(metrics, media, sql)
  measureRetention(metrics, sql)
  metrics.sample('tally_outbox_age_seconds', () => workers?.outboxAgeSeconds() ?? 0)

  /** A port of their own, when they have one. */
  let metricsServer: MetricsServer | undefined
  const openMetrics = async () => {
    const { port: own, token } = config.metrics
    if (own !== undefined) metricsServer = await listenForMetrics({ host: config.host, port: own, token }, metricsText)
  }

  return {
    request,
    media,
    async listen() {
      port = await server.listen(config.host, config.port).catch((error: Error) => {
        throw new Error(`HOST, PORT: ${error.message}`)
      })
      await openMetrics()
      answered = false
      parsing.warm()
      const streams = createStreamReactions({ sql, systemContext })
      void media.start()
      workers = startWorkers({
        queue: config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl: url },
        sql,
        log,
        retention: config.retention,
        actors: {
          fire: (ref, name) => host.fire(ref, name),
          react: createReactions({
            sql,
            actors: host,
            systemContext,
            announced: (organizationId, ref) => liveData.changed(ref, organizationId),
            streams,
          }),
          schedules: streams,
          ...(sweep && { files: { sweep, days: config.retention.fileDays } }),
          sync: createSync({
            db,
            connectors: connectorsOf(createOutbound(config.outboundPrivate ? { permits: anyAddress } : {})),
            systemContext,
            log,
            signal: stopping.signal,
            finished: (report) => metrics.synced(report.provider, 'error' in report ? 'failed' : 'done'),
          }),
          imports: importing.imports,
        },
      })
      return port
    },
    systemContext,
    async close() {
      draining = true
      stopping.abort()
      server.stopAccepting()
      metricsServer?.close()
      // its processes end while the answers go out; what they leave behind is seen by the next start
      const mediaClosed = Promise.race([media.close(), pause(MEDIA_WITHIN_MS, undefined, { ref: false })])
      // first: what was accepted may only now be on its way to the actors
      await server.answered(ANSWERED_WITHIN_MS)
      await host.close()
      hub.close()
      await server.close(DRAINED_WITHIN_MS)
      answered = true
      const saved = Promise.all([
        workers?.close(),
        paints.close(),
        connections.close(),
        keyStore.close(),
        parsing.close(),
        importing.close(),
      ])
      // what a database that does not answer keeps them from is in its rows, or was never promised
      const savedInTime = Promise.race([saved, pause(SAVED_WITHIN_MS, undefined, { ref: false })])
      await Promise.all([savedInTime, mediaClosed, journal.close(), answers.close(1)])
    },
    isAnswered: () => answered,
  }
}
