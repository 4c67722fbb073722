import type { MotionImageTransform } from '../../motion/manifest.ts'

export type Size = { width: number; height: number }
export type Box = Size & { x: number; y: number }

/** How a picture is drawn into one of another size. */
export type Placement = {
  out: Size
  /** The box inside the padding; nothing is drawn outside. */
  inner: Box
  /** Where the picture lies before it is moved, turned and stretched about the middle of `inner`. */
  picture: Box
}

const LARGEST = 4096
const bounded = (length: number) => Math.min(LARGEST, Math.max(1, Math.round(length)))

/** Where a picture of this size goes. `wanted` is the size that the graphic has room for. spec: imageTransform */
export function placed(natural: Size, transform: MotionImageTransform = {}, wanted: Size = natural): Placement {
  const { outWidth, outHeight, fit = 'contain', anchor = 'center' } = transform
  const { top = 0, right = 0, bottom = 0, left = 0 } = transform.padding ?? {}
  const out = { width: bounded(outWidth ?? wanted.width), height: bounded(outHeight ?? wanted.height) }
  const inner = {
    x: left,
    y: top,
    width: Math.max(1, out.width - left - right),
    height: Math.max(1, out.height - top - bottom),
  }
  const factors = [inner.width / natural.width, inner.height / natural.height] as const
  const factor = fit === 'cover' ? Math.max(...factors) : Math.min(...factors)
  const [across, down] = fit === 'stretch' ? factors : [factor, factor]
  const size = { width: natural.width * across, height: natural.height * down }
  // 0 at the left or top, 1 at the right or bottom
  const horizontal = anchor.includes('left') ? 0 : anchor.includes('right') ? 1 : 0.5
  const vertical = anchor.includes('top') ? 0 : anchor.includes('bottom') ? 1 : 0.5
  const x = inner.x + (inner.width - size.width) * horizontal
  const y = inner.y + (inner.height - size.height) * vertical
  return { out, inner, picture: { ...size, x, y } }
}
