import { WebSocket } from 'ws'
import type { Trigger } from '../../../bench/samples.ts'
import type { LiveGraphic, LiveMessage } from '../../../src/realtime/followers/live-protocol.ts'
import { numberIn } from './operators.ts'

/** What a follower calls a dead connection: the server says something every two seconds. */
const SILENT_MS = 5_000
const LONGEST_RETRY_MS = 250

/** A script that follows one overlay by API key, comes back by its cursor wherever it can, and keeps all that it was told. */
export class FollowerWatcher {
  readonly overlayId: number
  readonly where: string
  /** The changes that it was told, as they came; a number of 0: none of a command of ours. */
  readonly history = { seqs: [] as number[], numbers: [] as number[] }
  /** What no follower may ever see. */
  readonly faults: string[] = []
  readonly onAir = new Map<string, LiveGraphic>()
  /** Up to where it was told. */
  seq = 0
  readonly #url: string
  readonly #apiKey: string
  readonly #variables: ReadonlyMap<string, string>
  readonly #watching: NodeJS.Timeout
  #socket: WebSocket | undefined
  #retry: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  #cursor = ''
  /** The state that later changes build upon was told whole. */
  #isWhole = false
  #isClosed = false

  constructor(
    overlayId: number,
    origin: string,
    { apiKey, triggers }: { apiKey: string; triggers: readonly Trigger[] },
  ) {
    this.overlayId = overlayId
    this.where = origin
    this.#url = `${origin.replace(/^http/, 'ws')}/rest/v2/overlays/${overlayId}/socket`
    this.#apiKey = apiKey
    this.#variables = new Map(triggers.map(({ graphicId, variable }) => [graphicId, variable]))
    this.#connect()
    this.#watching = setInterval(() => {
      if (performance.now() - this.#heardAt > SILENT_MS) this.#socket?.terminate()
    }, 250)
  }

  /** Knows the whole state, by a connection that is open. */
  get follows(): boolean {
    return this.#isWhole && this.#socket?.readyState === WebSocket.OPEN
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#watching)
    clearTimeout(this.#retry)
    this.#socket?.terminate()
  }

  #connect(): void {
    const query = this.#cursor === '' ? '' : `?cursor=${this.#cursor}`
    const headers = { Authorization: `Bearer ${this.#apiKey}` }
    const socket = new WebSocket(this.#url + query, { perMessageDeflate: false, headers })
    this.#socket = socket
    this.#heardAt = performance.now()
    socket.on('message', (data) => {
      this.#heardAt = performance.now()
      this.#take(JSON.parse(String(data)))
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (!this.#isClosed)
        this.#retry = setTimeout(() => this.#connect(), LONGEST_RETRY_MS * (0.2 + 0.8 * Math.random()))
    })
  }

  #take({ type, payload }: LiveMessage): void {
    if (type === 'SNAPSHOT') {
      if (payload.seq < this.seq) this.#fault(`fell from ${this.seq} to ${payload.seq}`)
      this.seq = payload.seq
      this.#cursor = payload.cursor
      this.#isWhole = true
      this.onAir.clear()
      for (const graphic of payload.onAir) this.onAir.set(graphic.graphicId, graphic)
    } else if (type === 'CHANGE') {
      if (payload.seq !== this.seq + 1) this.#fault(`was told ${payload.seq} after ${this.seq}`)
      this.seq = payload.seq
      this.#cursor = payload.cursor
      for (const { graphicId } of payload.hidden) this.onAir.delete(graphicId)
      for (const graphic of payload.shown) this.onAir.set(graphic.graphicId, graphic)
      this.history.seqs.push(payload.seq)
      this.history.numbers.push(this.#numberOf(payload.shown))
    } else if (type === 'PULSE') this.#cursor = payload.cursor
  }

  #numberOf(shown: readonly LiveGraphic[]): number {
    for (const { graphicId, variableValues } of shown) {
      const told = variableValues[this.#variables.get(graphicId) ?? '']
      if (told !== undefined) return numberIn(told)
    }
    return 0
  }

  #fault(what: string): void {
    this.faults.push(`the follower of overlay ${this.overlayId} at ${this.where} ${what}`)
  }
}
