import WebSocket from 'ws'

type Shown = { presetId: number; values: unknown; seq: number }

type Frame = {
  type: string
  payload: { graphicId: string; seq: number; onAir?: boolean; presetId?: number; variableValues?: unknown }
}

/** A renderer that keeps its picture while disconnected, reconnects for ever and says what it shows. */
export class Screen {
  readonly shown = new Map<string, Shown>()
  /** What the protocol forbids and this renderer saw. */
  readonly violations: string[] = []
  frames = 0
  readonly closeCodes: number[] = []
  readonly #url: string
  readonly #seqs = new Map<string, number>()
  #socket: WebSocket
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(url: string) {
    this.#url = url
    this.#socket = this.#connect()
  }

  get connected(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#socket.terminate()
  }

  #connect(): WebSocket {
    const socket = new WebSocket(this.#url)
    socket.on('error', () => {})
    socket.on('message', (text) => this.#receive(JSON.parse(String(text)) as Frame, socket))
    socket.on('close', (code) => {
      this.closeCodes.push(code)
      if (this.#closed) return
      this.#timer = setTimeout(() => {
        this.#socket = this.#connect()
      }, 50)
    })
    return socket
  }

  #receive({ type, payload }: Frame, socket: WebSocket): void {
    if (type === 'HELLO') {
      this.#seqs.clear()
      const showing = [...this.shown].map(([graphicId, { seq }]) => ({ graphicId, seq }))
      socket.send(JSON.stringify({ type: 'READY', payload: { showing } }))
      return
    }
    this.frames++
    const { graphicId, seq, onAir, presetId, variableValues } = payload
    if (seq < (this.#seqs.get(graphicId) ?? 0)) this.violations.push(`${graphicId}: seq fell to ${seq}`)
    this.#seqs.set(graphicId, seq)
    const before = this.shown.get(graphicId)
    if (type === 'LOAD_GRAPHIC') this.shown.set(graphicId, { presetId: presetId ?? 0, values: variableValues, seq })
    else if (onAir === false) this.shown.delete(graphicId)
    else if (!before) this.violations.push(`${graphicId}: update of what was never loaded`)
    else
      this.shown.set(graphicId, {
        presetId: presetId ?? before.presetId,
        values: variableValues ?? before.values,
        seq,
      })
  }
}
