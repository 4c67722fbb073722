import type { HttpResponse, HttpRequest as UwsRequest } from 'uWebSockets.js'
import type { Logger } from 'pino'
import { bodyTooLarge, unexpected } from '../errors.ts'
import { type ByteSource, ClientGone, type HttpReply, type HttpRequest } from './message.ts'
import { statusLine } from './status.ts'
import { sendParts } from './uws-parts.ts'
import type { Sender, Sending } from './uws-sender.ts'

/** Kept in memory before anybody asks for the body; more makes the client wait. */
const EARLY_BYTES = 1_048_576
/** Read and thrown away after a refusal, so that the client is there to read the answer; more cuts it off. */
const DRAIN_BYTES = 16 * 1_048_576
/** uWS copies the rest that the kernel does not take of a smaller answer, once; of a larger one it keeps nothing. */
const STREAMED_BYTES = 16_384
const SLICE_BYTES = 65_536
const UNSAFE_HEADER = /[\r\n\0]/

/** The state that all requests of one server share. */
export type Shared = {
  log: Logger
  sender: Sender
  pending: number
  closing: boolean
  idle: (() => void) | undefined
  /** How long a client may take nothing of an answer in parts. */
  stalledMs: number
}

/** One request and its answer. uWS objects may only be touched until `#over`. */
export class Exchange implements HttpRequest, Sending {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #res: HttpResponse
  readonly #shared: Shared
  readonly #headers = new Map<string, string>()
  #over = false
  #complete = true
  #discarding = false
  #paused = false
  #declaredBytes = 0
  #receivedBytes = 0
  #waitingBytes = 0
  #streaming = false
  #maxBytes = Number.POSITIVE_INFINITY
  #chunks: Buffer[] = []
  #reader: { resolve(body: Buffer | undefined): void; reject(error: unknown): void } | undefined
  #reply: HttpReply | undefined
  #parts: { abort(): void } | undefined
  #source: ByteSource | undefined
  /** The bytes that the source fetched for the next slice. */
  #fetched: Buffer | undefined

  constructor(res: HttpResponse, req: UwsRequest, shared: Shared) {
    // first, since uWS aborts the whole process when a callback ends with neither an answer nor this
    res.onAborted(() => this.#abort())
    this.#res = res
    this.#shared = shared
    shared.pending++
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    // undefined without a question mark, against the types
    this.query = req.getQuery() ?? ''
    req.forEach((name, value) => {
      const before = this.#headers.get(name)
      this.#headers.set(name, before === undefined ? value : `${before}, ${value}`)
    })
    const length = this.#headers.get('content-length')
    if ((length !== undefined && length !== '0') || this.#headers.has('transfer-encoding')) {
      this.#complete = false
      this.#declaredBytes = Number(length ?? 0)
      // uWS throws away bytes that arrive before this is attached, so it cannot wait for body()
      res.onData((chunk, last) => {
        if (this.#over) return
        // a throw in a callback of uWS would leave the request hanging
        try {
          this.#receive(chunk, last)
        } catch (error) {
          shared.log.error({ err: error, method: this.method }, 'body could not be read')
          this.fail()
        }
      })
    }
  }

  header(name: string): string {
    return this.#headers.get(name) ?? ''
  }

  has(name: string): boolean {
    return this.#headers.has(name)
  }

  get remoteAddress(): string {
    return this.#over ? '' : Buffer.from(this.#res.getRemoteAddressAsText()).toString()
  }

  body(maxBytes: number): Promise<Buffer | undefined> {
    if (this.#over) return Promise.resolve(undefined)
    if (this.#exceeds(maxBytes)) return Promise.reject(bodyTooLarge(maxBytes))
    if (this.#complete) return Promise.resolve(this.#whole())
    this.#maxBytes = maxBytes
    if (this.#paused) this.#resume()
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject }
    })
  }

  async *chunks(maxBytes: number): AsyncGenerator<Buffer, void> {
    if (this.#exceeds(maxBytes)) throw bodyTooLarge(maxBytes)
    this.#maxBytes = maxBytes
    this.#streaming = true
    for (;;) {
      if (this.#over) throw new ClientGone()
      // found out while the bytes before were being taken
      if (this.#discarding) throw bodyTooLarge(maxBytes)
      const chunk = this.#chunks.shift()
      if (chunk) {
        this.#waitingBytes -= chunk.byteLength
        yield chunk
      } else if (this.#complete) return
      else {
        if (this.#paused) this.#resume()
        await new Promise<unknown>((resolve, reject) => {
          this.#reader = { resolve, reject }
        })
      }
    }
  }

  /** Sends the answer now, or once the rest of an unwanted body has been read. Nothing when the client went away. */
  answer(reply: HttpReply): void {
    if (this.#over) {
      giveUp(reply)
      return
    }
    this.#reply = reply
    // also where nothing more is read on: a connection that was made to wait would wait for ever
    if (!this.#complete) this.#discard()
    if (this.#complete) this.#flush()
    else if (this.#declaredBytes > DRAIN_BYTES) this.#flushEarly()
  }

  /** The last resort: a bare 500, or no connection when even that fails. */
  fail(): void {
    try {
      const { status, body } = unexpected()
      this.answer({ status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
    } catch {
      if (!this.#over) this.#res.close()
    }
  }

  #receive(chunk: ArrayBuffer, last: boolean): void {
    this.#receivedBytes += chunk.byteLength
    this.#complete = last
    // uWS hands over bytes it had read when it was told to pause, the end too; nothing would ask for more then, and the
    // next request on this connection would never be read
    if (last && this.#paused) this.#resume()
    if (!this.#discarding && this.#receivedBytes > this.#maxBytes) {
      this.#discard()
      this.#reader?.reject(bodyTooLarge(this.#maxBytes))
      this.#reader = undefined
    }
    if (this.#discarding) {
      if (this.#reply && last) this.#flush()
      else if (this.#reply && this.#receivedBytes > DRAIN_BYTES) this.#flushEarly()
      return
    }
    // the outer one copies: uWS takes the memory back after this call
    if (chunk.byteLength > 0) this.#chunks.push(Buffer.from(Buffer.from(chunk)))
    this.#waitingBytes += chunk.byteLength
    if (this.#streaming || last) {
      this.#reader?.resolve(this.#streaming ? undefined : this.#whole())
      this.#reader = undefined
    }
    if (!last && !this.#reader && this.#waitingBytes > EARLY_BYTES && !this.#paused) {
      this.#paused = true
      this.#res.pause()
    }
  }

  /** Whether the body is known to be larger; it is thrown away then. */
  #exceeds(maxBytes: number): boolean {
    if (this.#declaredBytes <= maxBytes && this.#receivedBytes <= maxBytes) return false
    this.#discard()
    return true
  }

  #whole(): Buffer {
    const [first] = this.#chunks
    return this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks)
  }

  #discard(): void {
    this.#discarding = true
    this.#chunks = []
    if (this.#paused) this.#resume()
  }

  #resume(): void {
    this.#paused = false
    this.#res.resume()
  }

  /** While more of the body comes than is read on. An answer sent in slices cannot close the connection: 413 goes in its place. */
  #flushEarly(): void {
    const reply = this.#reply
    if (reply && (reply.stream || reply.source || reply.body.length >= STREAMED_BYTES)) {
      giveUp(reply)
      const { status, body } = bodyTooLarge(DRAIN_BYTES)
      this.#reply = { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
    }
    this.#flush()
  }

  #flush(): void {
    flushing = this
    this.#res.cork(flushCorked)
  }

  /** Only inside a cork. */
  write(): void {
    if (!this.#reply || this.#over) return
    const { status, headers, body, source, stream } = this.#reply
    // written once, also when more of the body comes in meanwhile
    this.#reply = undefined
    const size = source?.size ?? (typeof body === 'string' ? Buffer.byteLength(body) : body.length)
    const res = this.#res
    const close = this.#shared.closing || status === 413 || !this.#complete
    // before the headers, or uWS has already sent 200
    if (status !== 200) res.writeStatus(statusLine(status))
    for (const name in headers) {
      const value = headers[name] ?? ''
      if (UNSAFE_HEADER.test(value)) this.#shared.log.error({ name }, 'header left out: it has a line break')
      else res.writeHeader(name, value)
    }
    if (this.method === 'HEAD' || status === 204 || status === 304) {
      // given a length, uWS takes no more requests on the connection; given none but `close`, it prints a huge one
      if (status !== 204 && status !== 304 && !stream) res.writeHeader('Content-Length', String(size))
      if (close) res.writeHeader('Connection', 'close')
      res.endWithoutBody()
    } else if (stream) {
      if (close) res.writeHeader('Connection', 'close')
      this.#sendParts(body, stream)
      return
    } else if (source || size >= STREAMED_BYTES) {
      if (close) res.writeHeader('Connection', 'close')
      this.#stream(source ?? sourceOf(body))
      return
    } else if (close) res.end(body, true)
    // not `end`: uWS would keep every answer for a client that asks on and on and reads nothing
    else if (!res.tryEnd(body, size)[1]) {
      this.#wait(sourceOf(body))
      return
    }
    this.#finish()
  }

  /** Sends as fast as the client reads, slice by slice between other answers, without a copy for each slow client. */
  #stream(source: ByteSource): void {
    this.#wait(source)
    this.#shared.sender.begin(this, () => this.slice())
  }

  /** Goes on once the client has read. A client that asks for more before that loses the connection. */
  #wait(source: ByteSource): void {
    this.#source = source
    this.#res.onWritable(() => {
      if (!this.#over) this.#shared.sender.join(this)
      return true
    })
  }

  /** Sends a body of which only a part is there at a time. */
  #sendParts(first: string | Buffer, rest: AsyncIterable<string | Buffer>): void {
    this.#parts = sendParts(this.#res, {
      first,
      rest,
      log: this.#shared.log,
      stalledMs: this.#shared.stalledMs,
      ended: () => this.#finish(),
    })
  }

  sendSlice(): number {
    if (this.#over) return 0
    try {
      slicing = this
      sliced = 0
      this.#res.cork(sliceCorked)
      return sliced
    } catch (error) {
      this.#cut(error)
      return 0
    }
  }

  /** Only inside a cork. */
  slice(): number {
    const source = this.#source
    if (!source || this.#over) return 0
    const part = this.#fetched ?? source.at(this.#res.getWriteOffset())
    this.#fetched = undefined
    if (part instanceof Promise) {
      this.#fetch(part)
      return 0
    }
    const bytes = part.length > SLICE_BYTES ? part.subarray(0, SLICE_BYTES) : part
    const [ok, done] = this.#res.tryEnd(bytes, source.size)
    if (done) this.#finish()
    // else it joins again once the client has read
    else if (ok) this.#shared.sender.join(this)
    return bytes.length
  }

  #fetch(part: Promise<Buffer>): void {
    part.then(
      (bytes) => {
        if (this.#over) return
        this.#fetched = bytes
        this.#shared.sender.join(this)
      },
      (error) => this.#cut(error),
    )
  }

  /** A client that has the half of it must not take it for the whole. */
  #cut(error: unknown): void {
    if (this.#over) return
    this.#shared.log.error({ err: error, method: this.method }, 'answer could not be sent to its end')
    this.#res.close()
  }

  #abort(): void {
    if (this.#over) return
    if (this.#parts) this.#parts.abort()
    else giveUp(this.#reply)
    this.#finish()
    this.#chunks = []
    this.#reader?.resolve(undefined)
    this.#reader = undefined
  }

  #finish(): void {
    this.#over = true
    this.#source = undefined
    this.#fetched = undefined
    this.#reply = undefined
    const shared = this.#shared
    if (--shared.pending === 0) shared.idle?.()
  }
}

/** Tells the maker of an answer in parts that no client waits for it. */
function giveUp(reply: HttpReply | undefined): void {
  const parts = reply?.stream?.[Symbol.asyncIterator]()
  parts?.return?.().catch(() => {})
}

// one function for every answer instead of a closure for each: cork runs it before it returns
let flushing: Exchange | undefined
const flushCorked = () => flushing?.write()
let slicing: Exchange | undefined
let sliced = 0
const sliceCorked = () => {
  sliced = slicing?.slice() ?? 0
}

const sourceOf = (body: string | Buffer): ByteSource => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { size: bytes.length, at: (offset) => bytes.subarray(offset) }
}
