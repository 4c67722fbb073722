import type { Socket } from 'node:net'
import type { NmsCommand, NmsSession } from './nms.ts'

/** Of handshake and commands, until a key or a token is accepted. */
const MAX_BYTES_BEFORE = 65_536
const MAX_MESSAGE_BEFORE = 16_384
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** Each takes memory for the message that it announces; senders have a handful, and two until they are let in. */
const MAX_CHUNK_STREAMS_BEFORE = 8
const MAX_CHUNK_STREAMS = 16
const AUDIO = 8
const VIDEO = 9

/** One connection and its state. */
export type Peer = {
  readonly session: NmsSession
  readonly socket: Socket
  readonly ip: string
  /** By the clock for silences, as `heardAt`. */
  readonly since: number
  heardAt: number
  /** Bytes that came, and how many of them it was told of. */
  received: number
  acknowledged: number
  role: 'pending' | 'refused' | 'publisher' | 'reader'
  path: string
  /** The connection ends in an orderly way, as far as the peer said. */
  orderly: boolean
  /** Whether to believe it when it says so. */
  saysGoodbye: () => boolean
  /** One of our own processes passes on the video of a sender. */
  relayed: boolean
  /** Where the timeline of a sender that came back goes on, in ms; null once it does. */
  resumeAt: number | null
}

/** The path that a client asks to publish or read. */
export type Asked = { application: string; name: string; token: string; via: string }

function askedOf(session: NmsSession, { streamName }: NmsCommand): Asked {
  const text = typeof streamName === 'string' ? streamName : ''
  const [name = '', query = ''] = text.split('?', 2)
  const parameters = new URLSearchParams(query)
  return {
    application: String(session.rtmp.streamApp).replace(/\/+$/, ''),
    name,
    token: parameters.get('t') ?? '',
    via: parameters.get('via') ?? '',
  }
}

type Decide = (peer: Peer, asked: Asked, proceed: (message: NmsCommand) => void) => void

/** Lets nothing through to the session that it was not made for: nothing else checks the bytes of the far end. */
export function guard(peer: Peer, decide: { publish: Decide; read: Decide }, now: () => number): void {
  const { session, socket } = peer
  const { rtmp } = session
  const { onData, onPacket } = session
  const [onPublish, onPlay, packetAlloc] = [rtmp.onPublish, rtmp.onPlay, rtmp.packetAlloc]
  const once = (handle: Decide, proceed: (message: NmsCommand) => void) => (message: NmsCommand) => {
    if (peer.role !== 'pending') return void socket.destroy()
    handle(peer, askedOf(session, message), (named) => proceed.call(rtmp, named))
  }
  rtmp.onPublish = once(decide.publish, onPublish)
  rtmp.onPlay = once(decide.read, onPlay)
  rtmp.onDeleteStream = () => {
    peer.orderly = peer.saysGoodbye()
    socket.end()
  }
  rtmp.packetAlloc = () => {
    const [bytes, streams] =
      peer.role === 'publisher'
        ? [MAX_MESSAGE_BYTES, MAX_CHUNK_STREAMS]
        : [MAX_MESSAGE_BEFORE, MAX_CHUNK_STREAMS_BEFORE]
    if (rtmp.parserPacket.header.length > bytes || rtmp.inPackets.size > streams)
      throw new RangeError('a message that no sender sends')
    packetAlloc.call(rtmp)
  }
  session.onPacket = (packet) => {
    if (peer.role !== 'publisher' || session.broadcast.publisher !== session) return
    if (peer.resumeAt !== null && (packet.codec_type === AUDIO || packet.codec_type === VIDEO)) {
      // one offset for both tracks, where the server's own takes each by itself and sound drifts from picture
      const offset = peer.resumeAt - packet.dts
      session.broadcast._dtsOffset = { [AUDIO]: offset, [VIDEO]: offset }
      peer.resumeAt = null
    }
    onPacket(packet)
  }
  session.onData = (data) => {
    peer.heardAt = now()
    peer.received += data.length
    if (peer.role === 'refused') return
    try {
      onData(data)
      acknowledge(peer)
    } catch {
      // bytes that the parser cannot take would end this process, and every other sender with it
      socket.destroy()
    }
    if (peer.role === 'pending' && peer.received > MAX_BYTES_BEFORE) socket.destroy()
  }
}

/** The library counts for nobody; a sender that waits to hear of its bytes would stop after a while. */
function acknowledge(peer: Peer): void {
  const { ackSize = 0 } = peer.session.rtmp
  if (ackSize === 0 || peer.received - peer.acknowledged < ackSize) return
  peer.acknowledged = peer.received
  // the counter of the protocol has 32 bits and begins anew
  peer.session.rtmp.sendACK(peer.received % 2 ** 32)
}
