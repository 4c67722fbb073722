import type { TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { LinkRefused } from './errors.ts'
import { encode, type Frame, FrameFault, FrameReader, FrameTooLarge, FrameType } from './frames.ts'
import { Outbox } from './outbox.ts'
import { type Pulse, SILENT_TICKS } from './pulse.ts'

/** The content of an ask, a note or an answer: JSON and bytes. */
export type Content = { readonly head: unknown; readonly body?: Uint8Array | undefined }
export type Heard = { readonly head: unknown; readonly body: Buffer }

/** Answers an ask of another node; `from` is the id of that node, which knows the secret. */
export type LinkHandler = (head: unknown, body: Buffer, from: string) => Promise<Content | undefined>

export type LinkLimits = {
  /** Asks of one link that wait for their answers. */
  readonly maxInFlight: number
  /** Bytes that one link keeps for the other side to read. */
  readonly maxWaitingBytes: number
}

export type Answering = {
  readonly socket: TLSSocket
  readonly from: string
  readonly handlers: ReadonlyMap<string, LinkHandler>
  readonly limits: LinkLimits
  readonly pulse: Pulse
  readonly log: Logger
}

/** The side of a link that is asked. The node on the other side knows the secret. */
export class AnsweringLink {
  readonly #of: Answering
  readonly #reader = new FrameReader((frame) => this.#take(frame))
  readonly #outbox = new Outbox()
  readonly #standstills: number
  readonly #inFlight = new Set<number>()
  #silent = 0
  #isClosing = false
  #onIdle: () => void = () => {}

  constructor(of: Answering) {
    this.#of = of
    this.#standstills = of.pulse.standstills
    of.socket.setNoDelay(true)
    of.socket.on('data', (chunk: Buffer) => this.#read(chunk))
    of.socket.on('close', () => {
      of.pulse.delete(this)
      this.#outbox.clear()
      this.#onIdle()
    })
    this.#outbox.attach(of.socket)
    of.pulse.add(this)
  }

  get from(): string {
    return this.#of.from
  }

  /** Refuses asks from now on; resolves when those that are under way are answered, or the other side is gone. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#inFlight.size > 0 && !this.#of.socket.destroyed)
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    this.#outbox.flush()
    this.#of.socket.end()
  }

  destroy(): void {
    this.#of.socket.destroy()
  }

  tick(isBeat: boolean): void {
    if (++this.#silent > SILENT_TICKS || this.#isStale()) this.#of.socket.destroy()
    else if (isBeat) this.#outbox.send(encode(FrameType.beat, 0, '', undefined))
  }

  /** This process stood still: the node that asked was told that the link is lost, and may have asked another one since. */
  #isStale(): boolean {
    return this.#of.pulse.standstills !== this.#standstills
  }

  #read(chunk: Buffer): void {
    const { socket, log, from } = this.#of
    if (socket.destroyed) return
    if (this.#isStale()) {
      socket.destroy()
      return
    }
    this.#silent = 0
    try {
      this.#reader.push(chunk)
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error
      log.warn({ node: from, fault: error.message }, 'a link is ended, for what came over it cannot be')
      socket.destroy()
    }
  }

  #take({ type, id, kind, head, body }: Frame): void {
    if (this.#of.socket.destroyed || type === FrameType.beat) return
    const handler = this.#of.handlers.get(kind)
    if (type === FrameType.note) {
      if (handler && !this.#isClosing) this.#run(handler, head, body).catch((error) => this.#report(kind, error))
      return
    }
    if (type !== FrameType.ask || this.#inFlight.has(id)) throw new FrameFault(`a frame of type ${type} for ${id}`)
    const refused = this.#unfit()
    if (refused) this.#refuse(id, refused)
    else if (!handler) this.#refuse(id, new LinkRefused('unknownKind', `nothing here answers ${kind}`))
    else this.#answerWith(id, kind, this.#run(handler, head, body))
  }

  /** Why nothing is taken now. */
  #unfit(): LinkRefused | undefined {
    if (this.#isClosing) return new LinkRefused('closing', 'this node is about to end')
    if (this.#inFlight.size < this.#of.limits.maxInFlight) return undefined
    return new LinkRefused('busy', 'too many asks of this link are under way')
  }

  #answerWith(id: number, kind: string, work: Promise<Content | undefined>): void {
    this.#inFlight.add(id)
    work.then(
      (said) => this.#answer(id, said),
      (error) => {
        this.#report(kind, error)
        this.#refuse(id, error)
      },
    )
  }

  async #run(handler: LinkHandler, head: unknown, body: Buffer): Promise<Content | undefined> {
    return handler(head, body, this.#of.from)
  }

  #report(kind: string, error: unknown): void {
    if (!(error instanceof LinkRefused)) this.#of.log.error({ err: error, kind, node: this.#of.from }, 'an ask failed')
  }

  #answer(id: number, said: Content | undefined): void {
    try {
      this.#send(id, encode(FrameType.answer, id, '', said?.head, said?.body))
    } catch (error) {
      this.#refuse(id, error)
    }
  }

  #refuse(id: number, error: unknown): void {
    this.#send(id, refusal(id, error))
  }

  #send(id: number, bytes: Buffer): void {
    const { socket, limits, log, from } = this.#of
    this.#inFlight.delete(id)
    if (socket.destroyed) return
    this.#outbox.send(bytes)
    if (this.#outbox.bytes > limits.maxWaitingBytes) {
      log.warn({ node: from }, 'a link is ended, for its answers are not read')
      socket.destroy()
    }
    if (this.#inFlight.size === 0) this.#onIdle()
  }
}

function refusal(id: number, error: unknown): Buffer {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  const told = error instanceof FrameTooLarge ? 'tooLarge' : name
  try {
    const data = error instanceof LinkRefused ? error.data : undefined
    return encode(FrameType.refused, id, '', { name: told, message, data })
  } catch {
    // the answer is no JSON, or too long for a frame
    return encode(FrameType.refused, id, '', { name: told, message: message.slice(0, 1_000) })
  }
}
