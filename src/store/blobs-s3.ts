import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { type BlobPart, type Blobs, BlobsUnavailable, intact, isBlobHash } from './blobs.ts'
import { type Spooled, spool } from './spool.ts'

export type S3Options = {
  /** Of the service, without the bucket and a trailing slash. */
  url: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of one attempt, headers and body. */
  timeoutMs?: number
}

const ATTEMPTS = 3
const FIRST_PAUSE_MS = 50
const TIMEOUT_MS = 15_000

/**
 * Blobs in a bucket of an S3-compatible service, each under its hash. The service checks what it stores against the signed
 * SHA-256. Bytes on their way there are in `folder` of this node. Failures of the service throw `BlobsUnavailable`.
 */
export function createS3Blobs(options: S3Options, folder: string): Blobs {
  const { accessKeyId, secretAccessKey, region, timeoutMs = TIMEOUT_MS } = options

  const attempt = async (method: string, hash: string, file?: Spooled, range?: string): Promise<Response> => {
    const { url, headers } = await new AwsV4Signer({
      method,
      url: `${options.url}/${options.bucket}/${hash}`,
      headers: file ? { 'content-type': 'application/octet-stream', 'x-amz-content-sha256': hash } : {},
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    }).sign()
    const signal = AbortSignal.timeout(timeoutMs)
    if (range) headers.set('range', range)
    if (!file) return fetch(url, { method, headers, signal })
    // a stream is sent in chunks unless its length is known, and S3 takes no chunks
    headers.set('content-length', String(file.size))
    const body = Readable.toWeb(createReadStream(file.path))
    return fetch(url, { method, headers, signal, body, duplex: 'half' })
  }

  /** Tries again faults that may pass: no answer, 429 and 5xx. `use` reads the answer; 404 is an answer, other refusals throw. */
  const ask = async <T>(
    method: string,
    hash: string,
    use: (answer: Response) => Promise<T>,
    { file, range }: { file?: Spooled; range?: string } = {},
  ): Promise<T | undefined> => {
    let last = 'no answer'
    for (let count = 0; count < ATTEMPTS; count++) {
      if (count > 0) await pause(FIRST_PAUSE_MS * 4 ** (count - 1))
      try {
        const answer = await attempt(method, hash, file, range)
        if (answer.ok || (range && answer.status === 416)) return await use(answer)
        await answer.body?.cancel()
        last = String(answer.status)
        if (answer.status === 404) return undefined
        if (answer.status < 500 && answer.status !== 429) break
      } catch (error) {
        last = error instanceof Error ? String(error.cause ?? error.message) : String(error)
      }
    }
    throw new BlobsUnavailable(`S3 ${method} ${options.bucket}/${hash}: ${last}`)
  }

  const has = async (hash: string) => isBlobHash(hash) && (await ask('HEAD', hash, async () => true)) === true

  return {
    has,
    put: (bytes, expected = {}) =>
      spool(folder, bytes, expected, async (file) => {
        const { hash, size } = file
        if (!(await has(hash)) && !(await ask('PUT', hash, async () => true, { file })))
          throw new BlobsUnavailable(`S3 PUT ${options.bucket}/${hash}: no such bucket`)
        return { hash, size }
      }),
    async read(hash) {
      if (!isBlobHash(hash)) return undefined
      const bytes = await ask('GET', hash, async (answer) => Buffer.from(await answer.arrayBuffer()))
      return bytes && intact(hash, bytes)
    },
    async part(hash, offset, maxBytes) {
      if (!isBlobHash(hash)) return undefined
      const range = `bytes=${offset}-${offset + maxBytes - 1}`
      return ask('GET', hash, (answer) => partOf(answer, offset, maxBytes), { range })
    },
  }
}

/** The answer to a request for a range, which a service may answer with all of it, and does with 416 when there is nothing. */
async function partOf(answer: Response, offset: number, maxBytes: number): Promise<BlobPart> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (answer.status === 200) return { bytes: bytes.subarray(offset, offset + maxBytes), size: bytes.length }
  const size = Number(
    /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1] ?? (offset === 0 ? 0 : Number.NaN),
  )
  const part = answer.status === 206 ? bytes : Buffer.alloc(0)
  if (part.length !== Math.max(0, Math.min(maxBytes, size - offset)))
    throw new Error('another range than was asked for')
  return { bytes: part, size }
}
