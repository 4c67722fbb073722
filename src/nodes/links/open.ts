import type { Logger } from 'pino'
import type { NodeAddress } from '../ownership.ts'
import type { Heard, LinkHandler, LinkLimits } from './answering.ts'
import { AskingLink } from './asking.ts'
import { type Identity, identityText } from './identity.ts'
import { LinkListener } from './listener.ts'
import { Pulse } from './pulse.ts'

const LIMITS: LinkLimits = { maxInFlight: 4_096, maxWaitingBytes: 64 * 1024 * 1024 }

/** How long `close` waits for the answers to asks made before. */
const CLOSE_MS = 2_000

export type LinkOptions = Identity & {
  /** 32 random bytes that only nodes of this service can read. */
  readonly secret: () => Buffer
  /** Where the listener listens: every address when undefined. */
  readonly host?: string | undefined
  /** 0: a free one. */
  readonly port: number
  readonly log: Logger
  /** Handlers of asks by other nodes, by kind; the same ones take notes. */
  readonly handlers: Readonly<Record<string, LinkHandler>> | ReadonlyMap<string, LinkHandler>
  readonly limits?: Partial<LinkLimits>
}

/** The links of this node to all others, both ways. */
export type Links = {
  /** Resolves with the port. */
  listen(): Promise<number>
  /** Rejects with a LinkLost, a LinkTimeout or a LinkRefused. */
  ask(node: NodeAddress, kind: string, head: unknown, body: Uint8Array | undefined, withinMs: number): Promise<Heard>
  /** For how long the oldest ask to this node waits for its answer, ms. */
  waitsMs(node: string): number
  /** Sends a note, which has no answer: lost when the link is, or was not there and does not open. */
  note(node: NodeAddress, kind: string, head: unknown, body?: Uint8Array): void
  /** Refuses asks from now on, and resolves when those made before are answered, or after two seconds. */
  close(): Promise<void>
}

/** One connection for each pair of nodes and direction, over TLS with a secret that both know. */
export function openLinks({ id, service, secret, host, port, log, handlers, limits }: LinkOptions): Links {
  identityText({ id, service })
  const pulse = new Pulse()
  const common = { id, service, secret, log, pulse, limits: { ...LIMITS, ...limits } }
  const listener = new LinkListener({
    ...common,
    handlers: handlers instanceof Map ? handlers : new Map(Object.entries(handlers)),
  })
  const links = new Map<string, AskingLink>()
  let isClosed = false

  const linkTo = (node: NodeAddress) => {
    const known = links.get(node.id)
    if (known?.url === node.url) return known
    known?.close('it is somewhere else now')
    const onForgotten = (link: AskingLink) => {
      if (links.get(node.id) === link) links.delete(node.id)
    }
    const link = new AskingLink({ ...common, node, onForgotten })
    if (isClosed) link.close('this node is about to end')
    else links.set(node.id, link)
    return link
  }

  return {
    listen: () => listener.listen(host, port),
    ask: (node, kind, head, body, withinMs) => linkTo(node).ask(kind, head, body, withinMs),
    waitsMs: (node) => links.get(node)?.waitsMs ?? 0,
    note: (node, kind, head, body) => linkTo(node).note(kind, head, body),
    async close() {
      isClosed = true
      await listener.close(CLOSE_MS)
      for (const link of links.values()) link.close('this node is about to end')
      links.clear()
      pulse.stop()
    },
  }
}
