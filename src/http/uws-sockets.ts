import type {
  HttpResponse,
  TemplatedApp,
  HttpRequest as UwsRequest,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js'
import type { Logger } from 'pino'
import { ApiError, notFound, unavailable, unexpected, upgradeRequired } from '../errors.ts'
import type { Socket, SocketEndpoint, SocketEvents } from '../realtime/socket.ts'
import { requestIdOf } from './headers.ts'
import { statusLine } from './status.ts'

export type SocketLimits = { maxFrameBytes: number; idleSeconds: number }

const WEBSOCKET_VERSION = '13'

/** Our data that uWS keeps with a socket; it copies the fields onto its own object. */
type Held = { connection: Connection }

/** One WebSocket. Sends of one turn of the loop leave in one write. */
class Connection implements Socket {
  readonly #events: SocketEvents
  readonly #hub: SocketHub
  #ws: WebSocket<Held> | undefined
  #queue: string[] | undefined

  constructor(events: SocketEvents, hub: SocketHub) {
    this.#events = events
    this.#hub = hub
  }

  send(text: string): boolean {
    if (!this.#ws) return false
    if (this.#queue) this.#queue.push(text)
    else {
      this.#queue = [text]
      this.#hub.flushSoon(this)
    }
    return this.#ws.getBufferedAmount() <= this.#hub.maxBackpressureBytes
  }

  subscribe(topic: string): void {
    this.#ws?.subscribe(topic)
  }

  unsubscribe(topic: string): void {
    this.#ws?.unsubscribe(topic)
  }

  bufferedBytes(): number {
    // frames sent in this turn of the loop count too
    this.flush()
    return this.#ws?.getBufferedAmount() ?? 0
  }

  end(code: number, reason: string): void {
    this.flush()
    this.#ws?.end(code, reason)
  }

  flush(): void {
    const queue = this.#queue
    this.#queue = undefined
    if (!queue || !this.#ws) return
    if (queue.length === 1 && queue[0] !== undefined) this.#ws.send(queue[0])
    else
      this.#ws.cork(() => {
        // a send over the limit closes the socket, and the next one would throw
        for (const text of queue) this.#ws?.send(text)
      })
  }

  attach(ws: WebSocket<Held>): void {
    this.#ws = ws
  }

  opened(): void {
    if (!this.#ws) return
    this.#hub.open.add(this)
    this.#events.open(this)
  }

  received(frame: ArrayBuffer, binary: boolean): void {
    if (binary) this.end(1008, 'text frames only')
    else this.#events.message(Buffer.from(frame).toString())
  }

  closed(code: number): void {
    this.#ws = undefined
    this.#queue = undefined
    if (this.#hub.open.delete(this)) this.#events.closed(code)
  }
}

/** All sockets of one server. */
export class SocketHub {
  readonly open = new Set<Connection>()
  readonly maxBackpressureBytes: number
  readonly log: Logger
  readonly isOutOfReach: (error: unknown) => boolean
  #unflushed: Connection[] = []

  constructor(maxBackpressureBytes: number, log: Logger, isOutOfReach: (error: unknown) => boolean) {
    this.maxBackpressureBytes = maxBackpressureBytes
    this.log = log
    this.isOutOfReach = isOutOfReach
  }

  flushSoon(connection: Connection): void {
    if (this.#unflushed.push(connection) === 1) queueMicrotask(() => this.flush())
  }

  /** Also before every publish, so that a topic's frame cannot overtake one sent earlier to a single socket. */
  flush(): void {
    if (this.#unflushed.length === 0) return
    const unflushed = this.#unflushed
    this.#unflushed = []
    for (const connection of unflushed) this.guarded(connection, () => connection.flush())
  }

  /** A throw in a callback of uWS would end the process or leave the socket half alive. */
  guarded(connection: Connection, run: () => void): void {
    try {
      run()
    } catch (error) {
      this.log.error({ err: error }, 'socket callback failed')
      try {
        connection.end(1011, 'Unexpected error')
      } catch (cause) {
        this.log.error({ err: cause }, 'socket could not be ended')
      }
    }
  }
}

/** Decodes the parameters of an upgrade once; undefined when one is badly encoded. */
function pathParams(names: readonly string[], req: UwsRequest): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(req.getParameter(index) ?? '')]))
  } catch {
    return undefined
  }
}

function upgrade(endpoint: SocketEndpoint, names: readonly string[], hub: SocketHub) {
  return (res: HttpResponse, req: UwsRequest, context: us_socket_context_t) => {
    let aborted = false
    res.onAborted(() => {
      aborted = true
    })
    const params = pathParams(names, req)
    const requestId = requestIdOf({ header: (name) => req.getHeader(name) })
    const key = req.getHeader('sec-websocket-key')
    const protocol = req.getHeader('sec-websocket-protocol')
    const extensions = req.getHeader('sec-websocket-extensions')
    const request = {
      params: params ?? {},
      query: new URLSearchParams(req.getQuery()),
      authorization: req.getHeader('authorization'),
      serviceApiKey: req.getHeader('x-service-api-key'),
      userAgent: req.getHeader('user-agent'),
      remoteAddress: Buffer.from(res.getRemoteAddressAsText()).toString(),
    }
    const refuse = ({ status, body, headers }: ApiError) => {
      if (aborted) return
      res.cork(() => {
        res.writeStatus(statusLine(status)).writeHeader('Content-Type', 'application/json')
        res.writeHeader('X-Request-Id', requestId)
        if (status === 401) res.writeHeader('WWW-Authenticate', 'Bearer')
        for (const name in headers) res.writeHeader(name, headers[name] ?? '')
        res.end(JSON.stringify(body), true)
      })
    }
    const failed = (error: unknown) => {
      if (error instanceof ApiError) return refuse(error)
      if (hub.isOutOfReach(error)) return refuse(unavailable())
      hub.log.error({ err: error }, 'upgrade failed')
      refuse(unexpected())
    }
    const acceptLater = async (found: Promise<SocketEvents | undefined>) => {
      const events = await found
      if (!events) return refuse(notFound())
      if (aborted) return
      const connection = new Connection(events, hub)
      const held: Held = { connection }
      // at the end of a cork uWS may take a socket that it upgraded in place for a response and close it, about once in
      // five thousand; renderers reconnect, and without the cork it prints a warning for each upgrade
      res.cork(() => res.upgrade(held, key, protocol, extensions, context))
      // uWS reads memory that it has just freed when this cork ends: an allocation before then can make it drop the socket
      hub.guarded(connection, () => connection.opened())
    }
    // other versions of the protocol are refused. RFC 6455 4.2.2
    if (req.getHeader('sec-websocket-version') !== WEBSOCKET_VERSION) return refuse(upgradeRequired(WEBSOCKET_VERSION))
    if (!params) return refuse(notFound())
    try {
      const found = endpoint.accept(request)
      if (found instanceof Promise) {
        acceptLater(found).catch(failed)
        return
      }
      if (!found) return refuse(notFound())
      // known at once: upgraded where uWS expects it
      const connection = new Connection(found, hub)
      res.upgrade({ connection }, key, protocol, extensions, context)
      hub.guarded(connection, () => connection.opened())
    } catch (error) {
      failed(error)
    }
  }
}

/** Registers one path that upgrades. */
export function addSockets(app: TemplatedApp, endpoint: SocketEndpoint, hub: SocketHub, limits: SocketLimits): void {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  app.ws<Held>(endpoint.path.replace(/\{(\w+)\}/g, ':$1'), {
    maxPayloadLength: limits.maxFrameBytes,
    maxBackpressure: hub.maxBackpressureBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: limits.idleSeconds,
    sendPingsAutomatically: true,
    upgrade: upgrade(endpoint, names, hub),
    open: (ws) => ws.getUserData().connection.attach(ws),
    message: (ws, frame, binary) => {
      const { connection } = ws.getUserData()
      hub.guarded(connection, () => connection.received(frame, binary))
    },
    close: (ws, code) => {
      const { connection } = ws.getUserData()
      hub.guarded(connection, () => connection.closed(code))
    },
  })
}
