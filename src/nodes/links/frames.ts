/** The types of frames; a number once given is never given another meaning. */
export const FrameType = { ask: 1, note: 2, answer: 3, refused: 4, beat: 5 } as const

/** The largest frame, its own length included. */
export const MAX_FRAME_BYTES = 16 * 1024 * 1024

/** Length of what follows it (4), type (1), length of the kind (1), zero (2), id (4), length of the head (4). */
const HEADER_BYTES = 16
const LENGTH_BYTES = 4
const MAX_KIND_BYTES = 255

export type Frame = {
  readonly type: number
  /** The number of the ask in this connection, also in its answer; 0 in a note, which has no answer. */
  readonly id: number
  /** The name of the handler, in ASCII. */
  readonly kind: string
  readonly head: unknown
  readonly body: Buffer
}

/** Bytes of the other side are no frame: the connection ends. */
export class FrameFault extends Error {}

/** An ask or answer does not fit into one frame. */
export class FrameTooLarge extends Error {}

const NOTHING = Buffer.alloc(0)

/** The bytes of one frame. */
export function encode(type: number, id: number, kind: string, head: unknown, body: Uint8Array = NOTHING): Buffer {
  const json = head === undefined ? '' : (JSON.stringify(head) ?? '')
  const kindBytes = kind.length
  const headBytes = Buffer.byteLength(json)
  const total = HEADER_BYTES + kindBytes + headBytes + body.length
  if (total > MAX_FRAME_BYTES || kindBytes > MAX_KIND_BYTES) throw new FrameTooLarge(`a frame of ${total} bytes`)
  const bytes = Buffer.allocUnsafe(total)
  bytes.writeUInt32BE(total - LENGTH_BYTES, 0)
  bytes[4] = type
  bytes[5] = kindBytes
  bytes.writeUInt16BE(0, 6)
  bytes.writeUInt32BE(id, 8)
  bytes.writeUInt32BE(headBytes, 12)
  if (kindBytes > 0) bytes.write(kind, HEADER_BYTES, 'latin1')
  if (headBytes > 0) bytes.write(json, HEADER_BYTES + kindBytes)
  if (body.length > 0) bytes.set(body, HEADER_BYTES + kindBytes + headBytes)
  return bytes
}

/** Puts frames together from what a connection carries; keeps no more than one frame and what came with its end. */
export class FrameReader {
  #kept: Buffer[] = []
  #have = 0
  #need = LENGTH_BYTES
  readonly #onFrame: (frame: Frame) => void

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame
  }

  /** Throws a FrameFault at the first byte that cannot be. */
  push(chunk: Buffer): void {
    this.#kept.push(chunk)
    this.#have += chunk.length
    if (this.#have < this.#need) return
    const bytes = this.#kept.length === 1 ? chunk : Buffer.concat(this.#kept, this.#have)
    const rest = this.#read(bytes)
    this.#kept = rest.length > 0 ? [rest] : []
    this.#have = rest.length
  }

  /** Hands on every whole frame, and returns what is left. */
  #read(bytes: Buffer): Buffer {
    let at = 0
    for (;;) {
      const left = bytes.length - at
      this.#need = left < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + lengthAt(bytes, at)
      if (left < this.#need) return bytes.subarray(at)
      const end = at + this.#need
      this.#onFrame(decode(bytes, at, end))
      at = end
    }
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32BE(at)
  if (length < HEADER_BYTES - LENGTH_BYTES || length > MAX_FRAME_BYTES - LENGTH_BYTES)
    throw new FrameFault(`a frame of ${length} bytes`)
  return length
}

function decode(bytes: Buffer, at: number, end: number): Frame {
  const kindEnd = at + HEADER_BYTES + (bytes[at + 5] ?? 0)
  const headEnd = kindEnd + bytes.readUInt32BE(at + 12)
  if (headEnd > end) throw new FrameFault('a head that is longer than its frame')
  return {
    type: bytes[at + 4] ?? 0,
    id: bytes.readUInt32BE(at + 8),
    kind: bytes.toString('latin1', at + HEADER_BYTES, kindEnd),
    head: headEnd === kindEnd ? undefined : parsed(bytes.toString('utf8', kindEnd, headEnd)),
    body: bytes.subarray(headEnd, end),
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new FrameFault('a head that is not JSON')
  }
}
