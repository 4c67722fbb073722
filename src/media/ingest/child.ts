import type { EngineEvent } from '../ports.ts'
import { Admission, inputPath } from './admission.ts'
import type { Call, Calls, FromChild, IngestOptions, IngestPorts } from './messages.ts'
import { createRtmpServer, type RtmpServer } from './rtmp.ts'

const USUAL_RTMP_PORT = 1935
/** Scanners try keys all day; people are told of so many in a second. */
const REFUSALS_PER_SECOND = 5

const send = (message: FromChild) => {
  if (process.connected) process.send?.(message)
}

let refusals = { second: 0, count: 0 }
const tell = (event: EngineEvent) => {
  if (event.type === 'refused') {
    const second = Math.floor(Date.now() / 1000)
    if (refusals.second !== second) refusals = { second, count: 0 }
    if (++refusals.count > REFUSALS_PER_SECOND) return
  }
  send({ event })
}

/** The usual port unless another is asked for; when the usual one is taken, any. */
async function listenOn(listen: (port: number) => Promise<number>, asked: number | null, usual: number) {
  try {
    return await listen(asked ?? usual)
  } catch (error) {
    if (asked !== null) throw error
    return await listen(0)
  }
}

/** The ingest in its own process: a crash or a flood here stops no graphics. */
class Ingest {
  readonly #admission: Admission
  readonly #rtmp: RtmpServer
  readonly #options: IngestOptions

  constructor(options: IngestOptions) {
    this.#options = options
    this.#admission = new Admission(options.secret)
    this.#rtmp = createRtmpServer({
      admission: this.#admission,
      bind: options.bind,
      graceMs: options.graceMs,
      via: () => undefined,
      tell,
    })
  }

  async start(): Promise<IngestPorts> {
    const rtmpPort = await listenOn(this.#rtmp.listen, this.#options.rtmpPort, USUAL_RTMP_PORT)
    return { rtmpPort, srtPort: null, problems: [] }
  }

  allow(input: Calls['allow']['with']): null {
    const before = this.#admission.allow(input)
    if (before && before.streamKey !== input.streamKey) this.#rtmp.drop(inputPath(input.inputId))
    return null
  }

  revoke(inputId: number): null {
    if (this.#admission.revoke(inputId)) this.#rtmp.drop(inputPath(inputId))
    return null
  }

  stats(path: string) {
    return this.#rtmp.stats(path)
  }

  close(): void {
    this.#rtmp.close()
  }
}

let ingest: Ingest | undefined

async function answer(call: Call): Promise<Calls[keyof Calls]['answer']> {
  if (call.call === 'start') {
    ingest = new Ingest(call.with)
    return await ingest.start()
  }
  if (!ingest) throw new Error('not started')
  if (call.call === 'allow') return ingest.allow(call.with)
  if (call.call === 'revoke') return ingest.revoke(call.with)
  return ingest.stats(call.with)
}

process.on('message', (call: Call) => {
  answer(call).then(
    (value) => send({ answer: call.id, value }),
    (error: Error) => send({ answer: call.id, error: error.message }),
  )
})
// whoever started this is gone
process.on('disconnect', () => {
  ingest?.close()
  process.exit(0)
})
// both come to the whole group when somebody types ^C; the parent says when to end
process.on('SIGINT', () => {})
