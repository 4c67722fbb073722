import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { intact, isBlobHash, type SweptBlobs } from './blobs.ts'
import { spool } from './spool.ts'
import { syncFolder } from './sync-folder.ts'

/** Blobs in a folder of this node, which is made when it is missing. */
export function createFolderBlobs(folder: string): SweptBlobs {
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash)
  const isFile = async (path: string) => (await stat(path).catch(missing))?.isFile() ?? false
  return {
    // beside the final place, so that the rename is one atomic step on one file system
    put: (bytes, expected = {}) =>
      spool(folder, bytes, expected, async ({ path: written, hash, size }) => {
        const path = pathOf(hash)
        if (!(await touched(path))) {
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
    async part(hash, offset, maxBytes) {
      const file = isBlobHash(hash) ? await open(pathOf(hash)).catch(missing) : undefined
      if (!file) return undefined
      try {
        const { size } = await file.stat()
        const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(maxBytes, size - offset)))
        for (let read = 0; read < bytes.length; ) {
          const { bytesRead } = await file.read(bytes, read, bytes.length - read, offset + read)
          if (bytesRead === 0) throw new Error(`the stored bytes of ${hash} end early`)
          read += bytesRead
        }
        return { bytes, size }
      } finally {
        await file.close()
      }
    },
    async sweep(before, named) {
      let removed = 0
      for (const group of (await readdir(folder).catch(missing)) ?? []) {
        // the rest that a kill left of a file on its way
        if (group.startsWith('.')) await removeOlder(join(folder, group), before)
        else
          for (const name of await readdir(join(folder, group))) {
            if (!isBlobHash(name)) await removeOlder(join(folder, group, name), before)
            else if (!named.has(name) && (await removeBlob(pathOf(name), before))) removed++
          }
      }
      return removed
    },
  }
}

const missing = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** Notes that the file was put again; false when there is none. */
const touched = async (path: string): Promise<boolean> => {
  const now = new Date()
  return utimes(path, now, now).then(
    () => true,
    (error: unknown) => missing(error) ?? false,
  )
}

/** Renamed first: an upload of the same bytes in between finds no file, and puts its own. */
async function removeBlob(path: string, before: Date): Promise<boolean> {
  const known = await stat(path).catch(missing)
  if (!known || known.mtime >= before) return false
  const aside = `${path}.old`
  await rename(path, aside)
  if ((await stat(aside)).mtime >= before) {
    await rename(aside, path)
    return false
  }
  await rm(aside)
  return true
}

async function removeOlder(path: string, before: Date): Promise<void> {
  const known = await stat(path).catch(missing)
  if (known?.isFile() && known.mtime < before) await rm(path, { force: true })
}
