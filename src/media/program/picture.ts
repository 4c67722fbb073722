import { type Alpha, type Matrix, toPlanes, transparent } from './planes.ts'
import { readPng, unfilterRow } from './png.ts'

/** How browsers filter the rows of their screens. */
const UP = 2

/**
 * The picture of a page that is told as PNGs, kept as the planes that the encoder takes. Only what differs from the picture
 * before is converted: most of a page with graphics is empty, and most of the rest stays.
 */
export class Picture {
  readonly planes: Uint8Array
  readonly #width: number
  readonly #height: number
  readonly #matrix: Matrix
  /** The alpha of browsers, against the rules of PNG; a browser that keeps to them gives itself away. */
  #alpha: Alpha = 'premultiplied'
  /** RGBA, a word each. */
  readonly #pixels: Uint32Array
  readonly #row: Uint32Array
  readonly #rowBytes: Uint8Array
  readonly #noRow: Uint32Array

  /** Width and height are even. */
  constructor(width: number, height: number, matrix: Matrix) {
    this.#width = width
    this.#height = height
    this.#matrix = matrix
    this.#pixels = new Uint32Array(width * height)
    this.#row = new Uint32Array(width)
    this.#rowBytes = new Uint8Array(this.#row.buffer)
    this.#noRow = new Uint32Array(width)
    this.planes = transparent(width, height)
  }

  /** Takes the next picture; answers whether anything differs. Throws when it is not of this size. */
  take(bytes: Uint8Array): boolean {
    const { width, height, bytesPerPixel, filtered } = readPng(bytes)
    if (width !== this.#width || height !== this.#height) throw new Error(`a picture of ${width}x${height}`)
    const stride = width * bytesPerPixel + 1
    const changed = { from: width, to: 0 }
    let differs = false
    let above: Uint8Array = new Uint8Array(stride - 1)
    for (let y = 0; y < height; y++) {
      const filter = filtered[y * stride] ?? 0
      const row = filtered.subarray(y * stride + 1, (y + 1) * stride)
      if (bytesPerPixel === 4 && filter === UP) {
        this.#rowBytes.set(row)
        addWords(this.#row, y === 0 ? this.#noRow : this.#pixelsOf(y - 1))
      } else if (bytesPerPixel === 4) {
        this.#rowBytes.set(row)
        const before = y === 0 ? this.#noRow : this.#pixelsOf(y - 1)
        unfilterRow(filter, this.#rowBytes, new Uint8Array(before.buffer, before.byteOffset, before.byteLength), 4)
      } else {
        unfilterRow(filter, row, above, 3)
        expand(row, this.#rowBytes)
        above = row
      }
      this.#keepRow(y, changed)
      if (y % 2 === 0) continue
      if (changed.from < changed.to) {
        this.#convert({ y: y - 1, ...changed })
        differs = true
      }
      changed.from = width
      changed.to = 0
    }
    return differs
  }

  #convert(rows: { y: number; from: number; to: number }): void {
    const [width, height, matrix, alpha] = [this.#width, this.#height, this.#matrix, this.#alpha]
    const fits = toPlanes({ pixels: this.#pixels, width, height }, rows, { matrix, alpha }, this.planes)
    if (fits || alpha === 'straight') return
    this.#alpha = 'straight'
    for (let y = 0; y < height; y += 2) this.#convert({ y, from: 0, to: width })
  }

  #pixelsOf(y: number): Uint32Array {
    return this.#pixels.subarray(y * this.#width, (y + 1) * this.#width)
  }

  /** Takes over the row just read, and widens `changed` to where it differs from the old row. */
  #keepRow(y: number, changed: { from: number; to: number }): void {
    const pixels = this.#pixelsOf(y)
    const row = this.#row
    let from = 0
    let to = row.length
    while (from < to && pixels[from] === row[from]) from++
    while (to > from && pixels[to - 1] === row[to - 1]) to--
    if (from === to) return
    pixels.set(row)
    changed.from = Math.min(changed.from, from)
    changed.to = Math.max(changed.to, to)
  }
}

/** Adds byte by byte, four at a time: each carry would end up in the next byte, so the highest bits are added apart. */
function addWords(row: Uint32Array, above: Uint32Array): void {
  for (let x = 0; x < row.length; x++) {
    const [a, b] = [row[x] ?? 0, above[x] ?? 0]
    row[x] = ((a & 0x7f7f7f7f) + (b & 0x7f7f7f7f)) ^ ((a ^ b) & 0x80808080)
  }
}

function expand(rgb: Uint8Array, rgba: Uint8Array): void {
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba.set(rgb.subarray(from, from + 3), to)
    rgba[to + 3] = 255
  }
}
