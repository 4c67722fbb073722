import { backoffMs } from '../backoff.ts'
import { signal } from '../pidfiles.ts'
import type { ProgramSpec } from '../ports.ts'
import { type Child, openProcesses, type Processes } from '../process.ts'
import { startEncoder } from './encoder.ts'
import { createFeed, type Feed } from './feed.ts'
import { type Graphics, startGraphics } from './graphics.ts'
import type { FromProgram, ProgramTools, ToProgram } from './messages.ts'
import { usualMatrix } from './planes.ts'
import { startSession } from './session.ts'
import { readSource } from './source.ts'
import { watchUsage } from './usage.ts'

const USAGE_EACH_MS = 5_000
/** An encoder whose far end takes nothing does not hear that it is to end. */
const ENDS_WITHIN_MS = 1_000

/** Resolves when it is sent. */
const tell = (message: FromProgram) =>
  new Promise<void>((resolve) => {
    if (process.connected) process.send?.(message, undefined, undefined, () => resolve())
    else resolve()
  })
/** News goes to the server as events, not as logs. */
const SILENT = { debug: () => {}, info: () => {}, warn: () => {} }

/** One program in its own process: its frames pass by the server. */
class Program {
  readonly #processes: Processes
  readonly #feed: Feed
  readonly #graphics: Graphics
  readonly #usage: NodeJS.Timeout
  #encoder: Child | undefined
  #ending: Promise<void> | undefined

  constructor(processes: Processes, spec: ProgramSpec, tools: ProgramTools) {
    const { streamId: of, width, height, hidden, pageUrl } = spec
    this.#processes = processes
    this.#feed = createFeed({ width, height, hidden }, { taken: this.#taken, done: this.#done })
    const { browser: command, sandbox, proxyUrl, direct } = tools
    const browser = { processes, command, sandbox, of, width, height, proxyUrl, direct, matrix: usualMatrix(height) }
    this.#graphics = startGraphics(pageUrl, {
      start: (url, listener) => startSession(browser, url, listener),
      show: this.#feed.show,
      tell: (error) => void tell({ type: 'graphics', error }),
      backoffMs: (failures) => backoffMs(failures, Math.random()),
    })
    const look = watchUsage(process.pid)
    const report = async () => tell({ type: 'usage', ...(await look()) })
    void report()
    this.#usage = setInterval(report, USAGE_EACH_MS)
    this.#encode(spec, tools.ffmpeg).catch((error: Error) => this.#failed(error.message))
  }

  hear(message: ToProgram): void {
    if (message.type === 'hidden') this.#feed.setHidden(message.hidden)
    else if (message.type === 'page') this.#graphics.setPage(message.url)
  }

  /** Resolves when every process that it started has ended. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  readonly #taken = () => this.#graphics.frameTaken()
  readonly #done = (planes: Uint8Array<ArrayBuffer>) => this.#graphics.recycle(planes)

  async #encode(spec: ProgramSpec, ffmpeg: string): Promise<void> {
    const source = await readSource(this.#processes, ffmpeg, spec.streamId, spec.readUrl)
    if (this.#ending) return
    let isUp = false
    const progressed = ({ totalBytes, frames }: { totalBytes: number | null; frames: number | null }) => {
      if (totalBytes === null || !frames) return
      void tell({ type: 'written', bytes: totalBytes })
      if (!isUp) void tell({ type: 'up' })
      isUp = true
    }
    const { child, frames } = startEncoder({ processes: this.#processes, ffmpeg, progressed }, spec, source)
    this.#encoder = child
    if (frames) this.#feed.start(frames)
    const { code, signal: by, error } = await child.ended
    if (code === 0) await this.#failed('The input ended')
    else await this.#failed(by ? `The encoder was ended by ${by}` : `The encoder ended: ${error}`)
  }

  async #failed(error: string): Promise<void> {
    if (this.#ending) return
    await this.end()
    await tell({ type: 'failed', error })
    process.exit(0)
  }

  async #end(): Promise<void> {
    clearInterval(this.#usage)
    const pid = this.#encoder?.pid
    const force = setTimeout(() => pid !== undefined && signal(pid, 'SIGKILL'), ENDS_WITHIN_MS)
    await Promise.all([this.#graphics.stop(), this.#processes.close()])
    clearTimeout(force)
  }
}

let program: Promise<Program> | undefined

async function leave(): Promise<void> {
  await (await program)?.end()
  process.exit(0)
}

process.on('message', (message: ToProgram) => {
  if (message.type === 'start') {
    const { spec, tools } = message
    program ??= openProcesses(tools.pidFolder, SILENT).then((processes) => new Program(processes, spec, tools))
  } else void program?.then((running) => running.hear(message))
})
process.once('uncaughtException', async (error) => {
  await tell({ type: 'failed', error: `The program broke: ${error.message}` })
  process.exit(1)
})
process.once('SIGTERM', leave)
// a group of its own hears nothing of a server that is gone
process.once('disconnect', leave)
