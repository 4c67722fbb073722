import type { Socket } from 'node:net'
import { now } from './clock.ts'
import { type Origin, openSocket } from './connection.ts'
import { clientFrame, Opcode, upgradeRequest, walkFrames } from './frames.ts'
import { markedKey, markerBase, type Samples, type Trigger } from './samples.ts'

/** The figures of a thread's renderers, added up. */
export type Seen = {
  ready: number
  /** Closed before HELLO, and opened again as a page does. */
  retried: number
  frames: number
  bytes: number
  /** Frames whose seq was below one that the same renderer had already. */
  backwards: number
  paints: number
  pings: number
  closed: number
  /** Close codes, statuses of refused handshakes and socket errors, by how often. */
  closeCodes: Record<string, number>
}

/** A field by the bytes before its value, and where they stood last. */
type Field = { key: Buffer; at: number }

/** The options that renderers of one thread share. */
export type Crowd = {
  origin: Origin
  samples: Samples
  keys: (Field & { graphicId: string })[]
  seen: Seen
  /** Running numbers below this are warm-up. */
  firstNumber: number
  paint: ((renderer: Renderer) => void) | undefined
}

export const createCrowd = (origin: Origin, samples: Samples, triggers: readonly Trigger[]): Crowd => ({
  origin,
  samples,
  keys: triggers.map((trigger) => ({ key: Buffer.from(markedKey(trigger)), at: 0, graphicId: trigger.graphicId })),
  seen: { ready: 0, retried: 0, frames: 0, bytes: 0, backwards: 0, paints: 0, pings: 0, closed: 0, closeCodes: {} },
  firstNumber: 1,
  paint: undefined,
})

const nothingShown = clientFrame(Opcode.text, '{"type":"READY","payload":{"showing":[]}}')
const maxRetries = 20
const hello = '{"type":"HELLO"'.charCodeAt(9)

/** One browser source as the server sees it: a raw socket, because a full client would be the bottleneck. */
export class Renderer {
  readonly #crowd: Crowd
  readonly #key: string
  #socket: Socket
  #greeted = false
  #kept: Buffer | undefined
  #upgraded = false
  #graphicId = ''
  #closeCode: number | string = 1006
  seq = 0
  paintedAt = 0
  paintDue = false

  constructor(crowd: Crowd, key: string) {
    this.#crowd = crowd
    this.#key = key
    this.#socket = this.#open()
  }

  #open(): Socket {
    const { origin } = this.#crowd
    const socket = openSocket(origin, (bytes, length) => this.#read(bytes, length))
    socket.on('error', (error) => {
      this.#closeCode = error.message
    })
    socket.on('close', () => this.#closed())
    socket.write(upgradeRequest(`${origin.host}:${origin.port}`, `/overlay/${this.#key}/socket`))
    return socket
  }

  /** Resets the connection, so that no port stays behind in TIME_WAIT. */
  close(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.resetAndDestroy()
  }

  reportPaint(at: number): void {
    this.paintDue = false
    this.paintedAt = at
    this.#crowd.seen.paints++
    const report = `{"type":"READY","payload":{"graphicId":"${this.#graphicId}","seq":${this.seq}}}`
    this.#socket.write(clientFrame(Opcode.text, report))
  }

  #closed(): void {
    const { seen } = this.#crowd
    if (!this.#greeted && this.#upgraded && seen.retried < maxRetries) {
      seen.retried++
      this.#kept = undefined
      this.#upgraded = false
      this.#socket = this.#open()
      return
    }
    seen.closed++
    seen.closeCodes[this.#closeCode] = (seen.closeCodes[this.#closeCode] ?? 0) + 1
  }

  #read(chunk: Buffer, chunkLength: number): void {
    const at = now()
    const bytes = this.#kept ? Buffer.concat([this.#kept, chunk.subarray(0, chunkLength)]) : chunk
    const length = this.#kept ? bytes.length : chunkLength
    let used = 0
    if (!this.#upgraded) {
      const head = bytes.subarray(0, length).indexOf('\r\n\r\n')
      this.#upgraded = head >= 0 && bytes.toString('latin1', 9, 12) === '101'
      if (head >= 0 && !this.#upgraded) {
        // the status of a refusal counts like a close code
        this.#closeCode = Number(bytes.toString('latin1', 9, 12))
        this.#socket.destroy()
      }
      if (this.#upgraded) used = head + 4
    }
    if (this.#upgraded) {
      const rest = used === 0 ? bytes : bytes.subarray(used)
      used += walkFrames(rest, length - used, (opcode, start, end) => this.#frame(rest, opcode, start, end, at))
    }
    this.#kept = used < length ? Buffer.from(bytes.subarray(used, length)) : undefined
  }

  #frame(bytes: Buffer, opcode: number, start: number, end: number, at: number): void {
    if (opcode === Opcode.text) this.#text(bytes, start, end, at)
    else if (opcode === Opcode.ping) {
      this.#crowd.seen.pings++
      this.#socket.write(clientFrame(Opcode.pong, bytes.toString('latin1', start, end)))
    } else if (opcode === Opcode.close) {
      if (end - start >= 2) this.#closeCode = bytes.readUInt16BE(start)
      this.#socket.end()
    }
  }

  #text(bytes: Buffer, start: number, end: number, at: number): void {
    const { seen } = this.#crowd
    if (bytes[start + 9] === hello) {
      seen.ready++
      this.#greeted = true
      this.#socket.write(nothingShown)
      return
    }
    seen.frames++
    seen.bytes += end - start
    const seq = seqOf(bytes, start, end)
    if (seq < this.seq) seen.backwards++
    this.seq = seq
    this.#measure(bytes, start, end, at)
    if (this.#crowd.paint && this.#graphicId !== '' && !this.paintDue) {
      this.paintDue = true
      this.#crowd.paint(this)
    }
  }

  #measure(bytes: Buffer, start: number, end: number, at: number): void {
    const { keys, samples, firstNumber } = this.#crowd
    for (const marked of keys) {
      const value = markedAt(bytes, start, end, marked)
      if (value === 0) continue
      this.#graphicId = marked.graphicId
      const number = value - markerBase
      if (number < firstNumber) return
      const index = samples.count[0] ?? 0
      samples.latency[index] = at - (samples.intended[number] ?? 0)
      samples.trigger[index] = number
      samples.count[0] = index + 1
      return
    }
  }
}

/** The marked value of a frame, 0 without one. */
function markedAt(bytes: Buffer, start: number, end: number, marked: Field): number {
  const at = fieldAt(bytes, start, end, marked)
  const value = at === 0 ? 0 : numberAt(bytes, at)
  return value >= markerBase ? value : 0
}

const seqField: Field = { key: Buffer.from('"seq":'), at: 0 }

const seqOf = (bytes: Buffer, start: number, end: number): number => {
  const at = fieldAt(bytes, start, end, seqField)
  return at === 0 ? 0 : numberAt(bytes, at)
}

/** Where the value of a field starts, 0 without it. It mostly stands where it stood in the frame before. */
function fieldAt(bytes: Buffer, start: number, end: number, field: Field): number {
  const { key } = field
  const usual = start + field.at
  if (usual + key.length < end && bytes.compare(key, 0, key.length, usual, usual + key.length) === 0)
    return usual + key.length
  const found = bytes.subarray(start, end).indexOf(key)
  if (found < 0) return 0
  field.at = found
  return start + found + key.length
}

/** The whole number that starts there; a body that is JSON ends it. */
function numberAt(bytes: Buffer, at: number): number {
  let value = 0
  for (let i = at; ; i++) {
    const digit = (bytes[i] ?? 0) - 48
    if (digit < 0 || digit > 9) return value
    value = value * 10 + digit
  }
}
