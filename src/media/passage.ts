import { type AddressInfo, connect, createServer, isIP, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Address } from './connect-guard.ts'
import { connectionFault } from './connection-fault.ts'

export type PassageTo = {
  end: 'destination' | 'source'
  /** Checked, and tried in this order. */
  addresses: readonly Address[]
  port: number
  /** The name that its TLS is told; null where it speaks none. */
  tls: string | null
}

/** A port of this machine from which every connection leads to one place, over TLS where that is wanted. */
export type Passage = {
  /** On 127.0.0.1. */
  readonly port: number
  /** Why nobody was reached the last time, for people. */
  fault(): string | undefined
  /** The ports of this machine that it is connected from now. */
  farPorts(): readonly number[]
  /** Takes no more connections, and ends those that are left; bytes on their way have two seconds to arrive. */
  close(): void
  /** Ends all at once; what is on its way is lost. */
  cut(): void
}

/** Less than ffmpeg waits for an answer, so that it is known here first. */
const CONNECTED_WITHIN_MS = 4_000
const LEAST_MS = 1_000
const FLUSHED_WITHIN_MS = 2_000
/** ffmpeg connects once, and once more when it is asked to authenticate. */
const MAX_CONNECTIONS = 8
const NO_TLS = 'NO_TLS'

/** Errors of the system in the words of ffmpeg. */
const SAID: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  EADDRNOTAVAIL: 'Network is unreachable',
  ETIMEDOUT: 'Connection timed out',
  [NO_TLS]: 'TLS handshake failed',
}

/**
 * The guarded way out for one ffmpeg that speaks RTMP: the addresses were checked, and nothing in between asks for the name again
 * or reads the URL in its own way, so that the connection goes to a checked address. TLS is spoken from here on, since ffmpeg
 * that sends RTMPS by way of a proxy waits for answers that do not come. It keeps no process alive. `changed`: its far ports or its fault.
 */
export async function openPassage(
  { end, addresses, port, tls }: PassageTo,
  changed: () => void = () => {},
): Promise<Passage> {
  const nears = new Set<Socket>()
  const fars = new Set<Socket>()
  let fault: string | undefined
  let closed = false

  const lead = async (near: Socket) => {
    near.unref()
    near.on('error', () => {})
    nears.add(near)
    near.on('close', () => nears.delete(near))
    const far = await first(addresses, port, tls).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      // one that takes a connection and drops it at once was reached
      fault = connectionFault(SAID[code] ?? '', end)
      changed()
    })
    if (!far || near.destroyed || closed) {
      far?.destroy()
      return void near.destroy()
    }
    fault = undefined
    fars.add(far)
    changed()
    far.on('error', () => {})
    far.on('close', (broken) => {
      fars.delete(far)
      changed()
      if (broken) near.resetAndDestroy()
      else near.destroySoon()
    })
    near.on('close', () => far.destroySoon())
    near.pipe(far).pipe(near)
  }

  const server = createServer((near) => void lead(near))
  server.maxConnections = MAX_CONNECTIONS
  await listen(server)
  server.unref()

  return {
    port: (server.address() as AddressInfo).port,
    fault: () => fault,
    farPorts: () => [...fars].flatMap(({ localPort }) => localPort ?? []),
    close() {
      closed = true
      server.close()
      // while a far end takes nothing, nothing is read here, not even that ffmpeg has gone
      setTimeout(() => {
        for (const far of fars) far.destroy()
      }, FLUSHED_WITHIN_MS).unref()
    },
    cut() {
      closed = true
      server.close()
      for (const socket of [...fars, ...nears]) socket.destroy()
    },
  }
}

const listen = (server: Server) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject)
      // one connection that could not be taken
      server.on('error', () => {})
      resolve()
    })
  })

/** A connection to the first address that takes one; rejects with why the last one did not. */
async function first(addresses: readonly Address[], port: number, tls: string | null): Promise<Socket> {
  const withinMs = Math.max(LEAST_MS, CONNECTED_WITHIN_MS / addresses.length)
  const until = performance.now() + CONNECTED_WITHIN_MS
  let last: unknown = new Error('no address')
  for (const { address } of addresses) {
    if (performance.now() >= until) break
    try {
      return await connected(address, port, tls, withinMs)
    } catch (error) {
      last = error
    }
  }
  throw last
}

const connected = (host: string, port: number, tls: string | null, withinMs: number) =>
  new Promise<Socket>((resolve, reject) => {
    const failed = (code: string) => {
      socket.destroy()
      reject(Object.assign(new Error('not connected'), { code }))
    }
    // certificates of far ends were never checked: many of them have one that they made themselves
    const named = tls === null || isIP(tls) ? {} : { servername: tls }
    const socket =
      tls === null ? connect({ host, port }) : connectTls({ host, port, ...named, rejectUnauthorized: false })
    socket.setNoDelay(true).unref()
    const timer = setTimeout(() => failed('ETIMEDOUT'), withinMs)
    let reached = false
    socket.once('connect', () => {
      reached = true
    })
    socket.once('error', (error) => {
      clearTimeout(timer)
      failed(reached && tls !== null ? NO_TLS : 'code' in error ? String(error.code) : '')
    })
    socket.once(tls === null ? 'connect' : 'secureConnect', () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
