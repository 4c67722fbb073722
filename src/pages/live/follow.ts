import type { LiveMessage } from '../../realtime/followers/live-protocol.ts'
import { localNow } from '../shared/server-time.ts'
import { type LiveState, nothingYet, told } from './state.ts'

/** gone: the server knows no such overlay any more, or its address was replaced. */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'gone'

export type Live = LiveState & {
  connection: ConnectionState
  /** Since when the connection is in this state, ms since 1970 by this computer. */
  since: number
  /** Add to this computer's time to get the server's. */
  serverOffsetMs: number
}

export const notFollowing: Live = { ...nothingYet, connection: 'connecting', since: Date.now(), serverOffsetMs: 0 }

const SILENCE_MS = 5_000
const WATCH_MS = 500
const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 3_000
const GONE_RETRY_MS = 30_000
const OFFSETS_KEPT = 30

/**
 * Follows an overlay over one socket until `close`, and tells each new state. `url` is the socket of a page:
 * `ws://host/control/{token}/socket`. A connection that was lost is resumed where it was. A socket on which nothing was heard
 * for five seconds counts as lost, whatever its state: lights that lie are worse than none.
 */
export function follow(url: string, listener: (live: Live) => void): { close(): void } {
  const follower = new Following(url, listener)
  return { close: () => follower.close() }
}

class Following {
  readonly #url: string
  readonly #listener: (live: Live) => void
  #live: Live = { ...notFollowing, since: Date.now() }
  #socket: WebSocket | undefined
  #heardAt = 0
  #attempts = 0
  #retry = 0
  readonly #watch: number
  #offsets: number[] = []
  #closed = false

  constructor(url: string, listener: (live: Live) => void) {
    this.#url = url
    this.#listener = listener
    this.#watch = window.setInterval(() => this.#look(), WATCH_MS)
    window.addEventListener('online', this.#online)
    this.#open()
  }

  close() {
    this.#closed = true
    window.clearInterval(this.#watch)
    window.clearTimeout(this.#retry)
    window.removeEventListener('online', this.#online)
    this.#drop()
  }

  #open() {
    const { cursor } = this.#live
    const socket = new WebSocket(cursor === undefined ? this.#url : `${this.#url}?cursor=${encodeURIComponent(cursor)}`)
    this.#socket = socket
    this.#heardAt = performance.now()
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(data)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) void this.#ended(code, reason)
    }
  }

  #hear(text: unknown) {
    this.#heardAt = performance.now()
    this.#attempts = 0
    const message = readMessage(text)
    if (!message) return
    if ('serverTime' in message.payload) this.#noteTime(message.payload.serverTime)
    // something on the way has lost a message
    if (message.type === 'PULSE' && message.payload.cursor !== this.#live.cursor) return this.#lose(false)
    this.#tell({ ...this.#live, ...told(this.#live, message) }, 'connected')
  }

  /** The offset of the message that travelled fastest: each arrives late, none early. */
  #noteTime(serverTime: string) {
    this.#offsets = [...this.#offsets.slice(1 - OFFSETS_KEPT), Date.parse(serverTime) - localNow()]
    this.#live = { ...this.#live, serverOffsetMs: Math.max(...this.#offsets) }
  }

  async #ended(code: number, reason: string) {
    const socket = this.#socket
    const gone = code === 1008 && /deleted|replaced/.test(reason)
    const missing = gone || (this.#live.connection !== 'connected' && !(await isThere(this.#url)))
    if (socket === this.#socket) this.#lose(missing)
  }

  #look() {
    if (this.#socket && performance.now() - this.#heardAt > SILENCE_MS) this.#lose(false)
  }

  #lose(gone: boolean) {
    this.#drop()
    if (this.#closed) return
    const first = this.#live.connection === 'connecting' && this.#live.cursor === undefined && this.#attempts < 2
    this.#tell(this.#live, gone ? 'gone' : first ? 'connecting' : 'lost')
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts++)
    this.#retry = window.setTimeout(() => this.#open(), gone ? GONE_RETRY_MS : backoff * (0.5 + Math.random() / 2))
  }

  readonly #online = () => {
    if (this.#socket || this.#closed) return
    window.clearTimeout(this.#retry)
    this.#open()
  }

  /** A dead peer may never answer the close handshake, so nothing waits for it. */
  #drop() {
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #tell(live: Live, connection: ConnectionState) {
    const since = connection === this.#live.connection ? this.#live.since : Date.now()
    this.#live = { ...live, connection, since }
    this.#listener(this.#live)
  }
}

/** The types are the server's own; a text that is none of its messages is left alone. */
function readMessage(text: unknown): LiveMessage | undefined {
  try {
    const message = JSON.parse(String(text))
    return typeof message?.type === 'string' && typeof message.payload === 'object' ? message : undefined
  } catch {
    return undefined
  }
}

/** Whether the server still knows the page whose socket this is; true when it cannot be asked. */
async function isThere(socketUrl: string): Promise<boolean> {
  try {
    const response = await fetch(socketUrl.replace(/^ws/, 'http').replace(/\/socket$/, ''), { cache: 'no-store' })
    return response.status !== 404
  } catch {
    return true
  }
}
