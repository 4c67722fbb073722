import { createHmac, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { createAwake } from './awake.ts'
import { createAnswerable, plain, type Source } from './datagram-sources.ts'
import {
  type Handshake,
  inductionAnswer,
  inductionFor,
  isShutdown,
  type Rejection,
  readHandshake,
  rejection,
  shutdown,
  withCookie,
} from './srt-handshake.ts'

/** A caller that is let in, and the process that takes its connection: an SRT listener on a port of this machine. */
export type Admitted = {
  /** The path or input that it reads or publishes. */
  of: string
  /** One at a time, as senders are. */
  alone: boolean
  listenOn(port: number, session: string): Listener
}

export type Listener = { ended: Promise<unknown>; stop(): Promise<unknown> }

export type GateParts = {
  bind: string
  /** Decides by the stream id. */
  admit(streamId: string): Admitted | { rejected: Rejection }
  /** Somebody was turned away. */
  refused(why: Rejection, ip: string, streamId: string): void
  /** How many connections it is read or published by, each time that changes. */
  counted(of: string, count: number): void
  /** A packet could not be handled, and was dropped. */
  failed(error: unknown): void
}

export type SrtGate = {
  /** Resolves with the port; port 0 takes any. */
  listen(port: number): Promise<number>
  /** One datagram, as the public socket gives it. Never throws, for any bytes and any source. */
  hear(packet: Buffer, from: Source): void
  /** Ends the connections that read or publish this. */
  drop(of: string): void
  /** The sender of this session; undefined when it is over. */
  caller(session: string): { ip: string; saidGoodbye: boolean } | undefined
  close(): Promise<void>
}

/** Admitted callers without a connection yet, and all of them: each one costs a process. */
const MAX_OPENING = 16
const MAX_CROSSINGS = 200
const KNOCK_MS = 40
/** Callers give up after 3 s. */
const OPENED_WITHIN_MS = 4_000
/** Both ends give up after 5 s without a packet. */
const SILENT_MS = 8_000
/** After so much silence somebody else with the same stream id is taken for the same sender, calling again. */
const TAKEN_OVER_AFTER_MS = 2_000
const SWEEP_MS = 1_000
const COOKIE_LASTS_MS = 60_000
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024
const LOOPBACK = '127.0.0.1'

type Crossing = {
  readonly session: string
  readonly of: string
  readonly alone: boolean
  readonly callerSocket: number
  readonly address: string
  readonly port: number
  readonly inner: Socket
  /** Of the private listener; 0 until it has one. */
  innerPort: number
  readonly since: number
  listener: Listener | undefined
  conclusion: Buffer
  /** Of the private listener; null until it answers. */
  cookie: number | null
  open: boolean
  heardAt: number
  saidGoodbye: boolean
}

/**
 * One public SRT port in front of private listeners, one per connection. It answers the first half of the handshake itself, reads
 * the stream id in the second, and turns away or passes every packet on as it is. Nothing is kept of a caller that has not shown
 * that packets to its address arrive, and no process is started before the stream id is accepted.
 */
export function createSrtGate({ bind, admit, refused, counted, failed }: GateParts): SrtGate {
  const outer = createSocket({ type: isIPv6(bind) ? 'udp6' : 'udp4' })
  const secret = randomBytes(32)
  const byCaller = new Map<string, Crossing>()
  const bySession = new Map<string, Crossing>()
  const awake = createAwake()
  let outerPort = 0
  const isAnswerable = createAnswerable(
    (port) => port === outerPort || [...bySession.values()].some(({ innerPort }) => port === innerPort),
  )

  const having = (wanted: string) => [...bySession.values()].filter(({ of }) => of === wanted)
  const count = (of: string) => counted(of, having(of).filter(({ open }) => open).length)

  const cookieOf = (caller: string, minute: number) =>
    createHmac('sha256', secret).update(`${caller} ${minute}`).digest().readUInt32BE(0)

  const isOurCookie = (caller: string, cookie: number) => {
    const minute = Math.floor(Date.now() / COOKIE_LASTS_MS)
    return cookie === cookieOf(caller, minute) || cookie === cookieOf(caller, minute - 1)
  }

  const end = (crossing: Crossing) => {
    const { session, address, port, callerSocket, inner, listener } = crossing
    if (!bySession.delete(session)) return
    const caller = `${address}:${port}`
    if (byCaller.get(caller) === crossing) byCaller.delete(caller)
    if (crossing.open) {
      outer.send(shutdown(callerSocket), port, address)
      count(crossing.of)
    }
    inner.close()
    void listener?.stop()
  }

  const conclude = (packet: Buffer, { socketId, streamId }: Handshake, { address, port }: Source) => {
    const turnAway = (why: Rejection) => {
      outer.send(rejection(packet, why), port, address)
      refused(why, plain(address), streamId ?? '')
    }
    const admitted = admit(streamId ?? '')
    if ('rejected' in admitted) return turnAway(admitted.rejected)
    const all = [...bySession.values()]
    // readers that wait keep no sender out
    const alike = all.filter(({ alone }) => alone === admitted.alone)
    if (alike.length >= MAX_CROSSINGS || alike.filter(({ open }) => !open).length >= MAX_OPENING)
      return turnAway('overload')
    for (const other of all.filter(({ of, alone }) => alone && of === admitted.of)) {
      if (awake.now() - other.heardAt < TAKEN_OVER_AFTER_MS) return turnAway('conflict')
      end(other)
    }
    const now = awake.now()
    const crossing: Crossing = {
      session: randomBytes(9).toString('base64url'),
      of: admitted.of,
      alone: admitted.alone,
      callerSocket: socketId,
      address,
      port,
      inner: createSocket('udp4'),
      innerPort: 0,
      since: now,
      listener: undefined,
      conclusion: packet,
      cookie: null,
      open: false,
      heardAt: now,
      saidGoodbye: false,
    }
    byCaller.set(`${address}:${port}`, crossing)
    bySession.set(crossing.session, crossing)
    cross(crossing, admitted).catch(() => end(crossing))
  }

  /** Starts the private listener, greets it in the caller's name and hands over the caller's conclusion. */
  const cross = async (crossing: Crossing, { listenOn }: Admitted) => {
    const { inner, session, address, port } = crossing
    // the listener is not there yet, or any more
    inner.on('error', () => {})
    const innerPort = await freePort()
    crossing.innerPort = innerPort
    inner.connect(innerPort, LOOPBACK)
    await once(inner, 'connect')
    if (!bySession.has(session)) return
    const listener = listenOn(innerPort, session)
    crossing.listener = listener
    void listener.ended.then(() => end(crossing))
    inner.on('message', (packet) => {
      if (crossing.cookie !== null) {
        if (!crossing.open) {
          crossing.open = true
          count(crossing.of)
        }
        return outer.send(packet, port, address)
      }
      const greeted = readHandshake(packet)
      if (greeted?.kind !== 'answer') return
      crossing.cookie = greeted.cookie
      inner.send(withCookie(crossing.conclusion, greeted.cookie))
    })
    const knock = () => inner.send(inductionFor(crossing.conclusion))
    const knocking = setInterval(() => {
      if (crossing.cookie !== null || !bySession.has(session)) return clearInterval(knocking)
      knock()
    }, KNOCK_MS)
  }

  const take = (packet: Buffer, from: Source) => {
    const caller = `${from.address}:${from.port}`
    const crossing = byCaller.get(caller)
    if (!crossing && !isAnswerable(from)) return
    const handshake = readHandshake(packet)
    // nobody was asked from here
    if (handshake?.kind === 'answer') return
    if (handshake?.kind === 'induction') {
      const minute = Math.floor(Date.now() / COOKIE_LASTS_MS)
      return outer.send(inductionAnswer(packet, cookieOf(caller, minute)), from.port, from.address)
    }
    if (handshake && crossing?.callerSocket !== handshake.socketId) {
      if (!isOurCookie(caller, handshake.cookie)) return
      // the address is in use again, by somebody new
      if (crossing) end(crossing)
      return conclude(packet, handshake, from)
    }
    if (!crossing) return
    crossing.heardAt = awake.now()
    if (handshake) crossing.conclusion = packet
    if (crossing.cookie === null) return
    if (isShutdown(packet)) crossing.saidGoodbye = true
    crossing.inner.send(handshake ? withCookie(packet, crossing.cookie) : packet)
  }
  const hear = (packet: Buffer, from: Source) => {
    try {
      take(packet, from)
    } catch (error) {
      // an error thrown out of here would end this process, and with it every sender
      failed(error)
    }
  }
  outer.on('message', hear)
  outer.on('error', () => {})

  const sweep = setInterval(() => {
    const now = awake.now()
    for (const crossing of bySession.values())
      if (now - crossing.heardAt > SILENT_MS || (!crossing.open && now - crossing.since > OPENED_WITHIN_MS))
        end(crossing)
  }, SWEEP_MS)

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        outer.once('error', reject)
        outer.bind(port, bind, () => {
          outer.off('error', reject)
          enlarge(outer)
          outerPort = outer.address().port
          resolve(outerPort)
        })
      }),
    hear,
    drop: (of) => having(of).forEach(end),
    caller(session) {
      const crossing = bySession.get(session)
      return crossing && { ip: plain(crossing.address), saidGoodbye: crossing.saidGoodbye }
    },
    async close() {
      clearInterval(sweep)
      awake.stop()
      const listeners = [...bySession.values()].map(({ listener }) => listener)
      for (const crossing of [...bySession.values()]) end(crossing)
      outer.close()
      await Promise.all(listeners.map((listener) => listener?.stop()))
    },
  }
}

/** A burst of key frames must not be lost while this process is busy; the system may allow less. */
function enlarge(socket: Socket): void {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  } catch {
    // the system's own buffer sizes stay
  }
}

async function freePort(): Promise<number> {
  const probe = createSocket('udp4')
  probe.bind(0, LOOPBACK)
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
