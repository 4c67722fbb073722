import { readServerFrame, type ServerFrame, type Size } from './protocol.ts'

const SILENCE_MS = 5_000
/** Of a line that is known to be slow, for so long after it was seen. */
const LONGEST_SILENCE_MS = 120_000
const SLOW_FOR_MS = 120_000
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 3_000
const GONE_RETRY_MS = 30_000

export type ConnectionState = 'connecting' | 'open' | 'waiting' | 'gone'

export type ConnectionEvents = {
  /** The first HELLO of a socket: answer with READY. */
  hello(size: Size): void
  /** The frames that READY asked for are here: the server says HELLO behind it, and again after silence. */
  caughtUp(): void
  frame(frame: Exclude<ServerFrame, { type: 'HELLO' }>): void
  /** The overlay was deleted. */
  gone(): void
  /** The server took a frame of ours for a mistake. */
  mistaken(): void
  /** Asked after an attempt that failed: false when the server answers and knows no such overlay. */
  exists(): Promise<boolean>
  state(state: ConnectionState): void
}

/** One socket at a time, for ever. Graphics on screen stay there whatever happens to the socket. */
export class Connection {
  readonly #url: string
  readonly #events: ConnectionEvents
  #socket: WebSocket | undefined
  #greeted = false
  #attempts = 0
  #heardAt = 0
  /** Whether this socket said more than its first HELLO. */
  #answered = false
  #silenceMs = SILENCE_MS
  #slowAt = 0

  constructor(url: string, events: ConnectionEvents) {
    this.#url = url
    this.#events = events
    window.setInterval(() => this.#watch(), 1_000)
    window.addEventListener('online', () => this.#watch())
    this.#open()
  }

  /** How long nothing was heard. */
  get silentMs() {
    return performance.now() - this.#heardAt
  }

  send(type: 'READY' | 'PROBLEMS' | 'PLAYED' | 'ANSWER', payload: unknown) {
    if (this.#socket?.readyState === WebSocket.OPEN && this.#greeted)
      this.#socket.send(JSON.stringify({ type, payload }))
  }

  #open() {
    this.#events.state('connecting')
    const socket = new WebSocket(this.#url)
    this.#socket = socket
    this.#greeted = false
    this.#answered = false
    this.#heardAt = performance.now()
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(data)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket) return
      // 1008 is also how the server answers a mistake of ours, which must not clear the program
      const gone = code === 1008 && (reason === '' || /deleted|replaced/.test(reason))
      if (code === 1008 && !gone) this.#events.mistaken()
      if (gone) this.#retry(true)
      else if (this.#greeted) this.#retry(false)
      else this.#refused(socket)
    }
  }

  #receive(text: unknown) {
    const now = performance.now()
    // as long as the frame was on its way the next one may be
    this.#bePatient(2 * (now - this.#heardAt))
    this.#heardAt = now
    if (this.#greeted) this.#answered = true
    const frame = readServerFrame(text)
    if (!frame) return
    if (frame.type !== 'HELLO') {
      this.#events.frame(frame)
    } else if (this.#greeted) {
      this.#events.caughtUp()
    } else {
      this.#greeted = true
      this.#attempts = 0
      this.#events.state('open')
      this.#events.hello(frame.payload)
    }
  }

  #watch() {
    const now = performance.now()
    if (now - this.#slowAt > SLOW_FOR_MS) this.#silenceMs = SILENCE_MS
    if (!this.#socket || now - this.#heardAt < (this.#greeted ? this.#silenceMs : SILENCE_MS)) return
    // a large frame is heard of when the whole of it is here, and is sent again from its beginning
    if (this.#greeted && !this.#answered) this.#bePatient(2 * this.#silenceMs)
    // a dead peer may never answer the close handshake, so the next socket does not wait for it
    const dead = this.#socket
    this.#retry(false)
    dead.close()
  }

  /** A slow line is told from a dead one by the frames that came over it, or by a HELLO with nothing behind it. */
  #bePatient(ms: number) {
    if (ms <= SILENCE_MS) return
    this.#slowAt = performance.now()
    this.#silenceMs = Math.min(LONGEST_SILENCE_MS, Math.max(this.#silenceMs, ms))
  }

  async #refused(socket: WebSocket) {
    const exists = await this.#events.exists()
    if (socket === this.#socket) this.#retry(!exists)
  }

  #retry(gone: boolean) {
    this.#socket = undefined
    this.#greeted = false
    this.#events.state(gone ? 'gone' : 'waiting')
    if (gone) this.#events.gone()
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts)
    this.#attempts = Math.min(this.#attempts + 1, 10)
    window.setTimeout(() => this.#open(), gone ? GONE_RETRY_MS : backoff * (0.5 + Math.random() / 2))
  }
}
