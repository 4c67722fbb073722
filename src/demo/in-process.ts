import { bodyTooLarge } from '../errors.ts'
import { type HttpReply, type HttpRequest, wholeBody } from '../http/message.ts'
import type { Transport } from '../theme-files/transport.ts'

/** Requests to an app of this process, without a port; the prefix of its paths in `publicUrl` is for others. */
export function inProcess(request: (request: HttpRequest) => Promise<HttpReply>, publicUrl: string): Transport {
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
  return async ({ method, url, headers, body }) => {
    const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const within = (maxBytes: number) => {
      if (bytes && bytes.length > maxBytes) throw bodyTooLarge(maxBytes)
      return bytes
    }
    const reply = await request({
      method,
      path: url.pathname.slice(prefix.length),
      query: url.search.slice(1),
      header: (name) => sent.get(name) ?? '',
      has: (name) => sent.has(name),
      remoteAddress: '127.0.0.1',
      body: async (maxBytes) => within(maxBytes) ?? Buffer.alloc(0),
      async *chunks(maxBytes) {
        const all = within(maxBytes)
        if (all) yield all
      },
    })
    const answered = new Map(Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value]))
    return { status: reply.status, header: (name) => answered.get(name), body: await wholeBody(reply) }
  }
}
