import type { Trigger } from '../../../bench/samples.ts'
import { Renderer } from '../../support/renderer.ts'
import { numberIn } from './operators.ts'

/** Longer than two heartbeats: what a page calls a dead connection. */
const SILENT_MS = 3_000

type Payload = { graphicId: string; seq: number; variableValues?: Record<string, unknown> }

/** A renderer of one overlay that keeps its whole history, and leaves a server that has fallen silent. */
export class Watcher {
  readonly overlayId: number
  readonly where: string
  readonly renderer: Renderer
  /** What it was told, one place for each frame: a long run has millions. */
  readonly history = { seqs: [] as number[], ats: [] as number[], numbers: [] as number[], newest: [] as number[] }
  /** What no renderer may ever see. */
  readonly faults: string[] = []
  /** Called when it has another connection than its first. */
  onReturn = () => {}
  readonly #variables: ReadonlyMap<string, string>
  readonly #highest = new Map<string, number>()
  readonly #watching: NodeJS.Timeout
  #heardAt = performance.now()
  #openedAt = 0

  constructor(overlay: { id: number; key: string }, origin: string, triggers: readonly Trigger[]) {
    this.overlayId = overlay.id
    this.where = origin
    this.#variables = new Map(triggers.map(({ graphicId, variable }) => [graphicId, variable]))
    const url = `${origin.replace(/^http/, 'ws')}/overlay/${overlay.key}/socket?heartbeat=1`
    this.renderer = new Renderer({
      url,
      reports: false,
      onFrame: (text) => this.#take(text),
      onOpen: () => this.#opened(),
    })
    this.#watching = setInterval(() => {
      if (performance.now() - this.#heardAt < SILENT_MS) return
      this.#heardAt = performance.now()
      this.renderer.interrupt()
    }, 250)
  }

  /** The newest seq of the overlay that it was told. */
  get seq(): number {
    return this.history.newest.at(-1) ?? 0
  }

  /** When it was told this seq or a later one; undefined: not yet. */
  toldAt(seq: number): number | undefined {
    const { newest, ats } = this.history
    let [low, high] = [0, newest.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((newest[middle] ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return ats[low]
  }

  /** The newest that it was told before this time. */
  seqBefore(time: number): number {
    const { newest, ats } = this.history
    let index = ats.length - 1
    while (index >= 0 && (ats[index] ?? 0) >= time) index--
    return newest[index] ?? 0
  }

  /** When its connection was made. */
  get openedAt(): number {
    return this.#openedAt
  }

  close(): void {
    clearInterval(this.#watching)
    this.renderer.close()
  }

  #opened(): void {
    this.#heardAt = performance.now()
    this.#openedAt = this.#heardAt
    if (this.renderer.connections > 1) this.onReturn()
  }

  #take(text: string): void {
    this.#heardAt = performance.now()
    const { type, payload } = JSON.parse(text) as { type: string; payload: Payload }
    if (type !== 'LOAD_GRAPHIC' && type !== 'GRAPHIC_UPDATE') return
    const { graphicId, seq, variableValues } = payload
    const before = this.#highest.get(graphicId) ?? 0
    if (seq < before)
      this.faults.push(`${this.where} overlay ${this.overlayId}: ${graphicId} fell from ${before} to ${seq}`)
    this.#highest.set(graphicId, Math.max(seq, before))
    const told = variableValues?.[this.#variables.get(graphicId) ?? '']
    const { seqs, ats, numbers, newest } = this.history
    newest.push(Math.max(seq, this.seq))
    seqs.push(seq)
    ats.push(this.#heardAt)
    numbers.push(told === undefined ? 0 : numberIn(told))
  }
}
