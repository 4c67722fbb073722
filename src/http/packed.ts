import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { HttpReply, HttpRequest } from './message.ts'

/** A body in the encodings that it can be sent in. */
export type Packed = { readonly identity: Buffer; readonly br?: Buffer; readonly gzip?: Buffer }

/** A built file with the compressed forms that the build put beside it. */
export function readPacked(file: string): Packed {
  const [br, gzip] = ['.br', '.gz'].map((suffix) => file + suffix).map((path) => existsSync(path) && readFileSync(path))
  return { identity: readFileSync(file), ...(br && { br }), ...(gzip && { gzip }) }
}

const LEAST_BYTES = 1_024

/** A text that is made while the server runs, with its compressed forms: of a quality that costs some milliseconds of another thread. */
export async function pack(text: string): Promise<Packed> {
  const identity = Buffer.from(text)
  if (identity.length < LEAST_BYTES) return { identity }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  return { identity, br, gzip: gz }
}

const ENCODINGS = ['br', 'gzip'] as const

/** The smallest form that the client reads. An `ETag` in `headers` becomes a weak one where the bytes are others. */
export function packedReply(request: HttpRequest, packed: Packed, headers: HttpReply['headers']): HttpReply {
  if (!packed.br && !packed.gzip) return { status: 200, headers, body: packed.identity }
  const varying = { ...headers, Vary: 'Accept-Encoding' }
  const accepted = request.header('accept-encoding')
  const encoding = ENCODINGS.find((name) => packed[name] && accepts(accepted, name))
  const body = encoding && packed[encoding]
  if (!body) return { status: 200, headers: varying, body: packed.identity }
  const weak = headers.ETag === undefined ? {} : { ETag: `W/${headers.ETag}` }
  return { status: 200, headers: { ...varying, ...weak, 'Content-Encoding': encoding }, body }
}

/** `gzip, deflate;q=0.5, br;q=0`: named, and not with a weight of zero. RFC 9110 12.5.3 */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })
}
