import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { findCapabilities } from './capabilities.ts'
import type { Wishes } from './director.ts'
import { createEmbeddedEngine } from './engine-embedded.ts'
import { createMediamtxEngine, type MediamtxEngine } from './engine-mediamtx.ts'
import { openGuardedProxy } from './guarded-proxy.ts'
import { createHlsShelf, type HlsShelf } from './hls-shelf.ts'
import { mediaOff } from './off.ts'
import { openMedia } from './open.ts'
import { nodeAddress, ownMediaFolder } from './own-folder.ts'
import type { Capabilities, IngestAddress, Media, MediaLeases, Observation, PushInput } from './ports.ts'
import { programs } from './program.ts'
import { createPulls } from './pull.ts'
import { startRelay } from './relay.ts'
import { inputLease } from './share.ts'
import { watchSockets } from './socket-stalls.ts'

export type MediaSeams = {
  /** The wishes of the streams, whose burned-in graphics are the page at `pageUrl(key)`. */
  wishes(pageUrl: (key: string) => string): Wishes
  observe(observation: Observation): Promise<void>
  /** What this node owns; left out where this process is alone. */
  leases?: MediaLeases | undefined
  /** Where an input takes video, on whichever node. */
  address?: ((input: PushInput) => IngestAddress) | undefined
  /** Where streams that people name may go to and come from. */
  permits(address: string): boolean
  /** The port that this server listens on. */
  port(): number
  /** Without a trailing slash. */
  publicUrl(): string
  log: Logger
}

/** The media plane, and the pages that a server answers for it. */
export type OpenedMedia = {
  media: Media
  /** The files of its HLS destinations; undefined: there is no media plane. */
  shelf?: HlsShelf
  /** Answers an ingest server beside this one, where there is one. */
  ingest?: { secret: string; permits: MediamtxEngine['permits'] }
}

/** The media plane that the configuration asks for. Nothing of it runs yet. */
export function mediaOf(
  config: Config,
  { wishes, observe, leases, address, permits, port, publicUrl, log }: MediaSeams,
): OpenedMedia {
  const { host: bind, media } = config
  const host = () => new URL(publicUrl()).hostname
  // what is reached by the public address may be any node
  const ingestHost = () => (leases ? nodeAddress(config.node).host : host())
  if (media.engine === 'off') return { media: mediaOff(host(), permits) }
  const folder = ownMediaFolder(config)
  const pidFolder = join(folder, 'pids')
  const stalls = watchSockets()
  const shelf = createHlsShelf(join(folder, 'hls'))
  let proxy: Promise<string> | undefined
  const proxyForPages = () => {
    proxy ??= openGuardedProxy(permits)
    return proxy
  }
  const drawingTools = async ({ browser }: Capabilities) => ({
    browser: browser ?? 'chromium',
    sandbox: media.burnInSandbox,
    pidFolder,
    proxyUrl: await proxyForPages(),
    direct: [ownUrl(bind, port()), publicUrl()].map(hostAndPort),
  })
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
        return createEmbeddedEngine({ host: ingestHost(), bind, ...media, capabilities, processes, pidFolder, log })
      mediamtx = createMediamtxEngine({
        host: host(),
        apiUrl: media.mediamtx.url,
        rtmpPort: media.rtmpPort ?? 1935,
        srtPort: media.srtPort ?? 8890,
        startPull: createPulls({ capabilities, processes, permits: () => true }),
        ...(leases && {
          tokenSecret: createHmac('sha256', media.mediamtx.secret).update('tokens of the nodes').digest('base64url'),
          minds: (inputId) => leases.lease(inputLease(inputId)) !== undefined,
        }),
        log,
      })
      return mediamtx
    },
    relays:
      ({ capabilities, keeper, ...ground }, engine) =>
      (spec, listener) => {
        const ffmpeg = capabilities.ffmpeg?.path ?? 'ffmpeg'
        return startRelay(spec, listener, {
          ...{ ...ground, ffmpeg, engine, permits, stalls, shelf },
          openPassage: keeper?.openPassage,
        })
      },
    pulls: ({ capabilities, processes }) => createPulls({ capabilities, processes, permits }),
    programs: ({ capabilities, processes }) =>
      programs(processes, async () => ({
        ffmpeg: capabilities.ffmpeg?.path ?? 'ffmpeg',
        ...(await drawingTools(capabilities)),
      })),
    stillTools: async ({ capabilities }) => ({
      ...(await drawingTools(capabilities)),
      pageUrl: `${ownUrl(bind, port())}/still`,
    }),
    wishes: wishes((key) => `${ownUrl(bind, port())}/overlay/${key}?renderer=burned-in`),
    observe,
    leases,
    address,
    permits,
    publicUrl,
    log,
  })
  if (!media.mediamtx) return { media: opened, shelf }
  return {
    media: opened,
    shelf,
    ingest: { secret: media.mediamtx.secret, permits: (question) => mediamtx?.permits(question) ?? false },
  }
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
