import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { By, Overlay } from '../machines/overlay/model.ts'
import { ActorHost } from './actors/host.ts'
import { createCatalog } from './catalog/catalog.ts'
import type { Config } from './config.ts'
import type { Stills } from './context.ts'
import { createContexts } from './contexts.ts'
import { openFanOut, overlayCommit } from './elsewhere/fan-out.ts'
import { mediaOfAll } from './elsewhere/media.ts'
import { hearNotifications } from './elsewhere/notifications.ts'
import { openPresence } from './elsewhere/presence.ts'
import { answerErrands, answerTimers } from './elsewhere/to-owner.ts'
import { warmUp } from './elsewhere/warm-up.ts'
import { createPlanner } from './game-plan/planner.ts'
import { createLimiter } from './http/rate-limit.ts'
import { mediaOf } from './media/media-of.ts'
import type { Media } from './media/ports.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { JoinedNode } from './nodes/joined.ts'
import { createParsing, type Parsing } from './parsing/pool.ts'
import type { JournalPrincipal } from './principal.ts'
import type { Desks } from './realtime/desks.ts'
import type { Hub } from './realtime/hub.ts'
import { loadFrame } from './realtime/renderers/frames.ts'
import { liveText } from './realtime/renderers/live-text.ts'
import type { Publish } from './realtime/socket.ts'
import { createLiveData } from './resources/matches/live-data.ts'
import { playedErrand } from './resources/overlays/played.ts'
import { dueCommand } from './resources/overlays/schedule.ts'
import { observe } from './resources/streams/observe.commands.ts'
import { createWishes } from './resources/streams/wishes.queries.ts'
import { openSockets } from './sockets.ts'
import { isPublicAddress } from './store/addresses.ts'
import { createApiKeyStore } from './store/api-keys.ts'
import type { Blobs } from './store/blobs.ts'
import { createPostgresJournal } from './store/journal-postgres.ts'
import type { Listener } from './store/listen.ts'
import { matchProjection } from './store/match-projection.ts'
import type { Store } from './store/open.ts'
import { anyAddress } from './store/outbound.ts'
import { connectDatabase } from './store/postgres.ts'
import { createStillShelf } from './store/stills.ts'
import { Deadline } from './waiting/deadline.ts'
import { openWebhooks } from './webhooks/open.ts'

/** The parts that the live core stands on, and those made after it that it calls. */
export type LiveParts = {
  store: Store
  listener: Listener
  blobs: Blobs
  metrics: Metrics
  log: Logger
  /** The media plane, where it is another than the one of the configuration. */
  media: Media | undefined
  /** The threads that read what clients send, where they are not its own. */
  parsing: Parsing | undefined
  /** The port that this server listens on. */
  port(): number
  /** Without a trailing slash. */
  publicUrl(): string
  isDraining(): boolean
  /** Hands a frame to every socket of its topic. */
  publish: Publish
  /** Rows came into the outbox. */
  outboxFilled(): void
  /** Left out where this process is alone on its database. */
  node?: JoinedNode | undefined
}

export type Live = Awaited<ReturnType<typeof openLive>>

/** One archive at a time: somebody waits for it, but nothing on air does. */
const UNPACKING = { threads: 1, jobMs: 10_000, waitMs: 60_000, memoryMb: 256 }

/** The live core: a command goes to its actor, becomes durable in the journal, and only then visible. actor -> journal -> publish */
export async function openLive(config: Config, parts: LiveParts) {
  const { store, listener, metrics, log, publicUrl, node } = parts
  const { db, url } = store
  const { sql } = db

  const journal = createPostgresJournal({
    connect: (pool) => connectDatabase(url, { ...pool, applicationName: 'tally:journal' }).sql,
    sql,
    projections: [matchProjection],
    secrets: db.secrets,
  })
  const permits = config.outboundPrivate ? anyAddress : isPublicAddress
  const webhooks = await openWebhooks({
    ...{ db, listener, log },
    isPrivateAllowed: config.outboundPrivate,
    owns: node && ((ref) => node.ownership.owns(ref)),
    attempted: metrics.webhookAttempt,
  })
  const host = new ActorHost({
    journal,
    idleMs: config.actorIdleMs,
    ...(node && { owns: (ref) => node.ownership.owns(ref) }),
    log,
    publish(ref, seq, events, at, cause, asides, organizationId) {
      webhooks.committed(organizationId, ref, seq)
      if (fanOut) fanOut.committed(ref, seq, events, at, cause, asides, organizationId)
      const overlayId = overlayIdOf(ref)
      if (overlayId !== undefined) {
        if (!fanOut) hub.publish(overlayId, overlayCommit(seq, events, at, cause, asides))
        if (catalog.knownAutomatic(overlayId)) planner.commanded(overlayId, cause)
        return
      }
      changedHere(ref)
      media.changed(ref)
      planner.committed(ref, cause)
    },
    meaning(ref, organizationId, { type, id, lateMs }, state) {
      const overlayId = overlayIdOf(ref)
      if (overlayId === undefined || type !== 'due') return undefined
      const contextOf = (by: By = { type: 'system', name: 'timer' }) =>
        context(organizationId, by as JournalPrincipal, new Set(), randomUUID())
      return dueCommand({ overlayId, id, lateMs }, state as Overlay, contextOf)
    },
    committed({ actors, entries, ms, outboxRows }) {
      metrics.commit(actors, entries, ms)
      if (outboxRows > 0) parts.outboxFilled()
    },
  })
  db.onOutbox(parts.outboxFilled)

  const deadline = new Deadline(1_900, log)
  const within = <T>(work: Promise<T>) => deadline.within(work)
  const parsing = parts.parsing ?? createParsing({ log })
  const unpacking = createParsing({ log, ...UNPACKING })
  const opened = mediaOf(config, {
    wishes: (pageUrl) => createWishes({ ...db, actors: host, pageUrl }),
    observe: (observation) => observe(systemContext(observation.organizationId, 'media'), observation),
    leases: node?.ownership,
    ...(node && { address: (input) => media.address(input) }),
    permits,
    port: parts.port,
    publicUrl,
    log,
  })
  const own = parts.media ?? opened.media
  const media = node ? mediaOfAll(node, own) : own
  const catalog = await createCatalog(sql, listener)
  const liveData = await createLiveData({ sql, catalog, notifications: listener, log, publicUrl })
  /** Other nodes tell of changes from the moment when the bus is up. */
  const later: { hub?: Hub; desks?: Desks } = {}
  const changedHere = (ref: string, organizationId?: number) => {
    liveData.changed(ref, organizationId)
    if (ref.startsWith('match/')) catalog.forget({ match: Number(ref.slice('match/'.length)) })
    later.hub?.followings.recordChanged(ref, organizationId)
    later.desks?.recordChanged(ref, organizationId)
  }
  db.onWritten((organizationId, ref) => {
    changedHere(ref, organizationId)
    // a record that is made together with its actor
    webhooks.committed(organizationId, ref, 0)
    media.changed(ref)
    fanOut?.recordChanged(ref, organizationId)
  })
  const othersHeard = () => {
    const heard = !node || (node.bus.isUp() && listener.isUp())
    liveData.hear(heard)
    catalog.hear(heard)
  }
  if (node) {
    // before the fan-out, which hands on commits as soon as the bus is up
    for (const heard of [node.bus, listener]) {
      heard.onUp(othersHeard)
      heard.onDown(othersHeard)
    }
    othersHeard()
  }
  const fanOut =
    node &&
    (await openFanOut({
      node,
      sql,
      listener,
      log,
      hub: () => hub,
      changed(ref, organizationId) {
        changedHere(ref, organizationId)
        // each node hears it by itself
        own.changed(ref)
      },
      announced(ref, organizationId) {
        liveData.changed(ref, organizationId)
        later.hub?.followings.announced(ref, organizationId)
      },
      missedChanges() {
        othersHeard()
        later.hub?.followings.missed()
        later.desks?.missed()
        own.changed('everything/0')
      },
    }))

  const presence = node && openPresence({ node, log, hub: () => hub })

  const keyStore = await createApiKeyStore({ sql, listener, log })
  const limiter = createLimiter(config.rateLimit, node && { node: node.id, wire: node.bus })
  const { hub, desks, paints, connections } = openSockets({
    ...{ sql, db, host, catalog, liveData, keyStore, limiter, webhooks, metrics, within, publicUrl, node, log },
    channels: fanOut?.channels,
    elsewhere: presence?.elsewhere,
    publish: parts.publish,
    played: (overlayId, graphicId, seq) => void played(overlayId, graphicId, seq),
  })
  later.hub = hub
  later.desks = desks

  const stills: Stills = {
    load: (graphic, sport, data) => loadFrame(graphic, sport, liveText(data), publicUrl()),
    ...createStillShelf(sql, parts.blobs),
  }

  const { context, systemContext } = createContexts({
    ...{ db, host, hub, catalog, liveData, media, stills, parsing, unpacking, publicUrl, node, log },
    blobs: parts.blobs,
  })

  const planner = createPlanner({ sql, systemContext, log })

  const played = async (overlayId: number, graphicId: string, seq: number): Promise<void> => {
    try {
      const overlay = await catalog.overlay(overlayId)
      if (!overlay) return
      const ctx = systemContext(overlay.organizationId, 'renderer')
      await ctx.atOwner(`overlay/${overlayId}`, playedErrand, { overlayId, graphicId, seq })
    } catch (err) {
      // its time takes it off
      log.warn({ overlayId, graphicId, err }, 'a graphic that has played could not be taken off air')
    }
  }

  if (node) {
    answerTimers(node, host)
    answerErrands(node, (organizationId, actor, scopes, requestId, command) =>
      context(organizationId, actor, scopes, requestId, undefined, command),
    )
  }
  // every node hears of them
  await hearNotifications({ ...parts, hub, desks, host, catalog, media: own })

  return {
    host,
    hub,
    desks,
    catalog,
    liveData,
    planner,
    webhooks,
    media,
    opened,
    parsing,
    unpacking,
    keyStore,
    limiter,
    within,
    context,
    systemContext,
    stills,
    /** Commits of other nodes that were not heard of, and found in the database. */
    repaired: () => fanOut?.repaired() ?? 0,
    /** Writes gathered rows and lets go of the database. */
    async saved() {
      fanOut?.close()
      presence?.close()
      await webhooks.close()
      await Promise.all([paints.close(), connections.close(), keyStore.close(), parsing.close(), unpacking.close()])
    },
    /** Opens connections and reads what the first commands of these actors need. */
    warmUp: (mine: (ref: string) => boolean) =>
      warmUp({ sql, open: db.refresh, journal, catalog, live: liveData.live, read: host.read.bind(host) }, mine),
    closeJournal: () => journal.close(),
  }
}

const overlayIdOf = (ref: string): number | undefined =>
  ref.startsWith('overlay/') ? Number(ref.slice('overlay/'.length)) : undefined
