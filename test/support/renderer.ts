import { WebSocket } from 'ws'
import { Picture, type ShownGraphic } from './picture.ts'

export type RendererOptions = {
  /** `ws://127.0.0.1:PORT/overlay/KEY/socket`, with its query. */
  url: string
  /** Whether it says what it painted; as the page does, the newest per graphic each 100 ms. */
  reports?: boolean
  /** Wait before a reconnect: a random part of this, at least a fifth. */
  reconnectMs?: number
  /** Each frame as it arrived, before it is applied. */
  onFrame?: (text: string) => void
  /** Each time a socket opened. */
  onOpen?: () => void
}

const reportEveryMs = 100

/**
 * A headless renderer on a real socket: HELLO, READY with what it shows, frames by the rules of the contract, paint
 * reports, reconnecting for ever. After 1008 it clears and stops, as the page does.
 */
export class Renderer {
  readonly #options: Required<RendererOptions>
  readonly #picture = new Picture()
  readonly #unreported = new Map<string, number>()
  readonly #watching = new Set<() => void>()
  #socket: WebSocket | undefined
  #reconnecting: NodeJS.Timeout | undefined
  #reporting: NodeJS.Timeout | undefined
  #stopped = false
  /** Codes with which its sockets closed, in order. */
  readonly closedWith: number[] = []
  /** How often a socket opened. */
  connections = 0
  /** The first frame that broke the protocol; it stops the renderer. */
  fault: unknown

  constructor(options: RendererOptions) {
    this.#options = { reports: true, reconnectMs: 250, onFrame: () => {}, onOpen: () => {}, ...options }
    this.#connect()
  }

  /** What is on screen, by graphic id. */
  shows(): ReadonlyMap<string, ShownGraphic> {
    return this.#picture.graphics
  }

  get connected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** Resolves when the predicate holds; checked after each frame, open and close. Rejects when it does not in time. */
  waitFor(predicate: (renderer: Renderer) => boolean, withinMs = 30_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (end: () => void) => {
        this.#watching.delete(check)
        clearTimeout(timer)
        end()
      }
      const check = () => {
        if (this.fault !== undefined) finish(() => reject(this.fault))
        else if (predicate(this)) finish(resolve)
      }
      const timer = setTimeout(
        () =>
          finish(() =>
            reject(new Error(`not within ${withinMs} ms; on screen: ${JSON.stringify(this.#picture.showing())}`)),
          ),
        withinMs,
      )
      this.#watching.add(check)
      check()
    })
  }

  /** Breaks the connection as a network does; it reconnects. */
  interrupt(): void {
    this.#socket?.terminate()
  }

  /** Stops reading, as a renderer that cannot keep up. */
  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  close(): void {
    this.#stopped = true
    clearTimeout(this.#reconnecting)
    clearTimeout(this.#reporting)
    this.#socket?.terminate()
  }

  #connect(): void {
    const socket = new WebSocket(this.#options.url, { perMessageDeflate: false })
    this.#socket = socket
    socket.on('open', () => {
      this.connections++
      this.#options.onOpen()
      this.#changed()
    })
    socket.on('message', (data) => this.#receive(socket, String(data)))
    socket.on('error', () => {})
    socket.on('close', (code) => this.#lost(code))
  }

  #receive(socket: WebSocket, text: string): void {
    this.#options.onFrame(text)
    try {
      const painted = this.#picture.apply(text)
      if (painted) this.#painted(painted.graphicId, painted.seq)
      else if (text.startsWith('{"type":"HELLO"')) this.#ready(socket)
    } catch (error) {
      this.fault = error
      this.close()
    }
    this.#changed()
  }

  // a repeated HELLO is a heartbeat and wants no READY
  readonly #greeted = new WeakSet<WebSocket>()
  #ready(socket: WebSocket): void {
    if (this.#greeted.has(socket)) return
    this.#greeted.add(socket)
    socket.send(JSON.stringify({ type: 'READY', payload: { showing: this.#picture.showing() } }))
  }

  #painted(graphicId: string, seq: number): void {
    if (!this.#options.reports) return
    if (this.#reporting) this.#unreported.set(graphicId, seq)
    else {
      this.#report(graphicId, seq)
      this.#reporting = setTimeout(() => this.#reportRest(), reportEveryMs)
    }
  }

  #reportRest(): void {
    this.#reporting = undefined
    for (const [graphicId, seq] of this.#unreported) this.#report(graphicId, seq)
    if (this.#unreported.size > 0) this.#reporting = setTimeout(() => this.#reportRest(), reportEveryMs)
    this.#unreported.clear()
  }

  #report(graphicId: string, seq: number): void {
    if (this.connected) this.#socket?.send(JSON.stringify({ type: 'READY', payload: { graphicId, seq } }))
  }

  #lost(code: number): void {
    this.closedWith.push(code)
    this.#unreported.clear()
    if (code === 1008) {
      this.#picture.graphics.clear()
      this.#stopped = true
    }
    if (!this.#stopped) {
      const { reconnectMs } = this.#options
      this.#reconnecting = setTimeout(() => this.#connect(), reconnectMs * (0.2 + 0.8 * Math.random()))
    }
    this.#changed()
  }

  #changed(): void {
    for (const check of [...this.#watching]) check()
  }
}
