import { createHash } from 'node:crypto'

/** The bytes as expected: their SHA-256, and how many there may be. */
export type ExpectedBytes = { hash?: string; maxBytes?: number }

/** Files by the SHA-256 of their bytes, in lower-case hexadecimal. A stored file never changes. */
export interface Blobs {
  /**
   * Stores the bytes; answers their hash and size once they are durable. Throws `BlobRefused` when they are not as
   * expected, and keeps nothing then.
   */
  put(bytes: Uint8Array | AsyncIterable<Uint8Array>, expected?: ExpectedBytes): Promise<{ hash: string; size: number }>
  has(hash: string): Promise<boolean>
  /** The bytes, checked against their name; undefined when they are absent. Throws when they are damaged. */
  read(hash: string): Promise<Buffer | undefined>
  /**
   * The bytes from `offset` on, exactly `maxBytes` unless the file ends before, and the size of the whole; undefined when it is
   * absent. They are not checked against its name.
   */
  part(hash: string, offset: number, maxBytes: number): Promise<BlobPart | undefined>
}

export type BlobPart = { bytes: Buffer; size: number }

/** A store that can list its files. A bucket is not asked: files that no row names cost little there, and its owner may list it. */
export interface SweptBlobs extends Blobs {
  /**
   * Removes files that were last put before this moment and are not in `named`; answers how many files. One that is put meanwhile
   * stays, or is put again.
   */
  sweep(before: Date, named: ReadonlySet<string>): Promise<number>
}

/** The bytes do not have the expected hash, or are too many. */
export class BlobRefused extends Error {}

/** The store of the bytes does not answer as it should; worth another try. The API answers 503. */
export class BlobsUnavailable extends Error {}

const HASH = /^[0-9a-f]{64}$/

/** Whether a blob can have this name. */
export const isBlobHash = (hash: string) => HASH.test(hash)

/** The bytes when they have this hash. Throws when they are damaged. */
export function intact(hash: string, bytes: Buffer): Buffer {
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new Error(`the stored bytes of ${hash} are damaged`)
  return bytes
}
