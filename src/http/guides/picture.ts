import type { Size } from './render.ts'

/**
 * How large a picture of the guides is, in pixels, by its first bytes: a PNG or a lossy WebP. Undefined for anything else. The
 * library that decodes uploads is not asked: what it takes is narrowed for a whole process by the first that reads uploads.
 */
export function sizeOfPicture(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  if (bytes.toString('latin1', 1, 4) === 'PNG') return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  if (bytes.toString('latin1', 8, 16) !== 'WEBPVP8 ') return undefined
  // fourteen bits each; two more say how to scale
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}
