import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inputPath, ownUrl, PUBLIC_APPLICATION } from './ingest/admission.ts'
import type { Calls, FromChild, IngestPorts } from './ingest/messages.ts'
import type { Capabilities, EngineEvent, MediaEngine, PushInput, SrtReader } from './ports.ts'
import type { Child, MediaLog, Processes } from './process.ts'

export type EmbeddedOptions = {
  /** The name under which senders reach this machine. */
  host: string
  /** The address to listen on. */
  bind: string
  /** Undefined: the usual one, or a free one when that is taken. 0: a free one. */
  rtmpPort: number | undefined
  srtPort: number | undefined
  capabilities: Capabilities
  processes: Processes
  /** Where the ingest remembers its own children. */
  pidFolder: string
  log: MediaLog
  /** How long the place of a sender is kept after its connection broke. */
  graceMs?: number
  /** A process that says nothing for so long, though asked every second, is ended and started again. */
  hungAfterMs?: number
}

const GRACE_MS = 15_000
const ANSWERED_WITHIN_MS = 5_000
const ASKED_EACH_MS = 1_000
const HUNG_AFTER_MS = 15_000
/** Between starts that failed. One that had worked is started again at once, though no more often than this. */
const RESTART_MS = [250, 500, 1_000, 2_000, 5_000] as const
const STARTED_EACH_MS = 500

// a test runs the sources, but a process needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/media/ingest/child.js' : './ingest/child.js',
  import.meta.url,
)

/** The child answers each call with the type of that call, which its messages cannot show. */
const answerOf = <K extends keyof Calls>(value: unknown) => value as Calls[K]['answer']

/** RTMP and SRT in a process of our own, started again when it ends; the allowed keys are kept here and told to it again. */
export function createEmbeddedEngine(options: EmbeddedOptions): MediaEngine {
  const { host, bind, capabilities, processes, pidFolder, log, graceMs = GRACE_MS } = options
  const { hungAfterMs = HUNG_AFTER_MS } = options
  const secret = randomBytes(32).toString('base64url')
  const allowed = new Map<number, PushInput>()
  const served = new Map<string, SrtReader>()
  const readers = new Map<string, number>()
  const listeners: ((event: EngineEvent) => void)[] = []
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let ports: IngestPorts | undefined
  let child: Child | undefined
  let lastId = 0
  let failures = 0
  /** The process runs and knows the allowed keys. */
  let ready = false
  let closing = false
  let trouble: string | undefined
  let unanswered = 0
  let asking: NodeJS.Timeout | undefined

  const tell = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }

  const call = <K extends keyof Calls>(name: K, parameters: Calls[K]['with']): Promise<Calls[K]['answer']> =>
    new Promise((resolve, reject) => {
      const to = child?.process
      if (!to?.connected) return reject(new Error('the ingest is not running'))
      const id = ++lastId
      const timer = setTimeout(() => done(id)?.reject(new Error('the ingest does not answer')), ANSWERED_WITHIN_MS)
      waiting.set(id, {
        resolve: (value) => {
          clearTimeout(timer)
          resolve(answerOf<K>(value))
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      })
      to.send({ id, call: name, with: parameters })
    })

  const done = (id: number) => {
    const waiter = waiting.get(id)
    waiting.delete(id)
    return waiter
  }

  const heard = (message: FromChild) => {
    unanswered = 0
    if ('event' in message) tell(message.event)
    else if ('readers' in message) readers.set(message.readers, message.count)
    else if ('log' in message) log[message.log](message.fields, message.message)
    else if ('error' in message) done(message.answer)?.reject(new Error(message.error))
    else done(message.answer)?.resolve(message.value)
  }

  const launch = async (): Promise<IngestPorts> => {
    const since = performance.now()
    const args = [fileURLToPath(MODULE)]
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const
    const started = processes.start({ kind: 'ingest', of: 'engine', command: process.execPath, args, stdio })
    child = started
    started.process.on('message', heard)
    void started.ended.then(({ error }) => {
      if (child === started) gone(error, performance.now() - since)
    })
    return await call('start', {
      bind,
      rtmpPort: ports?.rtmpPort ?? options.rtmpPort ?? null,
      srtPort: ports?.srtPort ?? options.srtPort ?? null,
      secret,
      graceMs,
      ffmpegPath: capabilities.protocols.has('srt') ? (capabilities.ffmpeg?.path ?? null) : null,
      pidFolder,
      allowed: [...allowed.values()],
      served: [...served.values()],
    })
  }

  // counted, not timed: while the machine sleeps nobody hangs
  const ask = () => {
    if (!ready) return
    if (++unanswered * ASKED_EACH_MS > hungAfterMs) {
      unanswered = 0
      log.warn({ pid: child?.pid }, 'the ingest hangs')
      void child?.stop()
    }
    call('stats', '').catch(() => {})
  }

  const gone = (error: string, livedMs: number) => {
    const wasReady = ready
    child = undefined
    ready = false
    readers.clear()
    for (const id of [...waiting.keys()]) done(id)?.reject(new Error(`the ingest ended: ${error}`))
    if (closing || !ports) return
    trouble = `The ingest ended and is started again: ${error}`
    if (wasReady) tell({ type: 'lost', error })
    // a wait that grew with each end would let one packet a second keep every sender out
    void relaunch(
      wasReady ? Math.max(0, STARTED_EACH_MS - livedMs) : RESTART_MS[Math.min(failures++, RESTART_MS.length - 1)],
    )
  }

  const relaunch = async (afterMs: number | undefined) => {
    await pause(afterMs, undefined, { ref: false })
    if (closing) return
    try {
      ports = await launch()
      ready = true
      failures = 0
      // again, for inputs that came while it started
      await Promise.all([...allowed.values()].map((input) => call('allow', input)))
      await Promise.all([...served.values()].map((reader) => call('serve', reader)))
      trouble = undefined
      tell({ type: 'back' })
    } catch (error) {
      trouble = `The ingest cannot be started again: ${error instanceof Error ? error.message : error}`
      // its end starts the next try
      await child?.stop()
    }
  }

  const own = (action: 'read' | 'publish', path: string) =>
    ownUrl({ bind, port: ports?.rtmpPort ?? 0, secret }, action, path)
  const srt = (streamId: string) => (ports?.srtPort ? `srt://${host}:${ports.srtPort}?streamid=${streamId}` : '')

  return {
    async start() {
      try {
        ports = await launch()
        ready = true
        asking = setInterval(ask, ASKED_EACH_MS)
        asking.unref()
      } catch (error) {
        await child?.stop()
        throw new Error(`RTMP_PORT, SRT_PORT: ${error instanceof Error ? error.message : error}`)
      }
    },
    problems: () => (trouble ? [trouble] : []),
    address({ inputId, streamKey }) {
      const rtmpUrl = ports ? `rtmp://${host}:${ports.rtmpPort}/${PUBLIC_APPLICATION}` : ''
      const srtUrl = srt(`publish:${inputId}:${streamKey}`)
      return { host, applicationName: PUBLIC_APPLICATION, streamKey, rtmpUrl, srtUrl }
    },
    async allow(input) {
      allowed.set(input.inputId, input)
      // a child that is not there is told when it is
      if (ready) await call('allow', input)
    },
    async revoke(inputId) {
      allowed.delete(inputId)
      if (ready) await call('revoke', inputId)
    },
    inputPath,
    readUrl: (path) => own('read', path),
    publishUrl: (path) => own('publish', path),
    stats: async (path) => (ready ? call('stats', path) : null),
    async serve(reader) {
      served.set(reader.token, reader)
      if (ready) await call('serve', reader)
    },
    async unserve(token) {
      served.delete(token)
      readers.delete(token)
      if (ready) await call('unserve', token)
    },
    readers: (token) => readers.get(token) ?? 0,
    readerUrl: (token) => srt(`read:${token}`),
    listen: (listener) => void listeners.push(listener),
    async close() {
      closing = true
      clearInterval(asking)
      await child?.stop()
    },
  }
}
