import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Connection = { id: string; type: 'rtmpConn' | 'srtConn' }

/**
 * Stands in for a MediaMTX server: the control API as its openapi.yaml (1.20) describes it, the question whether somebody may
 * publish or read as its authentication by HTTP asks it, and no media. One sender per path, as with `overridePublisher: no`.
 */
export async function mediamtx() {
  const paths = new Map<string, { source: Connection; inboundBytes: number; readers: Connection[] }>()
  let accessUrl = ''
  let answering = true

  const ask = async (action: 'publish' | 'read', path: string, password: string, protocol: 'rtmp' | 'srt') => {
    const connection: Connection = { id: randomUUID(), type: `${protocol}Conn` }
    const query = protocol === 'rtmp' ? `pass=${password}` : ''
    const body = { ip: '203.0.113.9', user: '', password, token: '', action, path, protocol, id: connection.id, query }
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(accessUrl, { method: 'POST', headers, body: JSON.stringify(body) })
    await answer.arrayBuffer()
    return answer.status >= 200 && answer.status <= 299 ? connection : undefined
  }

  const report = (name: string) => {
    const path = paths.get(name)
    return (
      path && {
        name,
        confName: 'all_others',
        available: true,
        online: true,
        ready: true,
        source: path.source,
        tracks: ['H264', 'MPEG-4 Audio'],
        inboundBytes: path.inboundBytes,
        bytesReceived: path.inboundBytes,
        readers: path.readers,
      }
    )
  }

  const end = (id: string) => {
    for (const [name, path] of paths) {
      path.readers = path.readers.filter((reader) => reader.id !== id)
      if (path.source.id === id) paths.delete(name)
    }
  }

  const has = (id: string, type: Connection['type']) =>
    [...paths.values()].some(({ source, readers }) => [source, ...readers].some((c) => c.id === id && c.type === type))

  const handle = (method: string, url: URL): [number, unknown] => {
    const [, , kind = '', action = '', ...rest] = url.pathname.split('/')
    const name = rest.map(decodeURIComponent).join('/')
    const list = { rtmpconns: 'rtmpConn', srtconns: 'srtConn' }[kind] as Connection['type'] | undefined
    if (method === 'GET' && kind === 'info') return [200, { version: 'v1.20.1', started: '2026-01-01T00:00:00Z' }]
    if (method === 'GET' && kind === 'paths' && action === 'list') {
      const size = Number(url.searchParams.get('itemsPerPage') ?? 100)
      const from = Number(url.searchParams.get('page') ?? 0) * size
      const items = [...paths.keys()].map(report)
      return [
        200,
        { itemCount: items.length, pageCount: Math.ceil(items.length / size), items: items.slice(from, from + size) },
      ]
    }
    if (method === 'GET' && kind === 'paths' && action === 'get') {
      const found = report(name)
      return found ? [200, found] : [404, { status: 'error', error: 'path not found' }]
    }
    if (method === 'POST' && list && action === 'kick') {
      if (!has(name, list)) return [404, { status: 'error', error: 'connection not found' }]
      end(name)
      return [200, { status: 'ok' }]
    }
    return [404, { status: 'error', error: 'not found' }]
  }

  const server = createServer((request, reply) => {
    if (!answering) return void request.socket.destroy()
    const [status, body] = handle(request.method ?? '', new URL(request.url ?? '', 'http://localhost'))
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Its `authHTTPAddress`. */
    asks(url: string) {
      accessUrl = url
    },
    /** A sender connects; undefined when it is refused. */
    async publish(path: string, password: string, protocol: 'rtmp' | 'srt' = 'rtmp') {
      const source = await ask('publish', path, password, protocol)
      if (!source || paths.has(path)) return undefined
      paths.set(path, { source, inboundBytes: 0, readers: [] })
      return source.id
    },
    /** A reader connects; undefined when it is refused. */
    async read(path: string, password: string, protocol: 'rtmp' | 'srt' = 'rtmp') {
      const reader = await ask('read', path, password, protocol)
      const found = paths.get(path)
      if (!reader || !found) return undefined
      found.readers.push(reader)
      return reader.id
    },
    receive(path: string, bytes: number) {
      const found = paths.get(path)
      if (found) found.inboundBytes += bytes
    },
    leave: end,
    isThere: (id: string) => has(id, 'rtmpConn') || has(id, 'srtConn'),
    answer(on: boolean) {
      answering = on
    },
  }
}
