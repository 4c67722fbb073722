import type { Blobs } from './blobs.ts'

const MAX_CACHED_BYTES = 64 * 1024 * 1024
const MAX_CACHED_FILE_BYTES = 4 * 1024 * 1024

/** Reads as `blobs` does, and keeps in memory what was read last, 64 MiB in files of at most 4 MiB. */
export function cachedReads(blobs: Pick<Blobs, 'read'>): Pick<Blobs, 'read'> {
  // in the order of their use
  const contents = new Map<string, Buffer>()
  let cachedBytes = 0
  return {
    async read(hash) {
      const known = contents.get(hash)
      if (known) {
        contents.delete(hash)
        contents.set(hash, known)
        return known
      }
      const content = await blobs.read(hash)
      if (!content || content.length > MAX_CACHED_FILE_BYTES || contents.has(hash)) return content
      contents.set(hash, content)
      cachedBytes += content.length
      for (const [oldest, { length }] of contents) {
        if (cachedBytes <= MAX_CACHED_BYTES) break
        contents.delete(oldest)
        cachedBytes -= length
      }
      return content
    },
  }
}
