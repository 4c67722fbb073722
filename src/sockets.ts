import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { createAdmission } from './access/follow.ts'
import type { ActorHost } from './actors/host.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Database } from './database.ts'
import type { KeyStore } from './http/auth.ts'
import type { Limiter } from './http/rate-limit.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { JoinedNode } from './nodes/joined.ts'
import { systemClock } from './realtime/clock.ts'
import { Desks } from './realtime/desks.ts'
import { Hub } from './realtime/hub.ts'
import type { Channels, Elsewhere } from './realtime/ports.ts'
import type { Publish } from './realtime/socket.ts'
import { findGamePlanState } from './resources/game-plans/playing.queries.ts'
import { findDesk } from './resources/matches/desk-link.queries.ts'
import { noteOpened } from './resources/matches/desk-link.ts'
import type { LiveDataCache } from './resources/matches/live-data.ts'
import { liveMatch } from './resources/matches/live-match.queries.ts'
import { findButtons } from './resources/overlays/state.queries.ts'
import { recentCommands } from './resources/overlays/undo.queries.ts'
import { findChannelCard } from './store/channel-card.ts'
import { createHistory } from './store/history.ts'
import { createPaints, firstPaints } from './store/paints.ts'
import { createRendererSessions } from './store/renderer-sessions.ts'
import type { Webhooks } from './webhooks/open.ts'

/** The parts of the live core that its sockets ask. */
export type SocketsParts = {
  sql: Sql
  db: Database
  host: ActorHost
  catalog: Catalog
  liveData: Pick<LiveDataCache, 'live'>
  keyStore: KeyStore
  limiter: Limiter
  webhooks: Pick<Webhooks, 'connectionsStored'>
  metrics: Metrics
  /** Rejects when the work takes too long. */
  within<T>(work: Promise<T>): Promise<T>
  /** Without a trailing slash. */
  publicUrl(): string
  /** Hands a frame to every socket of its topic. */
  publish: Publish
  /** A graphic of an overlay has played to its end. */
  played(overlayId: number, graphicId: string, seq: number): void
  /** What other nodes hear of overlays and renderers here; left out where this process is alone on its database. */
  channels?: Channels | undefined
  elsewhere?: Elsewhere | undefined
  node?: JoinedNode | undefined
  log: Logger
}

/** The sockets of renderers and followers in the hub and those of match desks, with what they read, and where they write what they report. */
export function openSockets(parts: SocketsParts) {
  const { sql, db, host, catalog, liveData, keyStore, limiter, webhooks, metrics, within, publicUrl, publish } = parts
  const { played, channels, elsewhere, node, log } = parts

  const history = createHistory(sql)
  const paints = createPaints({ sql, log })
  const connections = createRendererSessions({ sql, log, stored: webhooks.connectionsStored })
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
      return overlay instanceof Promise ? within(overlay).then((found) => found?.id) : overlay?.id
    },
    card: (overlayId) => findChannelCard(sql, overlayId),
    read: (overlayId) => host.read('overlay', overlayId),
    live: liveData.live,
    past: history.past,
    commitTimes: history.commitTimes,
    commitsFrom: history.commitsFrom,
    recentCommands: (overlayId, rehearsal) => recentCommands(sql, overlayId, rehearsal),
    firstPaints: (overlayId, graphics) => firstPaints(sql, overlayId, graphics),
    match: (organizationId, matchId) => liveMatch({ organizationId, db }, matchId),
    buttons: (organizationId, roomId) => findButtons(db, organizationId, roomId),
    plan: (overlayId) => findGamePlanState({ db, actors: host }, overlayId),
    admit: createAdmission({ keyStore, limiter, catalog, within }),
    paint: paints.add,
    connections,
    ...(channels && { channels }),
    ...(elsewhere && { elsewhere }),
    ...(node && { isLive: () => node.ownership.isLive }),
    painted: metrics.painted,
    played,
    troubled: metrics.troubled,
  })
  const desks = new Desks({
    clock: systemClock,
    find: (token) => within(findDesk(sql, token)),
    // the next telephone notes it where this one could not
    opened: (matchId) => void noteOpened(sql, matchId).catch((err) => log.debug({ err, matchId }, 'a desk was opened')),
  })

  return { hub, desks, paints, connections }
}
