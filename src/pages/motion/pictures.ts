import type { MotionImageTransform } from '../../motion/manifest.ts'
import { type Placement, placed, type Size } from './placement.ts'

/** The size of a picture without one of its own. */
const UNSIZED = { width: 512, height: 512 }
const WITHIN_MS = 8_000
const LONGEST_WITHIN_MS = 120_000

/** How a picture is to be placed, and in what room; `attempt` counts those before that failed. */
type Wish = { transform?: MotionImageTransform | undefined; wanted?: Size | undefined; attempt: number }

/** The picture at an address as the runtime reads it, a PNG, placed as the graphic asks. Throws when it cannot be loaded. */
export async function loadPicture(url: string, { transform, wanted, attempt }: Wish): Promise<Uint8Array> {
  // a slow line begins anew each time, so it is given longer
  const image = await loaded(new URL(url, location.origin).href, Math.min(LONGEST_WITHIN_MS, WITHIN_MS * 2 ** attempt))
  const natural =
    image.naturalWidth > 0 && image.naturalHeight > 0
      ? { width: image.naturalWidth, height: image.naturalHeight }
      : (wanted ?? UNSIZED)
  const placement = placed(natural, transform, wanted)
  const canvas = document.createElement('canvas')
  Object.assign(canvas, placement.out)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  draw(context, image, placement, transform)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error(`cannot draw ${url}`)
  return new Uint8Array(await blob.arrayBuffer())
}

async function loaded(url: string, withinMs: number): Promise<HTMLImageElement> {
  const image = new Image()
  // drawn into a canvas that is read, so its host has to allow it
  image.crossOrigin = 'anonymous'
  image.src = url
  let timer = 0
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => reject(new Error(`${url} takes too long`)), withinMs)
  })
  try {
    await Promise.race([image.decode(), late])
  } catch (error) {
    image.src = ''
    throw error instanceof DOMException ? new Error(`cannot load ${url}`) : error
  } finally {
    window.clearTimeout(timer)
  }
  return image
}

const radians = (degrees = 0) => (degrees * Math.PI) / 180

function draw(
  context: CanvasRenderingContext2D,
  image: CanvasImageSource,
  { out, inner, picture }: Placement,
  transform: MotionImageTransform = {},
) {
  const { r = 0, g = 0, b = 0, a = 0 } = transform.background ?? {}
  context.fillStyle = `rgba(${r}, ${g}, ${b}, ${a})`
  context.fillRect(0, 0, out.width, out.height)
  context.beginPath()
  context.rect(inner.x, inner.y, inner.width, inner.height)
  context.clip()
  const middle = { x: inner.x + inner.width / 2, y: inner.y + inner.height / 2 }
  context.translate(middle.x + (transform.translateX ?? 0), middle.y + (transform.translateY ?? 0))
  context.rotate(radians(transform.rotateDeg))
  context.transform(1, Math.tan(radians(transform.skewYDeg)), Math.tan(radians(transform.skewXDeg)), 1, 0, 0)
  context.scale(transform.scaleX ?? 1, transform.scaleY ?? 1)
  context.translate(-middle.x, -middle.y)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, picture.x, picture.y, picture.width, picture.height)
}
