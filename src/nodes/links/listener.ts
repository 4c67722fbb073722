import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { Logger } from 'pino'
import { AnsweringLink, type LinkHandler, type LinkLimits } from './answering.ts'
import { Door } from './door.ts'
import { type Identity, identityText, parseIdentity, tlsOptions } from './identity.ts'
import type { Pulse } from './pulse.ts'
import { Seldom } from './seldom.ts'

export type Listening = Identity & {
  readonly secret: () => Buffer
  readonly handlers: ReadonlyMap<string, LinkHandler>
  readonly limits: LinkLimits
  readonly pulse: Pulse
  readonly log: Logger
}

/** The port for other nodes: no byte of a stranger gets further than the handshake. */
export class LinkListener {
  readonly #of: Listening
  readonly #door = new Door()
  readonly #server: Server
  readonly #links = new Set<AnsweringLink>()
  /** The identity that the other side claimed, until the handshake shows it. */
  readonly #claims = new WeakMap<TLSSocket, string>()
  readonly #told = new WeakSet<TLSSocket>()
  readonly #seldom: Seldom

  constructor(of: Listening) {
    this.#of = of
    this.#seldom = new Seldom(of.log)
    const handshakes = createTlsServer({
      ...tlsOptions,
      pskIdentityHint: identityText(of),
      pskCallback: (socket, identity) => this.#keyFor(socket, identity),
    })
    handshakes.on('secureConnection', (socket) => this.#open(socket))
    handshakes.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => this.#refused(error, socket))
    this.#server = createTcpServer((socket) => {
      // nothing that happens to a connection reaches the process
      socket.on('error', () => {})
      if (this.#door.admit(socket)) handshakes.emit('connection', socket)
      else socket.destroy()
    })
    this.#server.on('error', (err) => of.log.warn({ err }, 'the listener for other nodes has a fault'))
  }

  /** Resolves with the port. */
  listen(host: string | undefined, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
  }

  /** How many connections did not show yet that they know the secret. */
  get strangers(): number {
    return this.#door.size
  }

  /** Takes no more connections; asks that are under way are answered for so long. */
  async close(withinMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#door.close()
    const destroyAll = () => {
      for (const link of this.#links) link.destroy()
    }
    const timer = setTimeout(destroyAll, withinMs)
    await Promise.all([...this.#links].map((link) => link.close()))
    await closed
    clearTimeout(timer)
  }

  #keyFor(socket: TLSSocket, text: string): Buffer | null {
    const identity = parseIdentity(text)
    if (identity?.service === this.#of.service) {
      this.#claims.set(socket, identity.id)
      return this.#of.secret()
    }
    if (identity) {
      const fields = { node: identity.id, theirs: identity.service, ours: this.#of.service }
      this.#tell(socket, 'a node of another database was refused', fields)
    }
    return null
  }

  #refused(error: NodeJS.ErrnoException, socket: TLSSocket): void {
    const node = this.#claims.get(socket)
    const { code } = error
    if (node === undefined) this.#tell(socket, 'a stranger was refused', { code })
    else this.#tell(socket, 'a node that does not know the secret was refused', { node, code })
    socket.destroy()
  }

  /** One line for each of them, and the clearest. */
  #tell(socket: TLSSocket, text: string, fields: Record<string, unknown>): void {
    if (this.#told.has(socket)) return
    this.#told.add(socket)
    this.#seldom.warn(text, { address: socket.remoteAddress, ...fields })
  }

  #open(socket: TLSSocket): void {
    socket.on('error', () => {})
    const from = this.#claims.get(socket)
    if (from === undefined) {
      socket.destroy()
      return
    }
    this.#door.pass(socket)
    const { handlers, limits, pulse, log } = this.#of
    const link = new AnsweringLink({ socket, from, handlers, limits, pulse, log })
    this.#links.add(link)
    socket.on('close', () => this.#links.delete(link))
    // a node has one link here: with its next one it gave up the last. A silent link may have been meant for another node,
    // which had this address before
    socket.once('data', () => {
      for (const other of this.#links) if (other !== link && other.from === from) other.destroy()
    })
  }
}
