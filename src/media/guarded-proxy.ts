import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type LookupFunction, type Socket } from 'node:net'
import { type Address, addressesNow, type Resolve } from './connect-guard.ts'

const SILENT_MS = 30_000
const HEAD_WITHIN_MS = 10_000
/** Headers of one hop, which are not passed on. */
const HOP_HEADERS = ['proxy-connection', 'proxy-authorization', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer']

/** A name is connected to where it was found to be, so that it cannot lead elsewhere the next time it is asked. */
const at =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family)
  }

/**
 * An HTTP proxy on this machine for ffmpeg, which follows redirects and playlists to wherever they lead: every connection is
 * checked when it is made. Resolves with its URL. It keeps no process alive.
 */
export async function openGuardedProxy(permits: (address: string) => boolean, resolve?: Resolve): Promise<string> {
  const refuse = (socket: Socket) => void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')

  const tunnel = async ({ url = '' }: IncomingMessage, near: Socket, head: Buffer) => {
    near.on('error', () => {})
    if (!URL.canParse(`http://${url}`)) return refuse(near)
    const { hostname } = new URL(`http://${url}`)
    const found = await addressesNow(`http://${url}`, permits, resolve)
    if ('refused' in found) return refuse(near)
    const far = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      // 80 is not told by URL
      port: Number(/:(\d+)$/.exec(url)?.[1] ?? 443),
      lookup: at(found.addresses),
    })
    let open = false
    near.setTimeout(SILENT_MS, () => near.destroy())
    far.setTimeout(SILENT_MS, () => far.destroy())
    near.on('close', () => far.destroy())
    far.on('error', () => {})
    far.on('close', () => (open ? near.destroy() : refuse(near)))
    far.once('connect', () => {
      open = true
      near.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.write(head)
      near.pipe(far).pipe(near)
    })
  }

  const forward = async (asked: IncomingMessage, reply: ServerResponse) => {
    const { url = '', method, headers } = asked
    const isRead = method === 'GET' || method === 'HEAD'
    const found = isRead && /^http:/i.test(url) ? await addressesNow(url, permits, resolve) : { refused: '' }
    if ('refused' in found) return void reply.writeHead(403).end()
    const kept = Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name))
    const onward = request(url, {
      method,
      headers: Object.fromEntries(kept),
      lookup: at(found.addresses),
      agent: false,
      timeout: SILENT_MS,
    })
    onward.on('timeout', () => onward.destroy())
    onward.on('error', () => (reply.headersSent ? reply.destroy() : reply.writeHead(502).end()))
    onward.on('response', (answer) => {
      const { statusCode = 0, headers: given } = answer
      // three digits pass the parser, also those without a meaning
      if (statusCode < 200) return void onward.destroy(new Error('no status'))
      const passed = Object.entries(given).filter(([name]) => !HOP_HEADERS.includes(name))
      reply.writeHead(statusCode, Object.fromEntries(passed))
      answer.pipe(reply)
      answer.on('error', () => reply.destroy())
    })
    reply.on('close', () => onward.destroy())
    onward.end()
  }

  const server = createServer({ headersTimeout: HEAD_WITHIN_MS }, (asked, reply) => void forward(asked, reply))
  server.on('connect', (asked, _socket, head) => void tunnel(asked, asked.socket, head))
  server.on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
  return `http://127.0.0.1:${address.port}`
}
