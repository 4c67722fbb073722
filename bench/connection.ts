import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { now } from './clock.ts'

/** Where a socket goes: host and port of a URL, with TLS for https. */
export type Origin = { host: string; port: number; secure: boolean }

export function originOf(url: string): Origin {
  const { hostname, port, protocol } = new URL(url)
  const secure = protocol === 'https:'
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (secure ? 443 : 80), secure }
}

// every read lands here and is used up before the next one, so that no read allocates
const shared = Buffer.allocUnsafeSlow(262_144)

/** Opens a socket whose reads cost no allocation. The bytes are valid only during the call. */
export function openSocket(origin: Origin, read: (bytes: Buffer, length: number) => void): Socket {
  if (origin.secure) {
    const socket = connectTls({ host: origin.host, port: origin.port, servername: origin.host })
    return socket.on('data', (bytes: Buffer) => read(bytes, bytes.length)).setNoDelay(true)
  }
  const onread = {
    buffer: shared,
    callback: (length: number) => {
      read(shared, length)
      return true
    },
  }
  return connect({ host: origin.host, port: origin.port, noDelay: true, onread })
}

/** Servers end a connection that nobody used for ten seconds; a request that meets that moment is lost. */
const STALE_MS = 5_000

/** A status of 0 means that the connection broke. */
export type Answered = (status: number, body: string) => void

/** One keep-alive HTTP/1.1 connection with one request at a time, for closed-loop clients. */
export class Connection {
  readonly #origin: Origin
  readonly #wantsBody: boolean
  #socket: Socket
  #answered: Answered | undefined
  #kept: Buffer | undefined
  #closed = false
  #usedAt = now()

  constructor(origin: Origin, wantsBody = false) {
    this.#origin = origin
    this.#wantsBody = wantsBody
    this.#socket = this.#open()
  }

  get busy(): boolean {
    return this.#answered !== undefined
  }

  /** Sends a whole request as text; latin1, so that escapes must keep the body within it. */
  send(request: string, answered: Answered): void {
    if (now() - this.#usedAt > STALE_MS) this.#reopen()
    this.#usedAt = now()
    this.#answered = answered
    this.#socket.write(request, 'latin1')
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #reopen(): void {
    const stale = this.#socket
    this.#kept = undefined
    this.#socket = this.#open()
    stale.destroy()
  }

  #open(): Socket {
    const socket = openSocket(this.#origin, (bytes, length) => this.#read(bytes.subarray(0, length)))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#closed || socket !== this.#socket) return
      this.#kept = undefined
      this.#socket = this.#open()
      this.#settle(0, '')
    })
    return socket
  }

  #read(chunk: Buffer): void {
    const bytes = this.#kept ? Buffer.concat([this.#kept, chunk]) : chunk
    const end = endOfResponse(bytes)
    if (end === undefined) {
      this.#kept = Buffer.from(bytes)
      return
    }
    this.#kept = undefined
    const status = Number(bytes.toString('latin1', 9, 12))
    this.#settle(status, this.#wantsBody || status >= 300 ? bytes.toString('utf8', end.body, end.end) : '')
  }

  #settle(status: number, body: string): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(status, body)
  }
}

/** Where the body starts and the response ends, or undefined while it is incomplete. */
function endOfResponse(bytes: Buffer): { body: number; end: number } | undefined {
  const head = bytes.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const body = head + 4
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, head))
  if (length) return body + Number(length[1]) <= bytes.length ? { body, end: body + Number(length[1]) } : undefined
  const chunked = bytes.indexOf('0\r\n\r\n', body)
  return chunked < 0 ? undefined : { body, end: chunked + 5 }
}
