import { Renderer } from '../../support/renderer.ts'

/** Longer than two heartbeats: what a page calls a dead connection. */
const SILENT_MS = 3_000

type Seen = { graphicId: string; seq: number; values: Readonly<Record<string, unknown>> | undefined }

/** A renderer of one overlay that keeps its whole history, and leaves a server that has fallen silent. */
export class Watcher {
  readonly overlayId: number
  readonly where: string
  readonly renderer: Renderer
  readonly history: Seen[] = []
  /** What no renderer may ever see. */
  readonly faults: string[] = []
  readonly #highest = new Map<string, number>()
  readonly #watching: NodeJS.Timeout
  #heardAt = performance.now()

  constructor(overlay: { id: number; key: string }, origin: string) {
    this.overlayId = overlay.id
    this.where = origin
    const url = `${origin.replace(/^http/, 'ws')}/overlay/${overlay.key}/socket?heartbeat=1`
    this.renderer = new Renderer({ url, reports: false, onFrame: (text) => this.#take(text) })
    this.#watching = setInterval(() => {
      if (performance.now() - this.#heardAt < SILENT_MS) return
      this.#heardAt = performance.now()
      this.renderer.interrupt()
    }, 250)
  }

  /** The newest seq of the overlay that it was told. */
  get seq(): number {
    return Math.max(0, ...this.#highest.values())
  }

  close(): void {
    clearInterval(this.#watching)
    this.renderer.close()
  }

  #take(text: string): void {
    this.#heardAt = performance.now()
    const { type, payload } = JSON.parse(text) as {
      type: string
      payload: { graphicId: string; seq: number; variableValues?: Record<string, unknown> }
    }
    if (type !== 'LOAD_GRAPHIC' && type !== 'GRAPHIC_UPDATE') return
    const { graphicId, seq, variableValues } = payload
    const before = this.#highest.get(graphicId) ?? 0
    if (seq < before)
      this.faults.push(`${this.where} overlay ${this.overlayId}: ${graphicId} fell from ${before} to ${seq}`)
    this.#highest.set(graphicId, Math.max(seq, before))
    this.history.push({ graphicId, seq, values: variableValues })
  }
}
