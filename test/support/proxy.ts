import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Cuttable = {
  /** The same address by way of the proxy. */
  url: string
  /** Closes every connection, without a word of the server. */
  cut(): void
  /** Carries nothing any more on the connections that are open, and closes none. */
  hang(): void
  /** The same, and what connects from now on is not answered either. */
  freeze(): void
  /** Closes every connection, and each one that is opened from now on. */
  refuse(): void
  /** Carries everything again, also what was held back meanwhile. */
  mend(): void
}

/** As `openProxy`, for as long as the test runs. */
export async function proxyTo(target: string, bytesPerSecond?: number): Promise<Cuttable> {
  const proxy = await openProxy(target, bytesPerSecond)
  onTestFinished(proxy.close)
  return proxy
}

/** A way to a server that can be cut; `bytesPerSecond` is what it carries at most of what each connection is answered. */
export async function openProxy(target: string, bytesPerSecond?: number): Promise<Cuttable & { close(): void }> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  /** Connections that were opened while nothing was carried. */
  const unanswered = new Set<Socket>()
  const pairs = new Set<readonly [Socket, Socket]>()
  let state: 'open' | 'frozen' | 'refusing' = 'open'
  const carry = (near: Socket) => {
    const far = connect({ port: Number(port), host: hostname, noDelay: true })
    const pair = [near, far] as const
    pairs.add(pair)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        pairs.delete(pair)
        other.destroy()
      })
      if (socket === far && bytesPerSecond !== undefined) trickle(socket, other, bytesPerSecond)
      else socket.pipe(other)
    }
  }
  // what comes in two pieces must not wait for an acknowledgement between them, which takes 40 ms
  const server = createServer({ noDelay: true }, (near) => {
    if (state === 'open') return carry(near)
    if (state === 'refusing') return void near.on('error', () => {}).destroy()
    open.add(near.on('error', () => {}))
    unanswered.add(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of open) socket.end().destroy()
    unanswered.clear()
  }
  const hang = () => {
    for (const socket of open) socket.unpipe().removeAllListeners('data').pause()
  }
  const freeze = () => {
    state = 'frozen'
    hang()
  }
  const refuse = () => {
    state = 'refusing'
    cut()
  }
  const mend = () => {
    if (state === 'frozen') {
      for (const [near, far] of pairs) {
        near.pipe(far)
        far.pipe(near)
      }
      for (const near of unanswered) carry(near)
      unanswered.clear()
    }
    state = 'open'
  }
  const close = () => {
    cut()
    server.close()
  }
  const address = server.address()
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return { url: url.href, cut, hang, freeze, refuse, mend, close }
}

const turnMs = 50

/** Passes on so much in a second, and reads no more than it passes on. */
function trickle(from: Socket, to: Socket, bytesPerSecond: number): void {
  const most = Math.max(1, Math.round((bytesPerSecond * turnMs) / 1_000))
  from.on('data', (chunk: Buffer) => {
    from.pause()
    const turn = (at: number) => {
      if (to.destroyed) return
      to.write(chunk.subarray(at, at + most))
      setTimeout(() => (at + most < chunk.length ? turn(at + most) : from.resume()), turnMs)
    }
    turn(0)
  })
}
