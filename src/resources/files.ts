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
  ETag: `"${hash}"`,
})

/** The file, or 304 when the client has it. */
export async function sendFile(
  request: HttpRequest,
  headers: ReturnType<typeof fileHeaders>,
  content: () => Promise<Buffer | undefined>,
): Promise<HttpReply> {
  if (holds(request, headers.ETag)) return { status: 304, headers, body: '' }
  const body = await content()
  return body ? { status: 200, headers, body } : noFile
}
