import type { Sql } from 'postgres'
import { BlobRefused, type Blobs } from './blobs.ts'
import { inspectImage } from './images.ts'

/** Stores the bytes of an upload: undefined when they are not those that were declared. */
export const storeReceived =
  (blobs: Blobs) => (bytes: AsyncIterable<Uint8Array>, expected: { hash: string; maxBytes: number }) =>
    blobs.put(bytes, expected).catch((error: unknown): undefined => {
      if (!(error instanceof BlobRefused)) throw error
    })

/** Decodes a stored file and, when it is the kind of image that it was said to be, remembers it as one that may be served. */
export const recordImage =
  (sql: Sql, blobs: Blobs) =>
  async ({ sha256, contentType }: { sha256: string; contentType: string }): Promise<void> => {
    const bytes = await blobs.read(sha256)
    const facts = bytes && (await inspectImage(bytes))
    if (facts?.contentType !== contentType) return
    await sql`
      insert into image (hash, content_type, width, height)
      values (${sha256}, ${facts.contentType}, ${facts.width}, ${facts.height}) on conflict do nothing`
  }
