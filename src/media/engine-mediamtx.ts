import { randomBytes } from 'node:crypto'
import { Admission, inputIdOf, inputPath, keyStart, PUBLIC_APPLICATION, tokenOf } from './ingest/admission.ts'
import { type MediamtxPath, mediamtxApi } from './mediamtx/api.ts'
import type { EngineEvent, MediaEngine, Pull, StartPull } from './ports.ts'
import type { MediaLog } from './process.ts'

export type MediamtxOptions = {
  /** The name under which senders reach it. */
  host: string
  /** Of its control API; its RTMP is on the same host. */
  apiUrl: string
  rtmpPort: number
  srtPort: number
  /** Copies a path to another one. It is not told where it may connect to: both are on that server. */
  startPull: StartPull
  /** From which tokens are made that hold on every node, which it may ask any of; left out: only here, until it is closed. */
  tokenSecret?: string
  /** Whether this node minds the sessions of an input; others let its key in as well. */
  minds?: (inputId: number) => boolean
  log: MediaLog
}

/** The question of MediaMTX before it lets a client publish or read. spec: authHTTPAddress of MediaMTX */
export type AccessRequest = {
  action: string
  path: string
  protocol: string
  password: string
  ip: string
  /** Of the connection. */
  id: string | null
}

export interface MediamtxEngine extends MediaEngine {
  /** Answers its question whether somebody may publish or read. */
  permits(request: AccessRequest): boolean
}

const POLL_MS = 500
const MAX_SESSIONS = 1_000
const PROTOCOLS: Readonly<Record<string, 'rtmp' | 'srt'>> = { rtmpConn: 'rtmp', rtmpsConn: 'rtmp', srtConn: 'srt' }

const nameOf = (path: string) => `${PUBLIC_APPLICATION}/${path}`
const pathOf = (name: string) => name.replace(`${PUBLIC_APPLICATION}/`, '')
/** Where the readers of a token find their video. */
const readerPath = (token: string) => `out-${token}`
const isOnline = ({ online, ready, source }: MediamtxPath) => (online ?? ready ?? false) && source !== null

/**
 * RTMP and SRT by a MediaMTX server. It asks this one whether a client may publish or read; its connections are seen by asking it
 * twice a second. It keeps no place for a sender whose connection broke: a path is up or down. The key of an input is the password of
 * its path, so that paths outlive a rotation and no key stands in a log.
 */
export function createMediamtxEngine(options: MediamtxOptions): MediamtxEngine {
  const { host, apiUrl, rtmpPort, srtPort, startPull, log } = options
  const api = mediamtxApi(apiUrl)
  const { tokenSecret, minds = () => true } = options
  const secret = tokenSecret ?? randomBytes(32).toString('base64url')
  const admission = new Admission(secret)
  const listeners: ((event: EngineEvent) => void)[] = []
  /** The copies that readers read, by token. */
  const served = new Map<string, Pull>()
  const readers = new Map<string, number>()
  /** The client of each connection, as told when it was let in. */
  const sessions = new Map<string, { ip: string; own: boolean; password: string }>()
  let up = new Map<string, string>()
  let trouble: string | undefined
  let polling: NodeJS.Timeout | undefined
  let copies = 0

  const tell = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }

  const kick = (path: string, source: { type: string; id: string }) =>
    api.kick(source).catch(() => log.warn({ path }, 'a session could not be ended'))

  /** The session was let in with a key that is not the one of the input any more. */
  const isOutdated = (path: string, session: string) => {
    const inputId = inputIdOf(path)
    const known = sessions.get(session)
    return inputId !== null && known !== undefined && !known.own && !admission.byId(inputId, known.password)
  }

  const see = (paths: readonly MediamtxPath[]) => {
    const now = new Map<string, string>()
    readers.clear()
    for (const seen of paths) {
      const path = pathOf(seen.name)
      readers.set(path, seen.readers.length)
      if (!isOnline(seen) || !seen.source) continue
      if (isOutdated(path, seen.source.id)) void kick(path, seen.source)
      else now.set(path, seen.source.id)
    }
    for (const [path, session] of up)
      if (now.get(path) !== session) tell({ type: 'down', path, inputId: inputIdOf(path), session })
    for (const { name, source } of paths) {
      const path = pathOf(name)
      const session = now.get(path)
      if (session === undefined || up.get(path) === session) continue
      const inputId = inputIdOf(path)
      const { ip = '', own = false } = sessions.get(session) ?? {}
      const protocol = own && inputId !== null ? 'pull' : (PROTOCOLS[source?.type ?? ''] ?? 'rtmp')
      tell({ type: 'up', path, inputId, session, protocol, ip })
    }
    up = now
  }

  const poll = async () => {
    try {
      const paths = await api.paths()
      if (trouble !== undefined) {
        trouble = undefined
        tell({ type: 'back' })
      }
      see(paths)
    } catch (error) {
      if (trouble === undefined) {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'MediaMTX does not answer')
        tell({ type: 'lost', error: 'MediaMTX does not answer' })
      }
      trouble = 'The media server (MediaMTX) does not answer'
      up = new Map()
      readers.clear()
    }
  }
  const pollAgain = () => {
    polling = setTimeout(async () => {
      await poll()
      if (polling) pollAgain()
    }, POLL_MS)
    polling.unref()
  }

  /** Cuts off the publisher of a path; when MediaMTX does not answer, the next look does it. */
  const drop = async (path: string) => {
    const found = await api.path(nameOf(path)).catch(() => undefined)
    if (found?.source) await kick(path, found.source)
  }

  const own = (action: 'read' | 'publish', path: string) => {
    const { hostname } = new URL(apiUrl)
    return `rtmp://${hostname}:${rtmpPort}/${nameOf(path)}?pass=${tokenOf(secret, action, path)}`
  }

  const isAllowed = ({ action, path: name, protocol, password }: AccessRequest): 'own' | 'other' | undefined => {
    if (!name.startsWith(`${PUBLIC_APPLICATION}/`)) return undefined
    const path = pathOf(name)
    if (action !== 'publish' && action !== 'read') return undefined
    if (admission.isToken(action, path, password)) return 'own'
    const inputId = inputIdOf(path)
    if (action === 'publish') return inputId !== null && admission.byId(inputId, password) ? 'other' : undefined
    const token = /^out-(.+)$/.exec(path)?.[1]
    // another node may serve it
    const isServed = token !== undefined && (served.has(token) || (tokenSecret !== undefined && up.has(path)))
    return protocol === 'srt' && isServed ? 'other' : undefined
  }

  return {
    shared: true,
    async start() {
      const version = await api.version().catch(() => {
        throw new Error('MEDIAMTX_URL: the media server (MediaMTX) does not answer')
      })
      log.info({ version }, 'MediaMTX found')
      await poll()
      pollAgain()
    },
    problems: () => (trouble === undefined ? [] : [trouble]),
    permits(request) {
      const { id, ip, protocol, password, path, action } = request
      const allowed = isAllowed(request)
      if (allowed && id !== null) {
        sessions.set(id, { ip, own: allowed === 'own', password })
        for (const oldest of sessions.keys()) if (sessions.size > MAX_SESSIONS) sessions.delete(oldest)
      }
      if (!allowed && (protocol === 'rtmp' || protocol === 'srt')) {
        const reason = action === 'publish' ? 'The stream key is not known here.' : 'There is nothing to read here.'
        tell({ type: 'refused', protocol, ip, keyStart: keyStart(password || pathOf(path)), reason })
      }
      return allowed !== undefined
    },
    address({ inputId, streamKey }) {
      const path = inputPath(inputId)
      return {
        host,
        applicationName: PUBLIC_APPLICATION,
        streamKey: `${path}?pass=${streamKey}`,
        rtmpUrl: `rtmp://${host}:${rtmpPort}/${PUBLIC_APPLICATION}`,
        srtUrl: `srt://${host}:${srtPort}?streamid=publish:${nameOf(path)}:input:${streamKey}`,
      }
    },
    async allow(input) {
      const before = admission.allow(input)
      if (before && before.streamKey !== input.streamKey && minds(input.inputId)) await drop(inputPath(input.inputId))
    },
    async revoke(inputId) {
      if (admission.revoke(inputId) && minds(inputId)) await drop(inputPath(inputId))
    },
    inputPath,
    readUrl: (path) => own('read', path),
    publishUrl: (path) => own('publish', path),
    async stats(path) {
      const found = await api.path(nameOf(path))
      if (!found || !isOnline(found)) return null
      return { bytesIn: found.inboundBytes ?? found.bytesReceived ?? 0, clients: found.readers.length }
    },
    async serve({ token, readUrl, latencyMs, lease }) {
      await served.get(token)?.stop()
      const publishUrl = own('publish', readerPath(token))
      const copy = startPull(
        { inputId: ++copies, sourceUrl: readUrl, latencyMs, publishUrl, ...(lease !== undefined && { lease }) },
        ({ error }) => log.info({ error }, 'a path could not be copied for its readers'),
      )
      served.set(token, copy)
    },
    async unserve(token) {
      const copy = served.get(token)
      served.delete(token)
      // its readers end with it
      await copy?.stop()
    },
    readers: (token) => readers.get(readerPath(token)) ?? 0,
    readerUrl: (token) => `srt://${host}:${srtPort}?streamid=read:${nameOf(readerPath(token))}`,
    listen: (listener) => void listeners.push(listener),
    async close() {
      clearTimeout(polling)
      polling = undefined
      await Promise.all([...served.values()].map((copy) => copy.stop()))
    },
  }
}
