import { TallyError } from './error.ts'
import type { LiveMessage } from './types.ts'
import { backoff, pause } from './waiting.ts'

/** What is used of a WebSocket: that of browsers and Node 22, or the `ws` package. */
export type SocketLike = {
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: unknown) => void) | null
  close(): void
}
// biome-ignore lint/suspicious/noExplicitAny: the second argument is protocols in one and options in another
export type SocketClass = new (url: string, ...more: any[]) => SocketLike

export type Following = {
  /** Of the newest message that was heard: what happened since comes first, in place of a snapshot. */
  readonly cursor?: string
  /** Ends it: the iteration is over, without an error. */
  readonly signal?: AbortSignal
  /** In place of the platform's own; Node 20 has none: `import { WebSocket } from 'ws'`. */
  readonly WebSocket?: SocketClass
  /** Called when the connection was lost and when messages come again. */
  readonly onConnection?: (state: 'connected' | 'lost') => void
}

export type Target = {
  /** Of the socket, `ws:` or `wss:`. */
  readonly url: string
  readonly key?: string
  /** Asks for what the socket does not say: throws when there is no such overlay, or the key does not open it. */
  check(signal: AbortSignal | undefined): Promise<void>
}

const SILENCE_MS = 5_000
/** Asking again changes nothing: what is asked for is not there, or not for this key. */
const GONE = new Set([400, 401, 403, 404, 410])
/** Somebody who reads this slowly is told the difference later, in place of all that waits. */
const MAX_WAITING = 1_000

/**
 * The messages of an overlay, in order, none twice, over restarts of the server and lost lines: `SNAPSHOT` first, and again where the difference cannot
 * be told. Ends with the signal or with the loop; throws `TallyError` when the overlay, its address or the key is gone.
 */
export async function* follow(target: Target, following: Following = {}): AsyncGenerator<LiveMessage, void, undefined> {
  const Socket = following.WebSocket ?? (globalThis.WebSocket as SocketClass | undefined)
  if (!Socket) throw new TypeError("No WebSocket here: give one, import { WebSocket } from 'ws'")
  const { signal } = following
  let { cursor } = following
  let tries = 0
  let isConnected = false
  while (!signal?.aborted) {
    const line = new Line(Socket, target, cursor, signal)
    try {
      for (let message = await line.next(); message; message = await line.next()) {
        tries = 0
        if (!isConnected) following.onConnection?.('connected')
        isConnected = true
        if ('cursor' in message.payload) cursor = message.payload.cursor
        if (message.type !== 'PULSE') yield message
      }
    } finally {
      line.end()
    }
    if (signal?.aborted) return
    if (line.refusal) throw new TallyError(line.refusal, { code: 'GONE' })
    if (isConnected) following.onConnection?.('lost')
    // sockets do not say why they were refused, and REST does
    if (!isConnected) await target.check(signal).catch(throwForGood)
    isConnected = false
    await pause(backoff(tries++, 200, 3_000), signal).catch(() => {})
  }
}

/** Whoever cannot be reached now may be there in a moment. */
function throwForGood(error: unknown): void {
  if (error instanceof TallyError && GONE.has(error.status)) throw error
}

type Pulse = { type: 'PULSE'; payload: { cursor: string } }

/** One connection: its messages one after the other, and undefined when it is over. */
class Line {
  /** Why the server wants nobody to come back; undefined: it does not say so. */
  refusal: string | undefined
  readonly #waiting: (LiveMessage | Pulse)[] = []
  readonly #socket: SocketLike
  readonly #signal: AbortSignal | undefined
  #heard = Date.now()
  #cursor: string | undefined
  #isOver = false
  #wake = () => {}
  readonly #watch: ReturnType<typeof setInterval>

  constructor(Socket: SocketClass, { url, key }: Target, cursor: string | undefined, signal: AbortSignal | undefined) {
    this.#cursor = cursor
    this.#signal = signal
    const address = cursor === undefined ? url : `${url}?cursor=${encodeURIComponent(cursor)}`
    this.#socket = key === undefined ? new Socket(address) : withKey(Socket, address, key)
    this.#socket.onmessage = ({ data }) => this.#hear(data)
    this.#socket.onerror = () => {}
    this.#socket.onclose = ({ code, reason }) => {
      if (code === 1008) this.refusal ??= reason || 'The overlay is gone'
      this.end()
    }
    this.#watch = setInterval(() => {
      if (Date.now() - this.#heard > SILENCE_MS) this.end()
    }, SILENCE_MS / 5)
    signal?.addEventListener('abort', this.end)
  }

  async next(): Promise<LiveMessage | Pulse | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#signal?.aborted ? undefined : this.#waiting.shift()
  }

  readonly end = (): void => {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#watch)
    this.#signal?.removeEventListener('abort', this.end)
    this.#socket.onmessage = null
    this.#socket.close()
    this.#wake()
  }

  #hear(data: unknown): void {
    this.#heard = Date.now()
    const message = read(data)
    if (!message) return
    // something on the way has lost a message
    const isMissing = message.type === 'PULSE' && message.payload.cursor !== this.#cursor
    if ('cursor' in message.payload) this.#cursor = message.payload.cursor
    if (!isMissing) this.#waiting.push(message)
    if (isMissing || this.#waiting.length >= MAX_WAITING) this.end()
    this.#wake()
  }
}

function withKey(Socket: SocketClass, address: string, key: string): SocketLike {
  try {
    return new Socket(address, { headers: { Authorization: `Bearer ${key}` } })
  } catch (cause) {
    throw new TypeError('This WebSocket takes no headers, so no key: follow the controlRoomUrl of the overlay', {
      cause,
    })
  }
}

/** A text that is no message, and a type that this version does not know, is left alone. */
function read(data: unknown): LiveMessage | Pulse | undefined {
  try {
    const message = JSON.parse(String(data))
    return typeof message?.type === 'string' && typeof message.payload === 'object' ? message : undefined
  } catch {
    return undefined
  }
}
