import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { Picture } from '../../../src/media/program/picture.ts'
import { transparent, usualMatrix } from '../../../src/media/program/planes.ts'
import { readPng } from '../../../src/media/program/png.ts'

type Rgba = readonly [number, number, number, number]

/** Encodes as a browser does (every row filtered by `Up`), or with another filter. */
function png(width: number, height: number, pixel: (x: number, y: number) => Rgba, filterType = 2): Uint8Array {
  const image = new PNG({ width, height })
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) image.data.set(pixel(x, y), (y * width + x) * 4)
  return PNG.sync.write(image, { filterType, colorType: 6 })
}

/** What the planes say at a pixel, decoded by the inverse of the standard. */
function decoded({ planes }: Picture, width: number, height: number, x: number, y: number, kr: number, kb: number) {
  const size = width * height
  const chroma = size + (y >> 1) * (width / 2) + (x >> 1)
  const light = ((planes[y * width + x] ?? 0) - 16) / 219
  const cb = ((planes[chroma] ?? 0) - 128) / 224
  const cr = ((planes[chroma + size / 4] ?? 0) - 128) / 224
  const red = light + 2 * (1 - kr) * cr
  const blue = light + 2 * (1 - kb) * cb
  const green = (light - kr * red - kb * blue) / (1 - kr - kb)
  const alpha = planes[size * 1.5 + y * width + x] ?? 0
  return [red * 255, green * 255, blue * 255, alpha].map(Math.round)
}

const byte = fc.integer({ min: 0, max: 255 })

describe('the picture of a page', () => {
  test('[issue 5.6] has the colours of the page, in the matrix of its size', () => {
    for (const [matrix, kr, kb] of [
      ['bt709', 0.2126, 0.0722],
      ['bt601', 0.299, 0.114],
    ] as const)
      fc.assert(
        fc.property(byte, byte, byte, (red, green, blue) => {
          const picture = new Picture(4, 2, matrix)
          picture.take(png(4, 2, () => [red, green, blue, 255]))
          const [r = 0, g = 0, b = 0, alpha] = decoded(picture, 4, 2, 3, 1, kr, kb)
          expect(alpha).toBe(255)
          for (const [got, wanted] of [
            [r, red],
            [g, green],
            [b, blue],
          ] as const)
            expect(Math.abs(got - wanted)).toBeLessThanOrEqual(3)
        }),
      )
    expect([usualMatrix(1080), usualMatrix(720), usualMatrix(576), usualMatrix(360)]).toEqual([
      'bt709',
      'bt709',
      'bt601',
      'bt601',
    ])
  })

  test('[issue 5.6] colours that are told times their opacity are those of the page', () => {
    const picture = new Picture(2, 2, 'bt709')
    picture.take(png(2, 2, () => [128, 0, 64, 128]))
    expect(decoded(picture, 2, 2, 0, 0, 0.2126, 0.0722)).toEqual([
      expect.closeTo(255, -1),
      expect.closeTo(0, -1),
      expect.closeTo(128, -1),
      128,
    ])
  })

  test('a browser that tells colours as the standard of PNG says is understood from its first such pixel on', () => {
    const picture = new Picture(4, 4, 'bt709')
    picture.take(png(4, 4, (x) => (x < 2 ? [100, 100, 100, 200] : [0, 0, 0, 0])))
    picture.take(png(4, 4, (x) => (x < 2 ? [100, 100, 100, 200] : [255, 0, 0, 128])))
    expect(decoded(picture, 4, 4, 3, 3, 0.2126, 0.0722)).toEqual([
      expect.closeTo(255, -1),
      expect.closeTo(0, -1),
      expect.closeTo(0, -1),
      128,
    ])
    expect(decoded(picture, 4, 4, 0, 0, 0.2126, 0.0722)).toEqual([100, 100, 100, 200])
  })

  test('what is transparent beside an edge does not tint it', () => {
    const picture = new Picture(2, 2, 'bt709')
    picture.take(png(2, 2, (x) => (x === 0 ? [255, 0, 0, 255] : [0, 0, 0, 0])))
    const [red = 0, green = 0, blue = 0] = decoded(picture, 2, 2, 0, 0, 0.2126, 0.0722)
    expect(red).toBeGreaterThan(250)
    expect(Math.max(green, blue)).toBeLessThan(5)
  })

  test('any sequence of pictures, filtered in any way, ends as the last one alone', () => {
    const pictures = fc.array(fc.array(fc.tuple(byte, byte, byte), { minLength: 24, maxLength: 24 }), {
      minLength: 1,
      maxLength: 4,
    })
    fc.assert(
      fc.property(pictures, fc.constantFrom(0, 1, 2, 3, 4), (sequence, filter) => {
        const encode = (colours: readonly (readonly [number, number, number])[], by: number) =>
          png(6, 4, (x, y) => [...(colours[y * 6 + x] ?? [0, 0, 0]), 255] as Rgba, by)
        const [one, other] = [new Picture(6, 4, 'bt709'), new Picture(6, 4, 'bt709')]
        for (const colours of sequence) one.take(encode(colours, filter))
        other.take(encode(sequence.at(-1) ?? [], 2))
        expect(one.planes).toEqual(other.planes)
      }),
    )
  })

  test('the same again is no change, and nothing is all that there is at first', () => {
    const picture = new Picture(8, 4, 'bt601')
    expect(picture.planes).toEqual(transparent(8, 4))
    expect(picture.take(png(8, 4, () => [0, 0, 0, 0]))).toBe(false)
    expect(picture.take(png(8, 4, (x, y) => (x === 5 && y === 3 ? [9, 9, 9, 255] : [0, 0, 0, 0])))).toBe(true)
    expect(picture.take(png(8, 4, (x, y) => (x === 5 && y === 3 ? [9, 9, 9, 255] : [0, 0, 0, 0])))).toBe(false)
    expect(picture.take(png(8, 4, () => [0, 0, 0, 0]))).toBe(true)
    expect(picture.planes).toEqual(transparent(8, 4))
  })

  test('an opaque page comes without opacity', () => {
    const image = new PNG({ width: 2, height: 2 })
    image.data.fill(200)
    const picture = new Picture(2, 2, 'bt709')
    picture.take(PNG.sync.write(image, { colorType: 2, inputColorType: 6, inputHasAlpha: true }))
    expect(decoded(picture, 2, 2, 1, 1, 0.2126, 0.0722)[3]).toBe(255)
  })

  test('another size, another kind of PNG and one that is cut off are refused', () => {
    const picture = new Picture(4, 4, 'bt709')
    expect(() => picture.take(png(2, 2, () => [0, 0, 0, 0]))).toThrow('a picture of 2x2')
    const grey = new PNG({ width: 4, height: 4 })
    expect(() => picture.take(PNG.sync.write(grey, { colorType: 0 }))).toThrow('not a picture of a screen')
    const whole = Buffer.from(png(4, 4, () => [1, 2, 3, 4]))
    const at = whole.indexOf('IDAT')
    const short = deflateSync(Buffer.alloc(10))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(short.length)
    const cut = Buffer.concat([whole.subarray(0, at - 4), length, Buffer.from('IDAT'), short, Buffer.alloc(4)])
    expect(() => readPng(cut)).toThrow('cut off')
  })
})
