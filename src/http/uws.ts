import './uws-environment.ts'
import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js'
import type { Logger } from 'pino'
import type { Publish, SocketEndpoint } from '../realtime/socket.ts'
import { mustBeFree } from './free-port.ts'
import type { HttpReply, HttpRequest } from './message.ts'
import { Exchange, type Shared } from './uws-exchange.ts'
import { Sender } from './uws-sender.ts'
import { addSockets, SocketHub } from './uws-sockets.ts'

export type ServerOptions = {
  /** Answers one request. A rejection becomes a 500. */
  handle(request: HttpRequest): Promise<HttpReply>
  sockets: readonly SocketEndpoint[]
  /** Whether an error means that the database is out of reach: the upgrade is refused with 503. */
  isOutOfReach?(error: unknown): boolean
  log: Logger
  /** Bytes that may wait for one socket before it is closed. */
  maxBackpressureBytes?: number
  maxFrameBytes?: number
  /** A socket that says nothing for this long, pongs included, is closed; 8 to 960. */
  idleSeconds?: number
  /** A client that takes nothing of an answer in parts for this long is cut off. */
  stalledMs?: number
  /** Other processes of ours listen on the same port: the kernel (Linux) gives each new connection to one of them. */
  sharesPort?: boolean
}

export type Server = {
  /** Resolves with the port it got; rejects when the address is taken. */
  listen(host: string, port: number): Promise<number>
  publish: Publish
  subscribers(topic: string): number
  /** Requests not answered yet. */
  pending(): number
  /** Open WebSockets. */
  connections(): number
  /** Answers from now on end their connection: who keeps some open sends the next request elsewhere. */
  sayGoodbye(): void
  /** Ends every socket with 1012. */
  endSockets(): void
  /** Frees the port; open connections go on, and every answer closes its own. */
  stopAccepting(): void
  /** Resolves when every accepted request is answered, at the latest after the timeout. */
  answered(timeoutMs: number): Promise<void>
  /** Waits for answers under way, ends every socket with 1012, then drops connections that are left. */
  close(timeoutMs?: number): Promise<void>
}

/** The HTTP and WebSocket server; the only file that knows uWebSockets.js. */
export function createServer(options: ServerOptions): Server {
  const { log, sharesPort = false } = options
  // uWebSockets.js keeps its handlers after it is closed: without this they would hold a whole server each
  let served: Pick<ServerOptions, 'handle' | 'sockets'> | undefined = options
  const app = App()
  const hub = new SocketHub(options.maxBackpressureBytes ?? 1_048_576, log, options.isOutOfReach ?? (() => false))
  const stalledMs = options.stalledMs ?? 20_000
  const shared: Shared = { log, sender: new Sender(), pending: 0, closing: false, idle: undefined, stalledMs }
  const limits = { maxFrameBytes: options.maxFrameBytes ?? 65_536, idleSeconds: options.idleSeconds ?? 8 }
  let token: us_listen_socket | undefined

  const serve = async (exchange: Exchange) => {
    try {
      if (!served) return exchange.fail()
      exchange.answer(await served.handle(exchange))
    } catch (error) {
      log.error({ err: error, method: exchange.method }, 'request failed outside the router')
      exchange.fail()
    }
  }

  for (const [index, { path }] of options.sockets.entries())
    addSockets(app, { path, accept: (request) => served?.sockets[index]?.accept(request) }, hub, limits)
  app.any('/*', (res, req) => void serve(new Exchange(res, req, shared)))

  const server: Server = {
    listen: async (host, port) => {
      if (!sharesPort) await mustBeFree(host, port)
      return new Promise((resolve, reject) => {
        app.listen(host, port, (listening) => {
          if (!listening) return reject(new Error(`cannot listen on ${host}:${port}`))
          token = listening
          resolve(us_socket_local_port(listening))
        })
      })
    },
    publish: (topic, text) => {
      hub.flush()
      app.publish(topic, text)
    },
    subscribers: (topic) => app.numSubscribers(topic),
    pending: () => shared.pending,
    connections: () => hub.open.size,
    sayGoodbye: () => {
      shared.closing = true
    },
    endSockets: () => {
      for (const connection of hub.open) hub.guarded(connection, () => connection.end(1012, 'Service Restart'))
    },
    stopAccepting: () => {
      server.sayGoodbye()
      if (token) us_listen_socket_close(token)
      token = undefined
    },
    answered: async (timeoutMs) => {
      if (shared.pending === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        shared.idle = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    close: async (timeoutMs = 5_000) => {
      server.stopAccepting()
      await server.answered(timeoutMs)
      server.endSockets()
      app.close()
      served = undefined
    },
  }
  return server
}
