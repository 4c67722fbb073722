/** Packets of the SRT handshake as the protocol draft draws them: offsets in bytes, numbers big-endian. */
const HEADER = 16
const DESTINATION = 12
const HANDSHAKE = HEADER + 48
/** With a stream id, keys and filters it is far from full, and it is never cut in two. */
const MAX_HANDSHAKE = 1_500
const VERSION = 16
const ENCRYPTION = 20
const EXTENSION = 22
const TYPE = 36
const SOCKET = 40
const COOKIE = 44

const CONTROL_BIT = 0x8000
const CONTROL_HANDSHAKE = 0
const CONTROL_SHUTDOWN = 5
const INDUCTION = 1
const CONCLUSION = 0xffffffff
const SRT_MAGIC = 0x4a17
/** Of a caller that has not heard which one is spoken here; every answer says 5. */
const FIRST_VERSION = 4
const STREAM_ID = 5
/** The longest stream id of the protocol. */
const MAX_STREAM_ID_BYTES = 512

/** Why a caller is turned away, as the protocol numbers it for applications. */
export const REJECTED = { overload: 1402, forbidden: 1403, conflict: 1409, nothing: 1503 } as const
export type Rejection = keyof typeof REJECTED
const REJECTION_BASE = 1000

export type Handshake = {
  /** `answer`: to an induction, and never to be answered itself. */
  kind: 'induction' | 'answer' | 'conclusion'
  /** The socket of its sender. */
  socketId: number
  cookie: number
  /** Undefined when it brings none. */
  streamId: string | undefined
}

/** The question or answer in a packet of a handshake; undefined for every other packet, and for bytes that are none. */
export function readHandshake(packet: Buffer): Handshake | undefined {
  if (packet.length < HANDSHAKE || packet.length > MAX_HANDSHAKE) return undefined
  if (controlType(packet) !== CONTROL_HANDSHAKE) return undefined
  const type = packet.readUInt32BE(TYPE)
  if (type !== INDUCTION && type !== CONCLUSION) return undefined
  const kind = type === CONCLUSION ? 'conclusion' : isFirst(packet) ? 'induction' : 'answer'
  const socketId = packet.readUInt32BE(SOCKET)
  // no caller has the number 0, which stands for a listener
  if (socketId === 0 && kind !== 'answer') return undefined
  return {
    kind,
    socketId,
    cookie: packet.readUInt32BE(COOKIE),
    streamId: type === CONCLUSION ? readStreamId(packet) : undefined,
  }
}

/** The first packet of all, to a listener; a listener's answer looks alike but for its version and the socket that it is for. */
const isFirst = (packet: Buffer) =>
  packet.readUInt32BE(VERSION) === FIRST_VERSION && packet.readUInt32BE(DESTINATION) === 0

/** The answer to an induction: version 5, with the cookie that must come back. */
export function inductionAnswer(induction: Buffer, cookie: number): Buffer {
  const answer = answerTo(induction)
  answer.writeUInt32BE(5, VERSION)
  answer.writeUInt16BE(0, ENCRYPTION)
  answer.writeUInt16BE(SRT_MAGIC, EXTENSION)
  answer.writeUInt32BE(cookie, COOKIE)
  return answer
}

/** An induction in the name of the caller whose conclusion this is. */
export function inductionFor(conclusion: Buffer): Buffer {
  const induction = Buffer.from(conclusion.subarray(0, HANDSHAKE))
  induction.writeUInt32BE(FIRST_VERSION, VERSION)
  induction.writeUInt16BE(0, ENCRYPTION)
  // a datagram socket, as version 4 says it
  induction.writeUInt16BE(2, EXTENSION)
  induction.writeUInt32BE(INDUCTION, TYPE)
  induction.writeUInt32BE(0, COOKIE)
  return induction
}

/** The same conclusion with the cookie that the private listener wants. */
export function withCookie(conclusion: Buffer, cookie: number): Buffer {
  const patched = Buffer.from(conclusion)
  patched.writeUInt32BE(cookie, COOKIE)
  return patched
}

/** Turns a caller away. */
export function rejection(conclusion: Buffer, why: Rejection): Buffer {
  const answer = answerTo(conclusion)
  answer.writeUInt32BE(REJECTION_BASE + REJECTED[why], TYPE)
  return answer
}

/** Tells a peer that the connection is over. */
export function shutdown(peerSocketId: number): Buffer {
  const packet = Buffer.alloc(HEADER + 4)
  packet.writeUInt16BE(CONTROL_BIT | CONTROL_SHUTDOWN, 0)
  packet.writeUInt32BE(peerSocketId, DESTINATION)
  return packet
}

export const isShutdown = (packet: Buffer) => packet.length >= HEADER && controlType(packet) === CONTROL_SHUTDOWN

/** Undefined for a packet of data. */
function controlType(packet: Buffer): number | undefined {
  const word = packet.readUInt16BE(0)
  return (word & CONTROL_BIT) === 0 ? undefined : word & ~CONTROL_BIT
}

/** Head and body of the answer, to the socket that asked. */
function answerTo(packet: Buffer): Buffer {
  const answer = Buffer.from(packet.subarray(0, HANDSHAKE))
  answer.writeUInt32BE(packet.readUInt32BE(SOCKET), DESTINATION)
  return answer
}

function readStreamId(conclusion: Buffer): string | undefined {
  let at = HANDSHAKE
  while (at + 4 <= conclusion.length) {
    const type = conclusion.readUInt16BE(at)
    const bytes = conclusion.readUInt16BE(at + 2) * 4
    const content = conclusion.subarray(at + 4, at + 4 + bytes)
    if (content.length < bytes) return undefined
    if (type === STREAM_ID && bytes <= MAX_STREAM_ID_BYTES)
      // words of four bytes, each the other way round, filled up with zeros
      return Buffer.from(content).swap32().toString().replace(/\0+$/, '')
    at += 4 + bytes
  }
  return undefined
}
