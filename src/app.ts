import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startWorkers, type Workers } from '../workers/start.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { fireAtOwner } from './elsewhere/to-owner.ts'
import { metricsReply } from './health/health.ts'
import { listenForMetrics, type MetricsServer } from './health/metrics-server.ts'
import type { HttpReply, HttpRequest } from './http/message.ts'
import { type Live, openLive } from './live.ts'
import { measureMedia } from './media/media-metrics.ts'
import type { Media } from './media/ports.ts'
import type { Metrics } from './metrics/metrics.ts'
import { measureRetention } from './metrics/retention.ts'
import { countStreamStates } from './metrics/stream-states.ts'
import { measureNode } from './nodes/node-metrics.ts'
import type { OpenNode } from './nodes/open.ts'
import { createProbe } from './nodes/probe.ts'
import { ALLOWED, isLocalNetwork } from './obs/address.ts'
import { createObsRefresh } from './obs/refresh.ts'
import type { Parsing } from './parsing/pool.ts'
import { connectorsOf } from './providers/connectors.ts'
import { createSync } from './providers/sync.ts'
import { createReactions } from './reactions.ts'
import type { Publish } from './realtime/socket.ts'
import { createImporting } from './resources/motion-graphics/importing.ts'
import { failingConnections, oldestSuccessSeconds } from './resources/providers/queries.ts'
import { createStreamReactions } from './resources/streams/react.commands.ts'
import { failingWebhooks, pendingDeliveries } from './resources/webhooks/queries.ts'
import { isPublicAddress } from './store/addresses.ts'
import { inspectImage } from './store/images.ts'
import type { Listener } from './store/listen.ts'
import { databaseState } from './store/migrate.ts'
import type { NodeLock } from './store/node-lock.ts'
import type { Store } from './store/open.ts'
import { openBlobs } from './store/open-blobs.ts'
import { anyAddress, createOutbound, guarded } from './store/outbound.ts'
import { openWeb } from './web.ts'

/** The parts that are open before `createApp` and stay open until the app is closed. */
export type Foundation = {
  store: Store
  listener: Listener
  nodeLock: NodeLock
  metrics: Metrics
  log: Logger
  /** Left out where this process is alone on its database. */
  node?: OpenNode
  /** False while records that the first start makes are not there yet; the node is not ready before. */
  started?: () => boolean
  /** The media plane, where it is another than the one of the configuration. */
  media?: Media
  /** The threads that read what clients send, where several apps of a process share them. */
  parsing?: Parsing
}

export type App = {
  /** Answers one request without a port, for tests. */
  request(request: HttpRequest): Promise<HttpReply>
  /** Opens the port and starts the workers; resolves with the port. */
  listen(): Promise<number>
  readonly media: Media
  /** A context outside a request: the CLI, the demo, workers. */
  systemContext(organizationId: number, name: string, requestId?: string): Context
  /** Stop accepting, finish accepted requests, close sockets with 1012, stop the workers. Each step has its time. */
  close(): Promise<void>
  /** No client waits for an answer any more: the rest of `close` may be cut off. */
  isAnswered(): boolean
}

/** Every answer has its own deadline, which is shorter. */
const ANSWERED_WITHIN_MS = 2_500
/** Answers still left then have clients that read slowly. */
const DRAINED_WITHIN_MS = 500
const SAVED_WITHIN_MS = 2_000
/** Its processes are told at once; one that outlives this is ended by the next start. */
const MEDIA_WITHIN_MS = 4_000

/** The only place where the parts meet. route -> command -> actor -> journal -> publish */
export async function createApp(config: Config, foundation: Foundation): Promise<App> {
  const { store, listener, nodeLock, metrics, log, started, node } = foundation
  const { db, url } = store
  const { sql } = db
  let port = config.port
  let draining = false
  let answered = true
  const stopping = new AbortController()
  const publicUrl = () => config.publicUrl ?? `http://localhost:${port}`
  let workers: Workers | undefined
  const outboxFilled = () => workers?.drainSoon()
  // the server is made last, since it needs everybody; nobody publishes before it listens
  let publish: Publish = () => {}

  const blobs = openBlobs(config)
  const live = await openLive(config, {
    store,
    listener,
    blobs,
    metrics,
    log,
    media: foundation.media,
    parsing: foundation.parsing,
    port: () => port,
    publicUrl,
    isDraining: () => draining,
    publish: (topic, text) => publish(topic, text),
    outboxFilled,
    node,
  })
  const { host, hub, media, systemContext } = live
  const probe = node && createProbe({ id: node.id, blobs, nodes: () => node.nodes(), log })
  const imports = createImporting({ sql, blobs, pictureOf: inspectImage, systemContext, parsing: live.unpacking })
  const metricsText = metricsReply(metrics)
  const {
    request,
    server,
    close: closeWeb,
  } = await openWeb(config, {
    db,
    url,
    blobs,
    live,
    readiness: {
      database: () => databaseState(sql),
      listening: listener.isUp,
      owner: () => (node ? node.ownership.isLive && !node.ownership.isCutOff : nodeLock.isHeld()),
      accepting: () => !draining && (started?.() ?? true),
      quarantined: () => host.quarantined(),
      unsettled: () => host.unsettled(),
      media: () => media.problems(),
      ...(probe && { unreadFilesOf: probe.unread }),
    },
    metrics,
    metricsText,
    publicUrl,
    outboxFilled,
    node,
    log,
  })
  publish = server.publish
  measure(foundation, live)
  metrics.sample('tally_outbox_age_seconds', () => workers?.outboxAgeSeconds() ?? 0)

  /** A port of their own, when they have one. */
  let metricsServer: MetricsServer | undefined
  const openMetrics = async () => {
    const { port: own, token } = config.metrics
    if (own !== undefined) metricsServer = await listenForMetrics({ host: config.host, port: own, token }, metricsText)
  }

  const permitsObs = (address: string) => isPublicAddress(address) || isLocalNetwork(address)

  const beginWork = () => {
    const { sweep } = blobs
    const streams = createStreamReactions({ sql, systemContext })
    const announced = (organizationId: number, ref: string) => {
      live.liveData.changed(ref, organizationId)
      // of several nodes the one with the screens hears of it in its own time
      if (!node) live.liveData.readAhead(ref)
    }
    return startWorkers({
      queue: config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl: url },
      sql,
      log,
      retention: config.retention,
      actors: {
        ...(node && { owns: node.ownership.owns }),
        fire: (ref, name) => (node ? fireAtOwner(node, host, ref, name) : host.fire(ref, name)),
        react: createReactions({ sql, actors: host, systemContext, announced, streams, plans: live.planner }),
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
        imports,
        webhooks: live.webhooks,
        refreshObs: createObsRefresh({
          sql,
          secrets: db.secrets,
          guard: guarded({ permits: config.outboundPrivate ? anyAddress : permitsObs, allowed: ALLOWED }),
          log,
        }),
      },
    })
  }

  /** Plans of overlays that live here now look at what happened while nobody did. */
  const settlePlans = (came: (ref: string) => boolean) => {
    live.planner
      .settle((overlayId) => came(`overlay/${overlayId}`))
      .catch((error) => log.warn({ err: error }, 'game plans could not look after a start'))
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
      // while nobody waits for commands of this node
      live.parsing.warm()
      await probe?.write()
      await node?.join({
        letGo: (gone, withinMs) => host.letGo(gone, withinMs),
        prepare: live.warmUp,
        counts: () => ({ actors: host.awake, renderers: hub.count().renderers, followers: hub.count().followers }),
        moved: () => media.changed('everything/0'),
        taken: settlePlans,
      })
      probe?.start()
      void media.start()
      workers = beginWork()
      if (!node) settlePlans(() => true)
      return port
    },
    systemContext,
    async close() {
      draining = true
      stopping.abort()
      probe?.close()
      // while this node still answers, and sends on what is no longer its own
      const hasOthers = node?.hasOthers() ?? false
      server.sayGoodbye()
      await node?.leave()
      if (hasOthers && config.drainMs > 0) {
        // renderers and pages come back at another node; requests come here until the balancer has looked at /readyz often enough
        server.endSockets()
        await pause(config.drainMs)
      }
      server.stopAccepting()
      metricsServer?.close()
      // its processes end while the answers go out; one that is left behind is seen by the next start
      const mediaClosed = Promise.race([media.close(), pause(MEDIA_WITHIN_MS, undefined, { ref: false })])
      // first: accepted requests may only now be on their way to the actors
      await server.answered(ANSWERED_WITHIN_MS)
      await host.close()
      hub.close()
      live.desks.close()
      await server.close(DRAINED_WITHIN_MS)
      answered = true
      const saved = Promise.all([workers?.close(), live.saved()])
      // jobs that a silent database keeps from ending are in its rows, or were never promised
      const savedInTime = Promise.race([saved, pause(SAVED_WITHIN_MS, undefined, { ref: false })])
      await Promise.all([savedInTime, mediaClosed, live.closeJournal(), closeWeb()])
    },
    isAnswered: () => answered,
  }
}

/** The figures that are read at each scrape. */
function measure({ store, listener, metrics, node }: Foundation, { host, hub, media, repaired }: Live): void {
  const { sql } = store.db
  metrics.sample('tally_actors_awake', () => host.awake)
  metrics.sample('tally_actors_quarantined', () => host.quarantined().length)
  metrics.sample('tally_actors_unsettled', () => host.unsettled().length)
  metrics.sample('tally_renderers', () => hub.count().renderers)
  metrics.sample('tally_followers', () => hub.count().followers)
  metrics.sample('tally_database_up', () => (listener.isUp() ? 1 : 0))
  metrics.sample('tally_providers_failing', () => failingConnections(sql))
  metrics.sample('tally_provider_success_age_seconds', () => oldestSuccessSeconds(sql))
  metrics.sample('tally_webhook_deliveries_pending', () => pendingDeliveries(sql))
  metrics.sample('tally_webhooks_failing', () => failingWebhooks(sql))
  measureMedia(metrics, media, () => countStreamStates(sql))
  measureRetention(metrics, sql)
  if (node) measureNode(metrics, node, repaired)
}
