import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Blobs, intact, isBlobHash } from './blobs.ts'
import { spool } from './spool.ts'
import { syncFolder } from './sync-folder.ts'

/** Blobs in a folder of this node, which is made when it is missing. */
export function createFolderBlobs(folder: string): Blobs {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const isFile = async (path: string) => (await stat(path).catch(missing))?.isFile() ?? false
  return {
    // beside the final place, so that the rename is one atomic step on one file system
    put: (bytes, expected = {}) =>
      spool(folder, bytes, expected, async ({ path: written, hash, size }) => {
        const path = pathOf(hash)
        if (!(await isFile(path))) {
          await mkdir(dirname(path), { recursive: true })
          await rename(written, path)
          await syncFolder(dirname(path))
          await syncFolder(folder)
        }
        return { hash, size }
      }),
    has: async (hash) => isBlobHash(hash) && (await isFile(pathOf(hash))),
    async read(hash) {
      const bytes = isBlobHash(hash) ? await readFile(pathOf(hash)).catch(missing) : undefined
      return bytes && intact(hash, bytes)
    },
  }
}

const missing = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
