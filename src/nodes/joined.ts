import type { NotMine } from '../errors.ts'
import type { Ways } from './at-owner.ts'
import type { Bus } from './bus.ts'
import type { Heard, LinkHandler } from './links/answering.ts'
import type { NodeAddress, Ownership } from './ownership.ts'

/** This process as one of the nodes of a service. A process that is alone on its database has none. */
export type JoinedNode = {
  readonly id: string
  readonly ownership: Ownership
  /** Whether any other node is known to live. */
  hasOthers(): boolean
  /** Carries commits between the nodes. */
  readonly bus: Bus
  /** The other nodes that live. */
  others(): readonly NodeAddress[]
  /** Has the owner of an actor do something, here or there. */
  atOwner<T>(ref: string, ways: Ways<T>, first?: NotMine): Promise<T>
  /** Asks another node; throws errors of the API as that node threw them. */
  ask(node: NodeAddress, kind: string, head: unknown, body: Uint8Array | undefined, withinMs: number): Promise<Heard>
  /** What this node answers to the others; to be said before it listens. */
  answer(kind: string, handler: LinkHandler): void
}
