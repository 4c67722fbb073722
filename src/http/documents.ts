import { createHash, subtle } from 'node:crypto'
import { type HttpReply, holds, type Page } from './message.ts'
import { type Packed, pack, packedReply } from './packed.ts'

type Made = { type: string; packed: Packed; headers?: Readonly<Record<string, string>> }

/** A page that is made when it is first asked for and stays the same; sent in the smallest form that the client reads. */
export function document(path: string, make: () => Promise<Made>): Page {
  let making: Promise<{ packed: Packed; headers: HttpReply['headers'] & { ETag: string } }> | undefined
  const made = async () => {
    const { type, packed, headers } = await make()
    // of a megabyte, by another thread
    const tag = Buffer.from(await subtle.digest('SHA-256', packed.identity)).toString('base64url')
    return {
      packed,
      headers: {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        'X-Content-Type-Options': 'nosniff',
        ETag: `"${tag}"`,
        ...headers,
      },
    }
  }
  return {
    path,
    async handle(request) {
      making ??= made()
      const { packed, headers } = await making.catch((error: unknown) => {
        // the next one tries anew
        making = undefined
        throw error
      })
      return holds(request, headers.ETag) ? { status: 304, headers, body: '' } : packedReply(request, packed, headers)
    },
  }
}

/** A description for machines, which anybody may read from anywhere. */
export const jsonDocument = (path: string, describe: () => object | Promise<string>): Page =>
  document(path, async () => ({
    type: 'application/json',
    packed: await pack(await textOf(describe())),
    headers: { 'Access-Control-Allow-Origin': '*' },
  }))

const textOf = (described: object | Promise<string>) =>
  described instanceof Promise ? described : JSON.stringify(described)

/** A page for people. */
export const htmlDocument = (path: string, write: () => string): Page =>
  document(path, async () => {
    const html = write()
    return { type: 'text/html; charset=utf-8', packed: await pack(html), headers: htmlHeaders(html) }
  })

/** Nothing from elsewhere loads, whatever a script would like to fetch. */
function htmlHeaders(html: string): Record<string, string> {
  const inline = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1]
  const hash = inline ? ` 'sha256-${createHash('sha256').update(inline).digest('base64')}'` : ''
  const policy = [
    "default-src 'none'",
    `script-src 'self'${hash}`,
    'worker-src blob:',
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ]
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' }
}
