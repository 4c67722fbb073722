import type { Admission, Card } from '../ports.ts'
import type { Receiver } from '../receiver.ts'
import type { Socket, SocketEvents } from '../socket.ts'
import type { Way } from './places.ts'

export type FollowerHost = { joined(follower: Follower): void; left(follower: Follower): void }

/** One socket of a page, panel or script that follows an overlay: it only listens. contract: The overlay page and its socket */
export class Follower implements SocketEvents, Receiver {
  readonly overlayId: number
  readonly way: Way
  /** Where it says it was before; empty: it wants everything. */
  readonly cursor: string
  /** Messages kept while the follower is told those that it missed; undefined: it hears with all others. */
  missed: { seq: number; text: string }[] | undefined
  readonly #admission: Admission
  readonly #host: FollowerHost
  #socket: Socket | undefined

  constructor(admission: Admission, way: Way, cursor: string, host: FollowerHost) {
    this.overlayId = admission.overlayId
    this.way = way
    this.cursor = cursor
    this.#admission = admission
    this.#host = host
  }

  open(socket: Socket): void {
    this.#socket = socket
    this.#host.joined(this)
  }

  message(): void {
    this.end(1008, 'nothing is expected here')
  }

  closed(): void {
    this.#host.left(this)
    this.#socket = undefined
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  opens(card: Card): boolean {
    return this.#admission.opens(card)
  }

  /** Closes the socket when its API key opens nothing any more. While that cannot be asked it stays. */
  async check(): Promise<void> {
    const holds = await this.#admission.holds?.().catch(() => true)
    if (holds === false) this.end(1008, 'the API key opens this no more')
  }

  send(text: string): void {
    if (this.#socket && !this.#socket.send(text)) this.end(1013, 'too slow')
  }

  subscribe(topic: string): void {
    this.#socket?.subscribe(topic)
  }

  bufferedBytes(): number {
    return this.#socket?.bufferedBytes() ?? 0
  }

  end(code: number, reason: string): void {
    this.#socket?.end(code, reason)
  }
}
