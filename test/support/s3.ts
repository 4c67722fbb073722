import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'

export const S3_KEY = { accessKeyId: 'tally', secretAccessKey: 'a secret of the bucket', region: 'eu-test-1' }
export const S3_BUCKET = 'tally-files'

export type S3 = {
  readonly url: string
  readonly objects: Map<string, Buffer>
  /** `METHOD status` of each answer so far. */
  readonly answers: string[]
  /** Which bytes were asked for, as `from-to`. */
  readonly ranges: string[]
  /** The next answers, whatever is asked: a status, or `hang` for none at all. */
  readonly next: (number | 'hang')[]
  close(): Promise<void>
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

/** What the Authorization header must be, by Signature Version 4 of the request as it arrived. */
function signatureOf(request: IncomingMessage): string {
  const header = (name: string) => String(request.headers[name] ?? '')
  const [, signedHeaders = ''] = /SignedHeaders=([^,]+)/.exec(header('authorization')) ?? []
  const [day = ''] = header('x-amz-date').split('T')
  const scope = [day, S3_KEY.region, 's3', 'aws4_request'].join('/')
  const canonical = [
    request.method,
    request.url,
    '',
    ...signedHeaders.split(';').map((name) => `${name}:${header(name).trim()}`),
    '',
    signedHeaders,
    header('x-amz-content-sha256'),
  ].join('\n')
  const key = [day, S3_KEY.region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${S3_KEY.secretAccessKey}`)
  const signature = hmac(key, ['AWS4-HMAC-SHA256', header('x-amz-date'), scope, sha256(canonical)].join('\n'))
  const credential = `Credential=${S3_KEY.accessKeyId}/${scope}`
  return `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${signedHeaders}, Signature=${signature.toString('hex')}`
}

/** A service with one bucket that is as strict as S3 is: signatures, lengths, hashes. */
export async function startS3(): Promise<S3> {
  const objects = new Map<string, Buffer>()
  const answers: string[] = []
  const ranges: string[] = []
  const next: S3['next'] = []

  const answer = (request: IncomingMessage, body: Buffer): [number, Buffer?, string?] => {
    const [, bucket, name = ''] = request.url?.split('/') ?? []
    if (request.headers.authorization !== signatureOf(request)) return [403]
    const skewMs = Date.now() - Date.parse(isoOf(String(request.headers['x-amz-date'])))
    if (!(Math.abs(skewMs) < 900_000)) return [403]
    if (bucket !== S3_BUCKET) return [404]
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return [411]
      if (request.headers['x-amz-content-sha256'] !== sha256(body)) return [400]
      objects.set(name, body)
      return [200]
    }
    const found = objects.get(name)
    if (!found) return [404]
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return [200, found]
    ranges.push(`${from}-${to}`)
    if (Number(from) >= found.length) return [416, Buffer.alloc(0), `bytes */${found.length}`]
    const part = found.subarray(Number(from), Number(to) + 1)
    return [206, part, `bytes ${from}-${Number(from) + part.length - 1}/${found.length}`]
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const forced = next.shift()
    if (forced === 'hang') return
    const [status, content, range] = forced === undefined ? answer(request, body) : [forced]
    answers.push(`${request.method} ${status}`)
    const headers = { ...(content && { 'content-length': content.length }), ...(range && { 'content-range': range }) }
    response.writeHead(status, headers).end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    objects,
    answers,
    ranges,
    next,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const isoOf = (compact: string) => compact.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5')
