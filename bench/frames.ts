/** WebSocket opcodes (RFC 6455 section 5.2). */
export const Opcode = { text: 1, close: 8, ping: 9, pong: 10 } as const

/**
 * Walks the complete unmasked frames of `bytes` up to `length`, as a server sends them, and returns how many bytes they took.
 * `seen` gets the opcode and where the body starts and ends.
 */
export function walkFrames(
  bytes: Buffer,
  length: number,
  seen: (opcode: number, start: number, end: number) => void,
): number {
  let at = 0
  while (at + 2 <= length) {
    const opcode = (bytes[at] ?? 0) & 15
    let size = (bytes[at + 1] ?? 0) & 127
    let start = at + 2
    if (size === 126) {
      if (start + 2 > length) break
      size = bytes.readUInt16BE(start)
      start += 2
    } else if (size === 127) {
      if (start + 8 > length) break
      size = Number(bytes.readBigUInt64BE(start))
      start += 8
    }
    if (start + size > length) break
    seen(opcode, start, start + size)
    at = start + size
  }
  return at
}

/** A frame as a client sends it; the mask is zero, which is a valid mask and costs nothing. */
export function clientFrame(opcode: number, text: string): Buffer {
  const body = Buffer.from(text)
  if (body.length > 65_535) throw new Error('a client frame of the bench is small')
  const head = body.length < 126 ? Buffer.alloc(6) : Buffer.alloc(8)
  head[0] = 128 | opcode
  if (body.length < 126) head[1] = 128 | body.length
  else {
    head[1] = 128 | 126
    head.writeUInt16BE(body.length, 2)
  }
  return Buffer.concat([head, body])
}

export function upgradeRequest(host: string, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nUser-Agent: tally-bench\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
}
