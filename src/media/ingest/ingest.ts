import type { EngineEvent, PushInput, SrtReader } from '../ports.ts'
import type { Processes } from '../process.ts'
import { Admission, AT_ANOTHER_NODE, inputPath, keyStart, ownUrl } from './admission.ts'
import type { IngestOptions, IngestPorts } from './messages.ts'
import { createRtmpServer, type RtmpServer } from './rtmp.ts'
import { type Admitted, createSrtGate, type SrtGate } from './srt-gate.ts'
import type { Rejection } from './srt-handshake.ts'

const USUAL_RTMP_PORT = 1935
const USUAL_SRT_PORT = 8890
const QUIET = ['-hide_banner', '-nostdin', '-loglevel', 'error', '-nostats']

export type IngestParts = {
  processes: Processes
  tell: (event: EngineEvent) => void
  readers: (token: string, count: number) => void
  /** Something that a stranger sent could not be handled, and was dropped. */
  failed: (error: unknown) => void
}

/** Takes video in over RTMP and SRT and gives it out again, for clients with the right to send and read. */
export class Ingest {
  readonly #options: IngestOptions
  readonly #parts: IngestParts
  readonly #admission: Admission
  readonly #rtmp: RtmpServer
  readonly #gate: SrtGate
  readonly #readers = new Map<string, SrtReader>()
  #rtmpPort = 0

  constructor(options: IngestOptions, parts: IngestParts) {
    const { bind, graceMs, secret } = options
    this.#options = options
    this.#parts = parts
    this.#admission = new Admission(secret)
    this.#gate = createSrtGate({
      bind,
      admit: (streamId) => this.#admit(streamId),
      refused: (why, ip, streamId) => this.#refused(why, ip, streamId),
      counted: (of, count) => this.#readers.has(of) && parts.readers(of, count),
      failed: parts.failed,
    })
    const caller = (session: string) => this.#gate.caller(session)
    const { tell, failed } = parts
    this.#rtmp = createRtmpServer({ admission: this.#admission, bind, graceMs, caller, tell, failed })
  }

  async start(): Promise<IngestPorts> {
    const { rtmpPort, srtPort, ffmpegPath, allowed, served } = this.#options
    for (const input of allowed) this.allow(input)
    for (const reader of served) this.serve(reader)
    this.#rtmpPort = await listenOn(this.#rtmp.listen, rtmpPort, USUAL_RTMP_PORT)
    const gate = ffmpegPath === null ? null : await listenOn(this.#gate.listen, srtPort, USUAL_SRT_PORT)
    return { rtmpPort: this.#rtmpPort, srtPort: gate }
  }

  allow(input: PushInput): null {
    const before = this.#admission.allow(input)
    if (before && (before.streamKey !== input.streamKey || input.elsewhere)) this.#drop(input.inputId)
    return null
  }

  revoke(inputId: number): null {
    if (this.#admission.revoke(inputId)) this.#drop(inputId)
    return null
  }

  serve(reader: SrtReader): null {
    this.#readers.set(reader.token, reader)
    return null
  }

  unserve(token: string): null {
    this.#gate.drop(token)
    this.#readers.delete(token)
    return null
  }

  stats(path: string) {
    return this.#rtmp.stats(path)
  }

  async close(): Promise<void> {
    this.#rtmp.close()
    await this.#gate.close()
  }

  #drop(inputId: number): void {
    const path = inputPath(inputId)
    this.#rtmp.drop(path)
    this.#gate.drop(path)
  }

  #admit(streamId: string): Admitted | { rejected: Rejection } {
    const [action, name = '', key = ''] = streamId.split(':')
    if (action === 'publish' && /^\d{1,15}$/.test(name)) {
      const input = this.#admission.byId(Number(name), key)
      if (!input || input.elsewhere) return { rejected: 'forbidden' }
      const path = inputPath(input.inputId)
      if (this.#rtmp.isSending(path)) return { rejected: 'conflict' }
      return { of: path, alone: true, listenOn: (port, session) => this.#receive(input, port, session) }
    }
    const reader = action === 'read' ? this.#readers.get(name) : undefined
    if (!reader) return { rejected: 'forbidden' }
    if (!this.#rtmp.stats(pathOf(reader.readUrl))) return { rejected: 'nothing' }
    return { of: name, alone: false, listenOn: (port, session) => this.#send(reader, port, session) }
  }

  #refused(why: Rejection, ip: string, streamId: string): void {
    // players of a path without video ask again many times a second
    if (why === 'nothing') return
    const [action, name = ''] = streamId.split(':')
    const secret = streamId.split(':').at(-1) ?? ''
    const input = action === 'publish' ? this.#admission.byId(Number(name), secret) : undefined
    const known = input?.elsewhere ? { reason: AT_ANOTHER_NODE, inputId: input.inputId } : { reason: REASONS[why] }
    this.#parts.tell({ type: 'refused', protocol: 'srt', ip, keyStart: keyStart(secret), ...known })
  }

  #receive({ inputId, latencyMs }: PushInput, port: number, session: string) {
    const { bind, secret } = this.#options
    const to = ownUrl({ bind, port: this.#rtmpPort, secret }, 'publish', inputPath(inputId))
    // without limits the first output comes after 5 s
    const from = ['-analyzeduration', '1000000', '-probesize', '1000000', '-i', listener(port, latencyMs)]
    const tracks = ['-map', '0:v:0?', '-map', '0:a:0?', '-c', 'copy']
    return this.#ffmpeg('srt-in', session, [...from, ...tracks, '-f', 'flv', `${to}&via=${session}`])
  }

  #send({ readUrl, latencyMs }: SrtReader, port: number, session: string) {
    const from = ['-probesize', '50000', '-analyzeduration', '200000', '-rw_timeout', '20000000', '-i', readUrl]
    return this.#ffmpeg('srt-out', session, [...from, '-c', 'copy', '-f', 'mpegts', listener(port, latencyMs)])
  }

  #ffmpeg(kind: string, session: string, args: string[]) {
    return this.#parts.processes.start({
      kind,
      of: session,
      command: this.#options.ffmpegPath ?? 'ffmpeg',
      args: [...QUIET, ...args],
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
}

const REASONS: Readonly<Record<Exclude<Rejection, 'nothing'>, string>> = {
  forbidden: 'The stream id is not known here.',
  conflict: 'Somebody else is sending with this stream id.',
  overload: 'There are too many connections.',
}

const pathOf = (readUrl: string) => new URL(readUrl).pathname.split('/').at(-1) ?? ''

/** The private side of a connection; ffmpeg counts the latency in microseconds. */
const listener = (port: number, latencyMs: number) =>
  `srt://127.0.0.1:${port}?mode=listener&latency=${latencyMs * 1000}&pkt_size=1316`

/** The usual port unless another is asked for; when the usual one is taken, any. */
async function listenOn(listen: (port: number) => Promise<number>, asked: number | null, usual: number) {
  try {
    return await listen(asked ?? usual)
  } catch (error) {
    if (asked !== null) throw error
    return await listen(0)
  }
}
