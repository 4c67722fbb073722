import type { Socket } from 'node:net'
import { HANDSHAKE_MS } from './identity.ts'

const MAX_STRANGERS = 128
const MAX_STRANGERS_OF_ADDRESS = 32
const MAX_HANDSHAKES_A_SECOND = 200
const MAX_HANDSHAKES_A_SECOND_OF_ADDRESS = 50

type Stranger = { socket: Socket; address: string; timer: NodeJS.Timeout }

/** So many addresses of nodes are remembered. */
const MAX_KNOWN = 1_000

/**
 * Connections that did not show yet that they know the secret. Each has two seconds; a handshake costs a fraction of a
 * millisecond, so that only so many begin in a second; and where there are too many the oldest goes, since a node is through
 * within milliseconds. The limits for all together are not for addresses that nodes came from. Links that are open pass here
 * no more.
 */
export class Door {
  readonly #strangers = new Map<string, Stranger>()
  readonly #known = new Set<string>()
  #second = 0
  #begun = new Map<string, number>()
  #begunInAll = 0

  get size(): number {
    return this.#strangers.size
  }

  /** False: it is shut at once. */
  admit(socket: Socket): boolean {
    const address = socket.remoteAddress
    if (address === undefined || !this.#mayBegin(address)) return false
    this.#makeRoom(address)
    const key = keyOf(socket)
    const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS).unref()
    this.#strangers.set(key, { socket, address, timer })
    socket.once('close', () => this.#forget(key, socket))
    return true
  }

  /** The node behind this socket knows the secret. */
  pass(socket: Socket): void {
    const key = keyOf(socket)
    const address = this.#strangers.get(key)?.address
    if (address !== undefined && this.#known.size < MAX_KNOWN) this.#known.add(address)
    this.#forget(key)
  }

  close(): void {
    for (const { socket } of this.#strangers.values()) socket.destroy()
  }

  #forget(key: string, socket?: Socket): void {
    const stranger = this.#strangers.get(key)
    if (!stranger || (socket && stranger.socket !== socket)) return
    clearTimeout(stranger.timer)
    this.#strangers.delete(key)
  }

  #mayBegin(address: string): boolean {
    const second = Math.floor(performance.now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#begun = new Map()
      this.#begunInAll = 0
    }
    const begun = this.#begun.get(address) ?? 0
    if (begun >= MAX_HANDSHAKES_A_SECOND_OF_ADDRESS) return false
    if (this.#begunInAll >= MAX_HANDSHAKES_A_SECOND && !this.#known.has(address)) return false
    this.#begun.set(address, begun + 1)
    this.#begunInAll++
    return true
  }

  #makeRoom(address: string): void {
    const all = [...this.#strangers.entries()]
    const same = all.filter(([, stranger]) => stranger.address === address)
    const [oldest] = same.length >= MAX_STRANGERS_OF_ADDRESS ? same : all.length >= MAX_STRANGERS ? all : []
    if (!oldest) return
    this.#forget(oldest[0])
    oldest[1].socket.destroy()
  }
}

const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
