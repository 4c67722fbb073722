import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import type { EngineEvent } from '../ports.ts'
import {
  type Admission,
  AT_ANOTHER_NODE,
  inputIdOf,
  inputPath,
  keyStart,
  OWN_APPLICATION,
  PUBLIC_APPLICATION,
} from './admission.ts'
import { createAwake } from './awake.ts'
import type { PathStats } from './messages.ts'
import { loadNms, type NmsCommand, type NmsSession } from './nms.ts'
import { type Asked, guard, type Peer } from './rtmp-peer.ts'

/** The sender behind video that one of our own processes publishes. */
export type Caller = { ip: string; saidGoodbye: boolean }

export type RtmpParts = {
  admission: Admission
  bind: string
  /** How long the place of a sender is kept after its connection broke. */
  graceMs: number
  /** The SRT caller of a session, which the URL of its process names as `via`; undefined when it has gone. */
  caller: (session: string) => Caller | undefined
  tell: (event: EngineEvent) => void
  /** A connection sent bytes that could not be handled, and was ended. */
  failed: (error: unknown) => void
}

export type RtmpServer = {
  /** Resolves with the port; port 0 takes any. */
  listen(port: number): Promise<number>
  /** Whether somebody sends a path over RTMP now. */
  isSending(path: string): boolean
  /** Ends the publisher of a path, without grace. */
  drop(path: string): void
  stats(path: string): PathStats
  close(): void
}

/** A sender that is silent for so long has gone without saying so. */
const SILENT_MS = 10_000
/** After so much silence somebody else with the same key is taken for the same sender, connecting again. */
const TAKEN_OVER_AFTER_MS = 2_000
const ADMITTED_WITHIN_MS = 10_000
const MAX_PENDING = 100
const MAX_CONNECTIONS = 1_000
/** A reader that is so far behind does not read. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024
const SWEEP_MS = 500
/** No reader takes the same time twice. */
const RESUMED_LATER_MS = 40

const addressOf = (socket: Socket) => (socket.remoteAddress ?? '').replace(/^::ffff:/, '')

/**
 * RTMP for senders with a key and for our own processes with tokens. The right to publish or read is decided before the
 * protocol says that it began; the server's own check stays on behind it, so that a path not admitted is closed all the same.
 */
export function createRtmpServer({ admission, bind, graceMs, caller, tell, failed }: RtmpParts): RtmpServer {
  const { RtmpSession, context, logger } = loadNms()
  logger.level = 'error'
  const secret = randomBytes(16).toString('hex')
  context.config = { auth: { publish: true, play: true, secret } }
  const peers = new Map<NmsSession, Peer>()
  const awake = createAwake()
  const isHeard = ({ heardAt }: Peer) => awake.now() - heardAt < TAKEN_OVER_AFTER_MS

  const broadcastOf = (path: string) => context.broadcasts.get(`/${OWN_APPLICATION}/${path}`)

  context.eventEmitter.on('donePublish', (session: NmsSession) => {
    const path = peers.get(session)?.path ?? pathOf(session)
    tell({ type: 'down', path, inputId: inputIdOf(path), session: session.id })
    // a new sender starts its own timeline, which no reader of this one can follow
    for (const reader of broadcastOf(path)?.subscribers.values() ?? []) reader.close()
  })

  /** Thrown out of a handler it would end this process, and with it every sender. */
  const contained = (socket: Socket, handle: () => void) => {
    try {
      handle()
    } catch (error) {
      socket.destroy()
      failed(error)
    }
  }

  const refuse = (peer: Peer, code: string, reason: string, key?: string, inputId?: number) => {
    const { session, socket, ip } = peer
    peer.role = 'refused'
    session.rtmp.sendStatusMessage(session.rtmp.parserPacket.header.stream_id, 'error', code, reason)
    socket.end()
    const known = inputId !== undefined && { inputId }
    if (key !== undefined) tell({ type: 'refused', protocol: 'rtmp', ip, keyStart: keyStart(key), reason, ...known })
  }

  /** The name under which the server takes it, with the signature that its own check wants. */
  const signed = (path: string) => {
    const until = Math.floor(Date.now() / 1000) + 60
    const hash = createHash('md5').update(`/${OWN_APPLICATION}/${path}-${until}-${secret}`).digest('hex')
    return `${path}?sign=${until}-${hash}`
  }

  const publish = (peer: Peer, asked: Asked, proceed: (message: NmsCommand) => void) => {
    const { session, ip } = peer
    const input = asked.application === PUBLIC_APPLICATION ? admission.byKey(asked.name) : undefined
    if (input?.elsewhere) return refuse(peer, 'NetStream.Publish.BadName', AT_ANOTHER_NODE, asked.name, input.inputId)
    const path = admitted('publish', asked)
    if (path === undefined)
      return refuse(peer, 'NetStream.Publish.BadName', 'The stream key is not known here.', asked.name)
    const before = broadcastOf(path)
    const holder = before?.publisher ? peers.get(before.publisher) : undefined
    if (before && holder && before.getPublishStatus() === 'publishing') {
      if (isHeard(holder))
        return refuse(peer, 'NetStream.Publish.BadName', 'Somebody else is sending with this stream key.', asked.name)
      before.donePublish(holder.session)
      holder.socket.destroy()
    }
    peer.path = path
    peer.resumeAt = before?.publisher ? Math.max(0, ...Object.values(before._lastDts)) + RESUMED_LATER_MS : null
    session.rtmp.streamApp = OWN_APPLICATION
    // a client with the key is the same sender, from any address; the timeline goes on when it comes back
    session.ip = `${path}:1`
    proceed({ streamName: signed(path) })
    if (session.broadcast.publisher !== session) return void peer.socket.destroy()
    peer.role = 'publisher'
    session.broadcast.publishGraceMs = graceMs
    const inputId = inputIdOf(path)
    const isOwn = asked.application === OWN_APPLICATION
    const from = isOwn ? caller(asked.via) : undefined
    if (isOwn && inputId !== null) {
      peer.relayed = true
      // our process says goodbye whenever its source is gone, which may come back
      peer.saysGoodbye = () => caller(asked.via)?.saidGoodbye === true
    }
    const protocol = from ? 'srt' : isOwn && inputId !== null ? 'pull' : 'rtmp'
    tell({ type: 'up', path, inputId, session: session.id, protocol, ip: from?.ip ?? ip })
  }

  const read = (peer: Peer, asked: Asked, proceed: (message: NmsCommand) => void) => {
    const path = admitted('read', asked)
    if (path === undefined) return refuse(peer, 'NetStream.Play.Failed', 'There is nothing to read here.')
    peer.role = 'reader'
    peer.path = path
    peer.session.rtmp.streamApp = OWN_APPLICATION
    proceed({ streamName: signed(path) })
  }

  const admitted = (action: 'publish' | 'read', { application, name, token }: Asked): string | undefined => {
    if (application === PUBLIC_APPLICATION && action === 'publish') {
      const input = admission.byKey(name)
      return input && inputPath(input.inputId)
    }
    return application === OWN_APPLICATION && admission.isToken(action, name, token) ? name : undefined
  }

  const connect = (socket: Socket) => {
    const pending = [...peers.values()].filter(({ role }) => role === 'pending' || role === 'refused')
    // a sender asks to publish at once, so that connections that have waited longest are no senders
    if (pending.length >= MAX_PENDING) pending[0]?.socket.destroy()
    socket.setNoDelay(true)
    const session = new RtmpSession(socket)
    const now = awake.now()
    const peer: Peer = {
      session,
      socket,
      ip: addressOf(socket),
      since: now,
      heardAt: now,
      received: 0,
      acknowledged: 0,
      role: 'pending',
      path: '',
      orderly: false,
      saysGoodbye: () => true,
      relayed: false,
      resumeAt: null,
    }
    peers.set(session, peer)
    guard(peer, { publish, read }, awake.now)
    const closed = session.onClose
    const gone = () => {
      peers.delete(session)
      closed()
      const { broadcast } = session
      if (peer.role !== 'publisher' || broadcast.publisher !== session) return
      if (peer.orderly) broadcast._finishPublish()
      else tell({ type: 'gap', path: peer.path, inputId: inputIdOf(peer.path), session: session.id, graceMs })
    }
    session.onClose = () => contained(socket, gone)
    context.sessions.set(session.id, session)
    session.run()
  }

  const sweep = setInterval(() => {
    const now = awake.now()
    for (const { role, socket, since, heardAt } of peers.values()) {
      const gone =
        role === 'publisher'
          ? now - heardAt > SILENT_MS
          : role === 'reader'
            ? socket.writableLength > MAX_UNREAD_BYTES
            : now - since > ADMITTED_WITHIN_MS
      if (gone) socket.destroy()
    }
  }, SWEEP_MS)

  const server = createServer((socket) => {
    // a connection may be over before it is looked at
    contained(socket, () => connect(socket))
  })
  server.maxConnections = MAX_CONNECTIONS

  return {
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, bind, () => {
          server.off('error', reject)
          // one connection that could not be taken, such as without a descriptor left
          server.on('error', failed)
          const address = server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    isSending(path) {
      const publisher = broadcastOf(path)?.publisher
      const holder = publisher && peers.get(publisher)
      return !!holder && !holder.relayed && isHeard(holder)
    },
    drop(path) {
      const broadcast = broadcastOf(path)
      const holder = broadcast?.publisher && peers.get(broadcast.publisher)
      broadcast?._finishPublish()
      holder?.socket.destroy()
    },
    stats(path) {
      const broadcast = broadcastOf(path)
      if (!broadcast?.publisher) return null
      return { bytesIn: broadcast.publisher.inBytes, clients: broadcast.subscribers.size }
    },
    close() {
      clearInterval(sweep)
      awake.stop()
      server.close()
      for (const { socket } of peers.values()) socket.destroy()
    },
  }
}

const pathOf = ({ ip }: NmsSession) => ip.replace(/:\d+$/, '')
