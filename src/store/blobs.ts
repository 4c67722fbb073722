import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files by the SHA-256 of their bytes, in lower-case hexadecimal. What is stored never changes. */
export interface Blobs {
  /**
   * Stores the bytes; answers their hash and size once they are durable. Throws `BlobRefused` when they are not what was
   * expected, and keeps nothing then.
   */
  put(
    bytes: Uint8Array | AsyncIterable<Uint8Array>,
    expected?: { hash?: string; maxBytes?: number },
  ): Promise<{ hash: string; size: number }>
  has(hash: string): Promise<boolean>
  /** The bytes, checked against their name; undefined when they are absent. Throws when they are damaged. */
  read(hash: string): Promise<Buffer | undefined>
}

/** The bytes do not have the expected hash, or are too many. */
export class BlobRefused extends Error {}

/** Where the blobs of a DATA_DIR are. */
export const blobsFolder = (dataDir: string) => join(dataDir, 'blobs')

const HASH = /^[0-9a-f]{64}$/

/** Blobs in a folder of this node, which is made when it is missing. */
export function createBlobs(folder: string): Blobs {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const isFile = async (path: string) => (await stat(path).catch(missing))?.isFile() ?? false

  /** Writes beside the final place, so that the rename is one atomic step on one file system. */
  async function writeTemporary(bytes: Uint8Array | AsyncIterable<Uint8Array>, maxBytes: number) {
    await mkdir(folder, { recursive: true })
    const path = join(folder, `.${randomUUID()}`)
    const file = await open(path, 'wx')
    try {
      const hash = createHash('sha256')
      let size = 0
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
        size += chunk.byteLength
        if (size > maxBytes) throw new BlobRefused(`more than ${maxBytes} bytes`)
        hash.update(chunk)
        await file.writeFile(chunk)
      }
      await file.datasync()
      return { path, hash: hash.digest('hex'), size }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      await file.close()
    }
  }

  return {
    async put(bytes, expected = {}) {
      const written = await writeTemporary(bytes, expected.maxBytes ?? Number.POSITIVE_INFINITY)
      const { hash, size } = written
      try {
        if (expected.hash !== undefined && expected.hash !== hash)
          throw new BlobRefused(`the bytes have the SHA-256 ${hash}`)
        const path = pathOf(hash)
        if (!(await isFile(path))) {
          await mkdir(dirname(path), { recursive: true })
          await rename(written.path, path)
          await syncFolder(dirname(path))
          await syncFolder(folder)
        }
        return { hash, size }
      } finally {
        await rm(written.path, { force: true })
      }
    },
    has: async (hash) => HASH.test(hash) && (await isFile(pathOf(hash))),
    async read(hash) {
      if (!HASH.test(hash)) return undefined
      const bytes = await readFile(pathOf(hash)).catch(missing)
      if (bytes && createHash('sha256').update(bytes).digest('hex') !== hash)
        throw new Error(`the stored bytes of ${hash} are damaged`)
      return bytes
    },
  }
}

const missing = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** A rename is durable once its folder is. */
async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
