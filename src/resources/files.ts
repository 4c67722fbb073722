import parseRange from 'range-parser'
import { type ByteSource, type HttpReply, type HttpRequest, holds } from '../http/message.ts'

/** Where the bytes of stored files are, by their SHA-256; undefined when they are absent. */
export type FileBytes = { open(hash: string): Promise<ByteSource | undefined> }

export const HASH = /^[0-9a-f]{64}$/

/** No such page or file. */
export const noFile: HttpReply = {
  status: 404,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
  body: '{"message":"Not Found"}',
}

/** Headers of a file at an address that names its content: kept for ever, open to every origin, never another type. */
export const fileHeaders = (contentType: string, hash: string, policy: string) => ({
  'Content-Type': contentType,
  'Content-Security-Policy': policy,
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  'Accept-Ranges': 'bytes',
  ETag: `"${hash}"`,
})

/** Less is sent as it is; more is fetched while the client reads. */
const WHOLE_BYTES = 16_384

/** The file, the one part of it that the client asks for, or 304 when the client has it. */
export async function sendFile(
  request: HttpRequest,
  headers: ReturnType<typeof fileHeaders>,
  open: () => Promise<ByteSource | undefined>,
): Promise<HttpReply> {
  if (holds(request, headers.ETag)) return { status: 304, headers, body: '' }
  const file = await open()
  if (!file) return noFile
  const same = ['', headers.ETag].includes(request.header('if-range'))
  const part = same ? partOf(request.header('range'), file.size) : undefined
  if (part === 'outside')
    return { ...noFile, status: 416, headers: { ...noFile.headers, 'Content-Range': `bytes */${file.size}` } }
  if (!part) return { status: 200, headers, ...(await contentOf(file, 0, file.size)) }
  const { start, end } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${file.size}` },
    ...(await contentOf(file, start, end + 1)),
  }
}

const ALL = -2
const OUTSIDE = -1

/** A video is sought in and looped by parts. Undefined when all of it is meant, as it also is by several parts at once. */
function partOf(range: string, size: number): { start: number; end: number } | 'outside' | undefined {
  const parts = range === '' ? ALL : parseRange(size, range)
  if (parts === OUTSIDE) return 'outside'
  if (parts === ALL || parts.type !== 'bytes') return undefined
  const [part, ...others] = parts
  return others.length > 0 ? undefined : part
}

/** The first bytes are there before the answer begins: while they cannot be had, it can still be another. */
async function contentOf(file: ByteSource, start: number, end: number): Promise<Pick<HttpReply, 'body' | 'source'>> {
  if (end - start <= WHOLE_BYTES) return { body: await bytesOf(file, start, end) }
  await file.at(start)
  const at = (offset: number) => {
    const bytes = file.at(start + offset)
    return bytes instanceof Promise
      ? bytes.then((read) => upTo(read, end - start - offset))
      : upTo(bytes, end - start - offset)
  }
  return { body: '', source: { size: end - start, at } }
}

const upTo = (bytes: Buffer, length: number) => (bytes.length > length ? bytes.subarray(0, length) : bytes)

/** A part of the file, in memory. */
async function bytesOf(file: ByteSource, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let offset = start; offset < end; offset += parts.at(-1)?.length ?? 0)
    parts.push(upTo(await file.at(offset), end - offset))
  return Buffer.concat(parts)
}
