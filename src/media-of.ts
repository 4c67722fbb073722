import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ActorHost } from './actors/host.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { ingestAccessPage } from './http/ingest-access-page.ts'
import { livePages } from './http/live-pages.ts'
import type { Page } from './http/message.ts'
import { findCapabilities } from './media/capabilities.ts'
import { createEmbeddedEngine } from './media/engine-embedded.ts'
import { createMediamtxEngine, type MediamtxEngine } from './media/engine-mediamtx.ts'
import { openGuardedProxy } from './media/guarded-proxy.ts'
import { createHlsShelf } from './media/hls-shelf.ts'
import { mediaOff } from './media/off.ts'
import { openMedia } from './media/open.ts'
import type { Media } from './media/ports.ts'
import { programs } from './media/program.ts'
import { createPulls } from './media/pull.ts'
import { startRelay } from './media/relay.ts'
import { watchSockets } from './media/socket-stalls.ts'
import { observe } from './resources/streams/observe.commands.ts'
import { createWishes } from './resources/streams/wishes.queries.ts'
import { isPublicAddress } from './store/addresses.ts'
import { anyAddress } from './store/outbound.ts'
import type { Database } from './store/postgres.ts'

export type MediaSeams = {
  db: Pick<Database, 'sql' | 'secrets'>
  actors: ActorHost
  systemContext(organizationId: number, name: string): Context
  /** The port that this server listens on. */
  port(): number
  /** Without a trailing slash. */
  publicUrl(): string
  log: Logger
}

/** The media plane that the configuration asks for, with the pages that its HLS destinations are. Nothing of it runs yet. */
export function mediaOf(
  config: Config,
  { db, actors, systemContext, port, publicUrl, log }: MediaSeams,
): { media: Media; pages: readonly Page[] } {
  const { dataDir, host: bind, media } = config
  const permits = config.outboundPrivate ? anyAddress : isPublicAddress
  const host = () => new URL(publicUrl()).hostname
  if (media.engine === 'off') return { media: mediaOff(host(), permits), pages: [] }
  const pidFolder = join(dataDir, 'media', 'pids')
  const stalls = watchSockets()
  const shelf = createHlsShelf(join(dataDir, 'media', 'hls'))
  let proxy: Promise<string> | undefined
  const proxyForPages = () => {
    proxy ??= openGuardedProxy(permits)
    return proxy
  }
  let mediamtx: MediamtxEngine | undefined
  const opened = openMedia({
    pidFolder,
    findCapabilities: () =>
      findCapabilities({
        ffmpegPath: media.ffmpegPath,
        browserPath: media.chromiumPath,
        sandbox: media.burnInSandbox,
      }),
    engine({ capabilities, processes }) {
      if (!media.mediamtx)
        return createEmbeddedEngine({ host: host(), bind, ...media, capabilities, processes, pidFolder, log })
      mediamtx = createMediamtxEngine({
        host: host(),
        apiUrl: media.mediamtx.url,
        rtmpPort: media.rtmpPort ?? 1935,
        srtPort: media.srtPort ?? 8890,
        startPull: createPulls({ capabilities, processes, permits: anyAddress }),
        log,
      })
      return mediamtx
    },
    relays:
      ({ capabilities, ...ground }, engine) =>
      (spec, listener) => {
        const ffmpeg = capabilities.ffmpeg?.path ?? 'ffmpeg'
        return startRelay(spec, listener, { ...ground, ffmpeg, engine, permits, stalls, shelf })
      },
    pulls: ({ capabilities, processes }) => createPulls({ capabilities, processes, permits }),
    programs: ({ capabilities: { ffmpeg, browser }, processes }) =>
      programs(processes, async () => ({
        ffmpeg: ffmpeg?.path ?? 'ffmpeg',
        browser: browser ?? 'chromium',
        sandbox: media.burnInSandbox,
        pidFolder,
        proxyUrl: await proxyForPages(),
        direct: [ownUrl(bind, port()), publicUrl()].map(hostAndPort),
      })),
    wishes: createWishes({
      ...db,
      actors,
      pageUrl: (key) => `${ownUrl(bind, port())}/overlay/${key}?renderer=burned-in`,
    }),
    observe: (observation) => observe(systemContext(observation.organizationId, 'media'), observation),
    permits,
    publicUrl,
    log,
  })
  const access = media.mediamtx
    ? [ingestAccessPage(media.mediamtx.secret, (question) => mediamtx?.permits(question) ?? false)]
    : []
  return { media: opened, pages: [...livePages(shelf), ...access] }
}

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

/** How a browser on this machine reaches this server. */
function ownUrl(bind: string, port: number): string {
  const address = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '[::1]' : bind.includes(':') ? `[${bind}]` : bind
  return `http://${address}:${port}`
}
