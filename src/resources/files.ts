import parseRange from 'range-parser'
import { type HttpReply, type HttpRequest, holds } from '../http/message.ts'

/** Where the bytes of stored files are, by their SHA-256; undefined when they are absent. */
export type FileBytes = { read(hash: string): Promise<Buffer | undefined> }

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

/** The file, the one part of it that the client asks for, or 304 when the client has it. */
export async function sendFile(
  request: HttpRequest,
  headers: ReturnType<typeof fileHeaders>,
  content: () => Promise<Buffer | undefined>,
): Promise<HttpReply> {
  if (holds(request, headers.ETag)) return { status: 304, headers, body: '' }
  const body = await content()
  if (!body) return noFile
  const same = ['', headers.ETag].includes(request.header('if-range'))
  return (same && partOf(request.header('range'), headers, body)) || { status: 200, headers, body }
}

const ALL = -2
const OUTSIDE = -1

/** A video is sought in and looped by parts. Undefined when all of it is meant, as it also is by several parts at once. */
function partOf(range: string, headers: Readonly<Record<string, string>>, body: Buffer): HttpReply | undefined {
  const parts = range === '' ? ALL : parseRange(body.length, range)
  if (parts === OUTSIDE)
    return { ...noFile, status: 416, headers: { ...noFile.headers, 'Content-Range': `bytes */${body.length}` } }
  if (parts === ALL || parts.type !== 'bytes') return undefined
  const [part, ...others] = parts
  if (!part || others.length > 0) return undefined
  const { start, end } = part
  return {
    status: 206,
    headers: { ...headers, 'Content-Range': `bytes ${start}-${end}/${body.length}` },
    body: body.subarray(start, end + 1),
  }
}
