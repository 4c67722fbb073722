/** How colours become brightness and two differences. */
export type Matrix = 'bt709' | 'bt601'

/** Shares of red and blue in the brightness. spec: ITU-R BT.709 3.2, BT.601 2.5.1 */
const SHARES = { bt709: [0.2126, 0.0722], bt601: [0.299, 0.114] } as const

/** Untagged video is taken for HD above the lines of SD by every player. */
export const usualMatrix = (height: number): Matrix => (height > 576 ? 'bt709' : 'bt601')

/** Bytes of a picture as yuva420p: brightness, two differences of half the size each way, opacity. */
export const planesSize = (width: number, height: number) => (width * height * 5) / 2

const BLACK = 16
const WHITE = 235
const NO_COLOUR = 128

/** A picture with nothing in it. */
export function transparent(width: number, height: number): Uint8Array<ArrayBuffer> {
  const planes = new Uint8Array(planesSize(width, height))
  const pixels = width * height
  planes.fill(BLACK, 0, pixels)
  planes.fill(NO_COLOUR, pixels, pixels * 1.5)
  return planes
}

const ONE = 1 << 16
const HALF = ONE / 2

/** In 16 bit fractions, for full range in and broadcast range out. */
function factors(matrix: Matrix) {
  const [red, blue] = SHARES[matrix]
  const green = 1 - red - blue
  const y = (219 / 255) * ONE
  const cb = ((224 / 255) * ONE) / (2 * (1 - blue))
  const cr = ((224 / 255) * ONE) / (2 * (1 - red))
  return {
    y: [red * y, green * y, blue * y],
    cb: [-red * cb, -green * cb, (1 - blue) * cb],
    cr: [(1 - red) * cr, -green * cr, -blue * cr],
  } as const
}

const FACTORS = { bt709: factors('bt709'), bt601: factors('bt601') } as const

/** How the colours of half transparent pixels are told: already times their opacity, as they are drawn, or not. */
export type Alpha = 'premultiplied' | 'straight'

/**
 * Converts the pixels (RGBA words as in memory, little-endian) of the rows `y` and `y + 1` from column `from` to before `to`.
 * The colour of a block of four is weighted by opacity, so that transparent pixels beside an edge do not tint it.
 * Answers false when there is a colour that premultiplied pixels cannot have.
 */
export function toPlanes(
  { pixels, width, height }: { pixels: Uint32Array; width: number; height: number },
  { y, from, to }: { y: number; from: number; to: number },
  { matrix, alpha }: { matrix: Matrix; alpha: Alpha },
  planes: Uint8Array,
): boolean {
  const [yr, yg, yb] = FACTORS[matrix].y
  const [ur, ug, ub] = FACTORS[matrix].cb
  const [vr, vg, vb] = FACTORS[matrix].cr
  const size = width * height
  let fits = true
  for (let x = from & ~1; x < to; x += 2) {
    let [red, green, blue, opacity] = [0, 0, 0, 0]
    for (let corner = 0; corner < 4; corner++) {
      const at = (y + (corner >> 1)) * width + x + (corner & 1)
      const pixel = pixels[at] ?? 0
      const a = pixel >>> 24
      planes[size * 1.5 + at] = a
      if (a === 0) {
        planes[at] = BLACK
        continue
      }
      const [r, g, b] = [pixel & 0xff, (pixel >>> 8) & 0xff, (pixel >>> 16) & 0xff]
      if (r > a || g > a || b > a) fits = false
      const light = yr * r + yg * g + yb * b
      planes[at] = Math.min(BLACK + (((alpha === 'straight' ? light : (light * 255) / a) + HALF) >> 16), WHITE)
      const weight = alpha === 'straight' ? a / 255 : 1
      red += r * weight
      green += g * weight
      blue += b * weight
      opacity += a / 255
    }
    const at = size + (y >> 1) * (width >> 1) + (x >> 1)
    if (opacity === 0) {
      planes[at] = NO_COLOUR
      planes[at + size / 4] = NO_COLOUR
      continue
    }
    planes[at] = NO_COLOUR + (((ur * red + ug * green + ub * blue) / opacity + HALF) >> 16)
    planes[at + size / 4] = NO_COLOUR + (((vr * red + vg * green + vb * blue) / opacity + HALF) >> 16)
  }
  return fits
}
