import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Cuttable = {
  /** The same address by way of the proxy. */
  url: string
  /** Closes every connection, without a word of the server. */
  cut(): void
  /** Carries nothing any more on the connections that are open, and closes none. */
  hang(): void
}

/** A way to a server that can be cut. */
export async function proxyTo(target: string): Promise<Cuttable> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.end().destroy()
  }
  const hang = () => {
    for (const socket of open) socket.unpipe().pause()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return { url: url.href, cut, hang }
}
