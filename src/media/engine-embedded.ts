import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inputPath, OWN_APPLICATION, PUBLIC_APPLICATION, tokenOf } from './ingest/admission.ts'
import type { Calls, FromChild, IngestPorts } from './ingest/messages.ts'
import type { Capabilities, EngineEvent, MediaEngine, PushInput } from './ports.ts'

export type EmbeddedOptions = {
  /** The name under which senders reach this machine. */
  host: string
  /** The address to listen on. */
  bind: string
  /** Undefined: the usual one, or a free one when that is taken. 0: a free one. */
  rtmpPort: number | undefined
  srtPort: number | undefined
  capabilities: Capabilities
  /** How long the place of a sender is kept whose connection broke. */
  graceMs?: number
}

const GRACE_MS = 15_000
const ANSWERED_WITHIN_MS = 5_000
const RESTART_MS = [250, 500, 1_000, 2_000, 5_000] as const
/** A child that lived so long was no failed start. */
const STEADY_MS = 30_000
const KILLED_AFTER_MS = 2_000

// a test runs the sources, but a process needs what was built
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/media/ingest/child.js' : './ingest/child.js',
  import.meta.url,
)

/** The child answers each call with the type of that call, which its messages cannot show. */
const answerOf = <K extends keyof Calls>(value: unknown) => value as Calls[K]['answer']

/** RTMP and SRT in a process of our own, started again when it ends; who is allowed is kept here and told to it again. */
export function createEmbeddedEngine(options: EmbeddedOptions): MediaEngine {
  const { host, bind, capabilities, graceMs = GRACE_MS } = options
  const secret = randomBytes(32).toString('base64url')
  const allowed = new Map<number, PushInput>()
  const listeners: ((event: EngineEvent) => void)[] = []
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let ports: IngestPorts | undefined
  let child: ChildProcess | undefined
  let lastId = 0
  let failures = 0
  /** It runs and knows who is allowed. */
  let ready = false
  let closing = false
  let trouble: string | undefined

  const tell = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }

  const call = <K extends keyof Calls>(name: K, parameters: Calls[K]['with']): Promise<Calls[K]['answer']> =>
    new Promise((resolve, reject) => {
      const to = child
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
    if ('event' in message) tell(message.event)
    else if ('error' in message) done(message.answer)?.reject(new Error(message.error))
    else done(message.answer)?.resolve(message.value)
  }

  const launch = async (): Promise<IngestPorts> => {
    const started = fork(MODULE, [], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [], env: {} })
    const since = Date.now()
    let lastLine = ''
    child = started
    started.stderr?.on('data', (chunk: Buffer) => {
      lastLine = chunk.toString().trim().split('\n').at(-1) ?? ''
    })
    started.on('message', heard)
    started.on('error', (error) => {
      lastLine = error.message
    })
    started.once('exit', (code, signal) => {
      if (child !== started) return
      child = undefined
      const wasReady = ready
      ready = false
      const error = `the ingest ended (${signal ?? code})${lastLine && `: ${lastLine}`}`
      for (const id of [...waiting.keys()]) done(id)?.reject(new Error(error))
      if (closing || !ports) return
      trouble = error
      if (Date.now() - since > STEADY_MS) failures = 0
      if (wasReady) tell({ type: 'lost', error })
      void relaunch()
    })
    return await call('start', {
      bind,
      rtmpPort: ports?.rtmpPort ?? options.rtmpPort ?? null,
      srtPort: ports?.srtPort ?? options.srtPort ?? null,
      secret,
      graceMs,
      ffmpegPath: capabilities.protocols.has('srt') ? (capabilities.ffmpeg?.path ?? null) : null,
    })
  }

  const relaunch = async () => {
    await pause(RESTART_MS[Math.min(failures++, RESTART_MS.length - 1)], undefined, { ref: false })
    if (closing) return
    try {
      ports = await launch()
      ready = true
      await Promise.all([...allowed.values()].map((input) => call('allow', input)))
      trouble = undefined
      tell({ type: 'back' })
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error)
      // its exit starts the next try
      if (child) child.kill('SIGKILL')
    }
  }

  const own = (action: 'read' | 'publish', path: string) => {
    const address = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '[::1]' : bind.includes(':') ? `[${bind}]` : bind
    return `rtmp://${address}:${ports?.rtmpPort}/${OWN_APPLICATION}/${path}?t=${tokenOf(secret, action, path)}`
  }

  return {
    async start() {
      try {
        ports = await launch()
        ready = true
      } catch (error) {
        child?.kill('SIGKILL')
        throw new Error(`RTMP_PORT, SRT_PORT: ${error instanceof Error ? error.message : error}`)
      }
    },
    problems: () => [...(trouble ? [trouble] : []), ...(ports?.problems ?? [])],
    address({ inputId, streamKey }) {
      const rtmp = ports ? `rtmp://${host}:${ports.rtmpPort}/${PUBLIC_APPLICATION}` : ''
      const srt = ports?.srtPort ? `srt://${host}:${ports.srtPort}?streamid=publish:${inputId}:${streamKey}` : ''
      return { host, applicationName: PUBLIC_APPLICATION, streamKey, rtmpUrl: rtmp, srtUrl: srt }
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
    listen: (listener) => void listeners.push(listener),
    async close() {
      closing = true
      const ending = child
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()))
      ending.disconnect()
      const forced = setTimeout(() => ending.kill('SIGKILL'), KILLED_AFTER_MS)
      await ended
      clearTimeout(forced)
    },
  }
}
