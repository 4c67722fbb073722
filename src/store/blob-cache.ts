import { createHash, subtle } from 'node:crypto'
import type { Blobs } from './blobs.ts'
import { createGate } from './gate.ts'

/** Bytes that are checked, kept and forgotten as one. */
const CHUNK_BYTES = 524_288
const MAX_CACHED_BYTES = 64 * 1024 * 1024
/** Of a file that is read for the first time: fewer questions to a bucket. */
const PASS_BYTES = 8 * CHUNK_BYTES
/** With the cache, all that files hold in memory, however many clients read however many of them. */
const PASSES_AT_ONCE = 8
const READS_AT_ONCE = 16
/** 32 bytes for each chunk of each. */
const MAX_KNOWN = 20_000

/** A file whose bytes are fetched as they are wanted. */
export type StoredFile = {
  readonly size: number
  /** The bytes from there on, as many as are at hand. Throws when they are absent by now, or damaged. */
  at(offset: number): Buffer | Promise<Buffer>
}

type Known = { size: number; digests: readonly Buffer[] }

/**
 * Files by parts. The first request for a file has it read once from end to end, for all requests meanwhile, and checked
 * against its name; after that a part is read when it is not in memory, once for all, and checked against the first reading.
 */
export function cachedFiles(blobs: Pick<Blobs, 'part'>): { open(hash: string): Promise<StoredFile | undefined> } {
  // both in the order of their use
  const chunks = new Map<string, Buffer>()
  const known = new Map<string, Known>()
  const passes = new Map<string, Promise<Known | undefined>>()
  const reads = new Map<string, Promise<Buffer>>()
  const passing = createGate(PASSES_AT_ONCE)
  const reading = createGate(READS_AT_ONCE)
  let cachedBytes = 0

  const forget = (key: string) => {
    cachedBytes -= chunks.get(key)?.length ?? 0
    chunks.delete(key)
  }

  const keep = (key: string, chunk: Buffer) => {
    forget(key)
    chunks.set(key, chunk)
    cachedBytes += chunk.length
    for (const oldest of chunks.keys()) {
      if (cachedBytes <= MAX_CACHED_BYTES) break
      forget(oldest)
    }
  }

  const pass = async (hash: string): Promise<Known | undefined> => {
    const whole = createHash('sha256')
    const digests: Buffer[] = []
    let size = Number.POSITIVE_INFINITY
    for (let offset = 0; offset < size; offset += PASS_BYTES) {
      const part = await blobs.part(hash, offset, PASS_BYTES)
      if (!part) return undefined
      size = part.size
      for (let at = 0; at < part.bytes.length; at += CHUNK_BYTES) {
        // a copy: a forgotten chunk is not to be held in memory by its neighbours
        const chunk = Buffer.from(part.bytes.subarray(at, at + CHUNK_BYTES))
        whole.update(chunk)
        keep(`${hash}/${digests.length}`, chunk)
        digests.push(await digestOf(chunk))
      }
    }
    if (whole.digest('hex') !== hash) {
      for (const index of digests.keys()) forget(`${hash}/${index}`)
      throw new Error(`the stored bytes of ${hash} are damaged`)
    }
    return { size, digests }
  }

  const readChunk = async (hash: string, index: number, expected: Buffer | undefined): Promise<Buffer> => {
    const part = await blobs.part(hash, index * CHUNK_BYTES, CHUNK_BYTES)
    if (!part || !expected?.equals(await digestOf(part.bytes))) {
      known.delete(hash)
      throw new Error(`the stored bytes of ${hash} are ${part ? 'damaged' : 'gone'}`)
    }
    keep(`${hash}/${index}`, part.bytes)
    return part.bytes
  }

  const fileOf = (hash: string, { size, digests }: Known): StoredFile => ({
    size,
    at(offset) {
      const index = Math.floor(offset / CHUNK_BYTES)
      const from = offset % CHUNK_BYTES
      const key = `${hash}/${index}`
      const chunk = chunks.get(key)
      if (chunk) {
        chunks.delete(key)
        chunks.set(key, chunk)
        return chunk.subarray(from)
      }
      return once(reads, key, () => reading(() => readChunk(hash, index, digests[index]))).then((read) =>
        read.subarray(from),
      )
    },
  })

  return {
    async open(hash) {
      const file = known.get(hash) ?? (await once(passes, hash, () => passing(() => pass(hash))))
      if (!file) return undefined
      known.delete(hash)
      known.set(hash, file)
      for (const oldest of known.keys()) {
        if (known.size <= MAX_KNOWN) break
        known.delete(oldest)
      }
      return fileOf(hash, file)
    },
  }
}

/** On a thread of the pool. */
const digestOf = async (bytes: Buffer): Promise<Buffer> => Buffer.from(await subtle.digest('SHA-256', bytes))

/** The work that is under way, or new. */
function once<T>(underWay: Map<string, Promise<T>>, key: string, start: () => Promise<T>): Promise<T> {
  const known = underWay.get(key)
  if (known) return known
  const work = start().finally(() => underWay.delete(key))
  underWay.set(key, work)
  return work
}
