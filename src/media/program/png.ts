import { inflateSync } from 'node:zlib'

export type Png = {
  width: number
  height: number
  /** 4: RGBA, 3: RGB. Eight bits each. */
  bytesPerPixel: 3 | 4
  /** Each row after a byte that says how it is filtered. */
  filtered: Uint8Array
}

const SIGNATURE = 8
const CHUNK_EXTRA = 12
const COLOUR_TYPES: Readonly<Record<number, 3 | 4>> = { 2: 3, 6: 4 }

/**
 * Reads a PNG as a browser writes its screen: true colour, eight bits, not interlaced. Throws on every other.
 * The checksums are left out: the bytes come through a pipe from our own child.
 */
export function readPng(bytes: Uint8Array): Png {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: Uint8Array[] = []
  for (let at = SIGNATURE; at + CHUNK_EXTRA <= bytes.length; ) {
    const length = view.getUint32(at)
    if (view.getUint32(at + 4) === IDAT) parts.push(bytes.subarray(at + 8, at + 8 + length))
    at += CHUNK_EXTRA + length
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const bytesPerPixel = COLOUR_TYPES[bytes[25] ?? 0]
  if (bytes[24] !== 8 || bytes[28] !== 0 || !bytesPerPixel) throw new Error('not a picture of a screen')
  const size = height * (width * bytesPerPixel + 1)
  // in one piece: growing by the default chunks takes longer than unpacking
  const filtered = inflateSync(Buffer.concat(parts), { chunkSize: Math.max(size, 64), maxOutputLength: size })
  if (filtered.length !== size) throw new Error('a picture that is cut off')
  return { width, height, bytesPerPixel, filtered }
}

const IDAT = 0x49444154

/** Turns a filtered row into its pixels, in place. `above`: the pixels of the row before, zeros for the first. spec: PNG 9.2 */
export function unfilterRow(filter: number, row: Uint8Array, above: Uint8Array, bytesPerPixel: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = row[at - bytesPerPixel] ?? 0
    const up = above[at] ?? 0
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, above[at - bytesPerPixel] ?? 0)
  }
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  switch (filter) {
    case 0:
      return 0
    case 1:
      return left
    case 2:
      return up
    case 3:
      return (left + up) >> 1
    case 4:
      return paeth(left, up, upLeft)
    default:
      throw new Error('not a filter of PNG')
  }
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft
  const [byLeft, byUp, byUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  if (byLeft <= byUp && byLeft <= byUpLeft) return left
  return byUp <= byUpLeft ? up : upLeft
}
