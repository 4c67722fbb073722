import type { TLSSocket } from 'node:tls'

/** A frame on its way out. */
export type Outgoing = {
  /** Undefined once the frame was handed to the connection, or is not wanted any more. */
  bytes: Buffer | undefined
  /** Whether a byte of the frame may have left. */
  sent: boolean
}

/** As much as one write takes; a larger frame goes alone. */
const WRITE_BYTES = 256 * 1024

/**
 * Frames that wait to be written. Those of one turn of the loop leave in one write, since a write through TLS costs
 * more than all else; while the connection is full no frame is handed to it, so that one that is lost then is known as not sent.
 */
export class Outbox {
  #frames: Outgoing[] = []
  #bytes = 0
  #socket: TLSSocket | undefined
  #isFull = false
  #isDue = false
  readonly #flushDue = () => {
    this.#isDue = false
    this.flush()
  }

  /** Bytes of the frames that wait here, and of those that the connection did not get rid of yet. */
  get bytes(): number {
    return this.#bytes + (this.#socket?.writableLength ?? 0)
  }

  get length(): number {
    return this.#frames.length
  }

  add(frame: Outgoing): void {
    this.#frames.push(frame)
    this.#bytes += frame.bytes?.length ?? 0
    this.#schedule()
  }

  /** A frame whose fate is of no interest. */
  send(bytes: Buffer): void {
    this.add({ bytes, sent: false })
  }

  /** Takes back a frame that is not wanted any more; false when a byte of it may have left. */
  withdraw(frame: Outgoing): boolean {
    if (frame.sent) return false
    this.#bytes -= frame.bytes?.length ?? 0
    frame.bytes = undefined
    return true
  }

  /** From now on waiting frames are written to this connection. */
  attach(socket: TLSSocket): void {
    this.#socket = socket
    this.#isFull = false
    socket.on('drain', () => {
      this.#isFull = false
      this.flush()
    })
    this.#schedule()
  }

  /** The connection is gone, and the frames that waited with it. */
  clear(): void {
    this.#socket = undefined
    this.#frames = []
    this.#bytes = 0
  }

  /** Writes waiting frames, as far as the connection takes them. */
  flush(): void {
    const frames = this.#frames
    let next = 0
    while (next < frames.length && this.#socket && !this.#isFull) {
      const parts: Buffer[] = []
      let length = 0
      for (let frame = frames[next]; frame; frame = frames[++next]) {
        if (!frame.bytes) continue
        if (parts.length > 0 && length + frame.bytes.length > WRITE_BYTES) break
        parts.push(frame.bytes)
        length += frame.bytes.length
        frame.sent = true
        frame.bytes = undefined
      }
      this.#bytes -= length
      const [only] = parts
      if (only) this.#isFull = !this.#socket.write(parts.length === 1 ? only : Buffer.concat(parts, length))
    }
    // a write may have ended the connection, and emptied this
    if (frames === this.#frames) this.#frames = next === frames.length ? [] : frames.slice(next)
  }
  #schedule(): void {
    if (this.#isDue || this.#isFull || !this.#socket) return
    this.#isDue = true
    setImmediate(this.#flushDue)
  }
}
