import sharp from 'sharp'

/** The facts of an image; the type is that of its bytes, not the one its sender gave. */
export type ImageFacts = { contentType: 'image/png' | 'image/jpeg'; width: number; height: number }

const MAX_PIXELS = 4096 * 4096
const DECODED_WITHIN_SECONDS = 5
/** The chunk IEND, which is the same in every PNG. */
const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex')
const TYPES: Readonly<Record<string, ImageFacts['contentType']>> = { png: 'image/png', jpeg: 'image/jpeg' }

// only the decoders of accepted types can be reached by a stranger's bytes
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'] })
sharp.cache(false)
sharp.concurrency(1)

let decoding: Promise<unknown> = Promise.resolve()

/**
 * Decodes all of a PNG or JPEG of at most 16,777,216 pixels, off the main thread and one at a time, so that graphics on air
 * keep their processor. Undefined for anything else, truncated and damaged images included.
 */
export function inspectImage(bytes: Buffer): Promise<ImageFacts | undefined> {
  const facts = decoding.then(() => decode(bytes))
  decoding = facts
  return facts
}

async function decode(bytes: Buffer): Promise<ImageFacts | undefined> {
  try {
    const image = sharp(bytes, { failOn: 'warning', limitInputPixels: MAX_PIXELS, sequentialRead: true })
    const { format = '', width, height } = await image.metadata()
    const contentType = TYPES[format]
    // libpng does not miss the last part
    if (!contentType || (format === 'png' && !bytes.includes(PNG_END))) return undefined
    // the smallest picture for which every line must be read
    await image.timeout({ seconds: DECODED_WITHIN_SECONDS }).resize(16, 16, { fit: 'fill' }).raw().toBuffer()
    return { contentType, width, height }
  } catch {
    // the library does not tell a bad image from other failures; either way nothing vouches for these bytes
    return undefined
  }
}
