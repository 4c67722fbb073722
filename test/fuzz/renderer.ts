import { WebSocket } from 'ws'
import { Picture } from '../support/picture.ts'

const REPORT_EVERY_MS = 100

/** A browser source as the page behaves: keeps its picture when it is disconnected and comes back for ever. */
export class FuzzRenderer {
  readonly picture = new Picture()
  readonly closeCodes: number[] = []
  /** What broke the protocol. */
  readonly faults: string[] = []
  #socket: WebSocket | undefined
  #retry: NodeJS.Timeout | undefined
  #reportedAt = 0
  #gone = false
  readonly #url: string

  constructor(url: string) {
    this.#url = url
    this.#connect()
  }

  get connected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Its connection breaks, with or without a goodbye. */
  lose(abruptly: boolean): void {
    if (abruptly) this.#socket?.terminate()
    else this.#socket?.close()
  }

  /** Stops reading, as a machine that is busy with something else. */
  pause(): void {
    if (this.connected) this.#socket?.pause()
  }

  resume(): void {
    if (this.#socket?.isPaused) this.#socket.resume()
  }

  /** Sends something that is not of the protocol. */
  babble(text: string): void {
    if (this.connected) this.#socket?.send(text)
  }

  end(): void {
    this.#gone = true
    clearTimeout(this.#retry)
    this.#socket?.terminate()
  }

  #connect(): void {
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    socket.on('message', (text) => this.#receive(socket, String(text)))
    socket.on('error', () => {})
    socket.on('close', (code) => {
      this.closeCodes.push(code)
      if (!this.#gone) this.#retry = setTimeout(() => this.#connect(), 25)
    })
  }

  #receive(socket: WebSocket, text: string): void {
    let painted: ReturnType<Picture['apply']>
    try {
      painted = this.picture.apply(text)
    } catch (error) {
      this.faults.push(`${error} in ${text.slice(0, 300)}`)
      return
    }
    if (!painted) {
      socket.send(JSON.stringify({ type: 'READY', payload: { showing: this.picture.showing() } }))
    } else if (performance.now() - this.#reportedAt >= REPORT_EVERY_MS) {
      this.#reportedAt = performance.now()
      socket.send(JSON.stringify({ type: 'READY', payload: painted }))
    }
  }
}
