import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BlobRefused, BlobsUnavailable, type ExpectedBytes } from './blobs.ts'

export type Spooled = { path: string; hash: string; size: number }

/**
 * Writes the bytes to a file of their own in the folder, which is made when it is missing, and gives it to `keep` once it is
 * durable. Throws `BlobRefused` when the bytes are not as expected. The file is gone afterwards unless `keep` moved it.
 */
export async function spool<T>(
  folder: string,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  { hash: expected, maxBytes = Number.POSITIVE_INFINITY }: ExpectedBytes,
  keep: (spooled: Spooled) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `.${randomUUID()}`)
  try {
    const spooled = { path, ...(await write(path, bytes, maxBytes)) }
    if (expected !== undefined && expected !== spooled.hash)
      throw new BlobRefused(`the bytes have the SHA-256 ${spooled.hash}`)
    return await keep(spooled)
  } finally {
    await rm(path, { force: true })
  }
}

async function write(path: string, bytes: Uint8Array | AsyncIterable<Uint8Array>, maxBytes: number) {
  const file = await open(path, 'wx')
  const put = (chunk: Uint8Array) => file.writeFile(chunk).catch(refusedByDisk)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      size += chunk.byteLength
      if (size > maxBytes) throw new BlobRefused(`more than ${maxBytes} bytes`)
      hash.update(chunk)
      await put(chunk)
    }
    await file.datasync().catch(refusedByDisk)
    return { hash: hash.digest('hex'), size }
  } finally {
    await file.close()
  }
}

/** A disk that is full, or over its quota, may have room again. */
function refusedByDisk(error: unknown): never {
  if (error instanceof Error && 'code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code)))
    throw new BlobsUnavailable(error.message)
  throw error
}
