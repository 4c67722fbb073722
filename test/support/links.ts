import { randomBytes } from 'node:crypto'
import { connect as connectTcp, createServer, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import type { LinkHandler } from '../../src/nodes/links/answering.ts'
import { LinkLost, LinkRefused, LinkTimeout } from '../../src/nodes/links/errors.ts'
import { identityText, tlsOptions } from '../../src/nodes/links/identity.ts'
import { type LinkOptions, type Links, openLinks } from '../../src/nodes/links/open.ts'
import type { NodeAddress } from '../../src/nodes/ownership.ts'

export const SECRET = randomBytes(32)
export const SERVICE = '0199d1f4-7a55-7000-8000-000000000001'

export type LinkedNode = {
  readonly links: Links
  readonly port: number
  readonly address: NodeAddress
  /** What handlers here were asked, in order: the kind and the head. */
  readonly ran: (readonly [kind: string, head: unknown])[]
  /** What was logged, without fields that say nothing of links. */
  readonly logged: Record<string, unknown>[]
}

/** A node that listens on a free port of this machine and writes down what it is asked; closed when the test finishes. */
export async function linkedNode(
  id: string,
  handlers: Record<string, LinkHandler> = {},
  options: Partial<LinkOptions> = {},
): Promise<LinkedNode> {
  const ran: [string, unknown][] = []
  const logged: Record<string, unknown>[] = []
  const noted = Object.entries({ ...COMMON, ...handlers }).map(([kind, handler]): [string, LinkHandler] => [
    kind,
    async (head, body, from) => {
      ran.push([kind, head])
      return handler(head, body, from)
    },
  ])
  const log = pino({ level: 'info', base: null, timestamp: false }, { write: (line) => logged.push(JSON.parse(line)) })
  const links = openLinks({
    id,
    service: SERVICE,
    secret: () => SECRET,
    host: '127.0.0.1',
    port: 0,
    log,
    handlers: Object.fromEntries(noted),
    ...options,
  })
  const port = await links.listen()
  onTestFinished(() => links.close())
  return { links, port, address: { id, url: `tls://127.0.0.1:${port}` }, ran, logged }
}

const COMMON: Record<string, LinkHandler> = {
  echo: async (head, body) => ({ head, body }),
  who: async (_head, _body, from) => ({ head: from }),
  never: () => new Promise(() => {}),
}

/** What became of an ask, in short. */
export const fate = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: unknown) => {
      if (error instanceof LinkLost) return error.sent ? 'lost' : 'not sent'
      if (error instanceof LinkTimeout) return 'late'
      if (error instanceof LinkRefused) return `refused: ${error.name}`
      throw error
    },
  )

/** A connection that writes to a node what it likes, with the secret or with another one. */
export function knock(port: number, { service = SERVICE, id = 'knocker', psk = SECRET } = {}): TLSSocket {
  const socket = connect({
    ...tlsOptions,
    host: '127.0.0.1',
    port,
    checkServerIdentity: () => undefined,
    pskCallback: () => ({ identity: identityText({ service, id }), psk }),
  })
  return socket.on('error', () => {})
}

/** A way to a node that writes down what those who come by it say, connection by connection. */
export async function recorderOf(port: number): Promise<{ port: number; said: Buffer[][] }> {
  const said: Buffer[][] = []
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const chunks: Buffer[] = []
    said.push(chunks)
    near.on('data', (chunk: Buffer) => chunks.push(chunk))
    const far = connectTcp(port, '127.0.0.1')
    for (const socket of [near, far]) open.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, said }
}
