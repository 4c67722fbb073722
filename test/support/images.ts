import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

/** A real PNG, another one for each shade. */
export function png(width = 8, height = 8, shade = 200): Buffer {
  const image = new PNG({ width, height })
  image.data.fill(shade)
  return PNG.sync.write(image)
}

/** The smallest kind of GIF: one transparent pixel. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const chunk = (type: string, data: Buffer) => {
  const bytes = Buffer.alloc(data.length + 12)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4)
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, data.length + 8)), data.length + 8)
  return bytes
}

/** A black picture with one bit for each pixel: valid and small, whatever its size when decoded. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const lines = Buffer.alloc(height * (Math.ceil(width / 8) + 1))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of exactly so many bytes: what follows its header is text that decoders skip. */
export function pngOfSize(bytes: number): Buffer {
  const image = png()
  const header = image.subarray(0, 33)
  return Buffer.concat([header, chunk('tEXt', Buffer.alloc(bytes - image.length - 12, 'a')), image.subarray(33)])
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
