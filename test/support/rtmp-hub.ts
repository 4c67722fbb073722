import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { loadNms } from '../../src/media/ingest/nms.ts'

export type RtmpConnection = { readonly openedAt: number; lastAt: number; closedAt: number | undefined; bytes: number }

/** RTMP for whoever comes: one sends a path, any number read it. As MediaMTX does for its media, and as a far end. */
export async function rtmpHub() {
  const { RtmpSession, context, logger } = loadNms()
  logger.level = 'error'
  context.config = {}
  const sockets = new Set<Socket>()
  const connections: RtmpConnection[] = []
  const server = createServer((socket) => {
    const seen: RtmpConnection = { openedAt: performance.now(), lastAt: 0, closedAt: undefined, bytes: 0 }
    connections.push(seen)
    sockets.add(socket)
    socket.on('data', (bytes: Buffer) => {
      seen.lastAt = performance.now()
      seen.bytes += bytes.length
    })
    socket.on('close', () => {
      seen.closedAt = performance.now()
      sockets.delete(socket)
    })
    const session = new RtmpSession(socket)
    context.sessions.set(session.id, session)
    session.run()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, url: `rtmp://127.0.0.1:${port}/live`, connections: connections as readonly RtmpConnection[] }
}
