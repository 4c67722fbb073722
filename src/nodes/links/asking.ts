import { randomBytes } from 'node:crypto'
import { connect, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { parseNodeUrl } from '../../node-url.ts'
import type { NodeAddress } from '../ownership.ts'
import type { Heard, LinkLimits } from './answering.ts'
import { LinkLost, LinkRefused, LinkTimeout } from './errors.ts'
import { encode, type Frame, FrameFault, FrameReader, FrameTooLarge, FrameType } from './frames.ts'
import { HANDSHAKE_MS, type Identity, identityText, parseIdentity, tlsOptions } from './identity.ts'
import { Outbox, type Outgoing } from './outbox.ts'
import { type Pulse, SILENT_TICKS } from './pulse.ts'

/** A lost link is tried again after 50 ms, then after twice as long each time, up to half a second, half of it by chance. */
const FIRST_RETRY_MS = 50
const LAST_RETRY_MS = 500
/** A link that is down, and that nobody asked for so long, is not tried any more. */
const FORGET_MS = 30_000

export type Asking = Identity & {
  readonly node: NodeAddress
  readonly secret: () => Buffer
  readonly limits: LinkLimits
  readonly pulse: Pulse
  readonly log: Logger
  /** No caller waits for the answer any more. */
  onForgotten(link: AskingLink): void
}

type Ask = Outgoing & {
  readonly timer: NodeJS.Timeout
  readonly since: number
  resolve(heard: Heard): void
  reject(error: Error): void
}

/** The side of a link that asks: one connection, opened by the first ask, kept, and opened again when it is lost. */
export class AskingLink {
  readonly #of: Asking
  readonly #asks = new Map<number, Ask>()
  readonly #outbox = new Outbox()
  #reader: FrameReader
  #socket: TLSSocket | undefined
  #isOpen = false
  #isClosed = false
  #lastId = 0
  #silent = 0
  #failures = 0
  #retry: NodeJS.Timeout | undefined
  #askedAt = performance.now()
  /** Why the last connection ended, or could not be made; each reason is logged once. */
  #fault = ''

  constructor(of: Asking) {
    this.#of = of
    this.#reader = this.#newReader()
    of.pulse.add(this)
  }

  get url(): string {
    return this.#of.node.url
  }

  /** For how long the oldest ask waits for its answer, ms. */
  get waitsMs(): number {
    const [oldest] = this.#asks.values()
    return oldest ? performance.now() - oldest.since : 0
  }

  ask(kind: string, head: unknown, body: Uint8Array | undefined, withinMs: number): Promise<Heard> {
    const full = this.#reachable() ?? this.#room(this.#asks.size)
    if (full) return Promise.reject(full)
    const id = this.#nextId()
    const bytes = tryEncode(FrameType.ask, id, kind, head, body)
    if (bytes instanceof Error) return Promise.reject(bytes)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#timeOut(id), withinMs)
      const ask: Ask = { bytes, sent: false, timer, since: performance.now(), resolve, reject }
      this.#asks.set(id, ask)
      this.#outbox.add(ask)
    })
  }

  /** Sends a note, which is gone when the link is. */
  note(kind: string, head: unknown, body: Uint8Array | undefined): void {
    const fault = this.#reachable() ?? this.#room(this.#outbox.length)
    const bytes = fault ?? tryEncode(FrameType.note, 0, kind, head, body)
    if (bytes instanceof Error) this.#of.log.debug({ err: bytes, kind, node: this.#of.node.id }, 'a note was dropped')
    else this.#outbox.send(bytes)
  }

  close(why: string): void {
    this.#isClosed = true
    this.#of.pulse.delete(this)
    clearTimeout(this.#retry)
    this.#lose(why)
  }

  tick(isBeat: boolean): void {
    if (this.#isOpen && ++this.#silent > SILENT_TICKS) this.#lose('it fell silent')
    else if (this.#isOpen && isBeat) this.#outbox.send(encode(FrameType.beat, 0, '', undefined))
    else if (!this.#isOpen && performance.now() - this.#askedAt > FORGET_MS) {
      this.close('nobody asked it')
      this.#of.onForgotten(this)
    }
  }

  /** Why the node cannot be asked now; opens the link where it was not open. */
  #reachable(): Error | undefined {
    this.#askedAt = performance.now()
    if (this.#isClosed) return new LinkLost('this node is about to end', false)
    if (this.#retry) return new LinkLost(`no link to ${this.#of.node.id}: ${this.#fault}`, false)
    if (!this.#socket) this.#connect()
    return undefined
  }

  #room(waiting: number): Error | undefined {
    const { maxInFlight, maxWaitingBytes } = this.#of.limits
    if (waiting < maxInFlight && this.#outbox.bytes < maxWaitingBytes) return undefined
    return new LinkRefused('busy', `too much waits for ${this.#of.node.id}`)
  }

  #nextId(): number {
    do this.#lastId = (this.#lastId + 1) >>> 0
    while (this.#asks.has(this.#lastId))
    return this.#lastId
  }

  #timeOut(id: number): void {
    const ask = this.#asks.get(id)
    if (!ask) return
    this.#asks.delete(id)
    const { node } = this.#of
    if (this.#outbox.withdraw(ask)) ask.reject(new LinkLost(`no link to ${node.id} in time`, false))
    else ask.reject(new LinkTimeout(`no answer of ${node.id} in time`))
  }

  #connect(): void {
    const { node, secret, service, id } = this.#of
    let refused: string | undefined
    let socket: TLSSocket
    try {
      socket = connect({
        ...tlsOptions,
        ...parseNodeUrl(node.url),
        // there are no certificates; checked is the id that the node claims, to which the handshake holds it
        checkServerIdentity: () => undefined,
        pskCallback: (hint) => {
          const there = parseIdentity(hint ?? '')
          refused = unwanted(there, service, node)
          // a node of another database learns who asked, and nothing of the secret
          const psk = there?.service === service ? secret() : randomBytes(32)
          return { identity: identityText({ service, id }), psk }
        },
      })
    } catch (error) {
      queueMicrotask(() => this.#lose(error instanceof Error ? error.message : String(error)))
      return
    }
    this.#socket = socket
    const timer = setTimeout(() => socket.destroy(new Error('it did not open in time')), HANDSHAKE_MS).unref()
    let fault: string | undefined
    socket.setNoDelay(true)
    socket.on('error', (error: NodeJS.ErrnoException) => {
      fault ??= refused ?? meaning(error)
    })
    socket.on('secureConnect', () => {
      clearTimeout(timer)
      if (refused !== undefined) socket.destroy(new Error(refused))
      else if (socket === this.#socket) this.#open(socket)
    })
    socket.on('data', (chunk: Buffer) => {
      if (socket === this.#socket) this.#read(chunk)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      if (socket === this.#socket) this.#lose(fault ?? 'it was closed')
    })
  }

  #open(socket: TLSSocket): void {
    this.#isOpen = true
    this.#silent = 0
    this.#reader = this.#newReader()
    if (this.#failures > 0) this.#of.log.info({ node: this.#of.node.id }, 'the link to a node is back')
    this.#failures = 0
    this.#fault = ''
    this.#outbox.attach(socket)
  }

  /** Callers that wait are told now; a question that never left is known as such. */
  #lose(why: string): void {
    const socket = this.#socket
    const { node, log } = this.#of
    this.#socket = undefined
    this.#isOpen = false
    socket?.destroy()
    if (!this.#isClosed) {
      if (why !== this.#fault) log.warn({ node: node.id, url: node.url, why }, 'no link to a node')
      this.#fault = why
      this.#retryLater()
    }
    this.#outbox.clear()
    const asks = [...this.#asks.values()]
    this.#asks.clear()
    for (const { timer, sent, reject } of asks) {
      clearTimeout(timer)
      reject(new LinkLost(`the link to ${node.id} was lost: ${why}`, sent))
    }
  }

  #retryLater(): void {
    const longest = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(
      () => {
        this.#retry = undefined
        if (!this.#socket) this.#connect()
      },
      longest * (0.5 + Math.random() / 2),
    ).unref()
  }

  #newReader = () => new FrameReader((frame) => this.#take(frame))

  #read(chunk: Buffer): void {
    this.#silent = 0
    try {
      this.#reader.push(chunk)
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error
      this.#lose(`it sent ${error.message}`)
    }
  }

  #take({ type, id, head, body }: Frame): void {
    if (type === FrameType.beat) return
    if (type !== FrameType.answer && type !== FrameType.refused) throw new FrameFault(`a frame of type ${type}`)
    const ask = this.#asks.get(id)
    // the answer came too late
    if (!ask) return
    this.#asks.delete(id)
    clearTimeout(ask.timer)
    if (type === FrameType.answer) ask.resolve({ head, body })
    else ask.reject(told(head))
  }
}

/** Why the node at that address is not the one that is meant; the id that it claims is proved by the rest of the handshake. */
function unwanted(there: Identity | undefined, service: string, { id, url }: NodeAddress): string | undefined {
  if (!there) return `what listens at ${url} is no node that this one can talk to`
  if (there.service !== service) return `the node at ${url} is of another database (${there.service}, not ${service})`
  if (there.id !== id) return `the node at ${url} is ${there.id} now`
  return undefined
}

const MEANINGS: Record<string, string> = {
  ERR_SSL_TLSV1_ALERT_UNKNOWN_PSK_IDENTITY: 'it is of another database, or of another version',
  ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC: 'it knows another secret',
  'ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC': 'it knows another secret',
}

const meaning = ({ code = '', message }: NodeJS.ErrnoException) => MEANINGS[code] ?? (code || message)

function tryEncode(type: number, id: number, kind: string, head: unknown, body: Uint8Array | undefined) {
  try {
    return encode(type, id, kind, head, body)
  } catch (error) {
    if (error instanceof FrameTooLarge) return new LinkRefused('tooLarge', error.message)
    return error instanceof Error ? error : new Error(String(error))
  }
}

function told(head: unknown): LinkRefused {
  const { name, message, data } = (head ?? {}) as { name?: unknown; message?: unknown; data?: unknown }
  return new LinkRefused(String(name), String(message), data)
}
