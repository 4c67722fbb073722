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
  /** Has the owner of an actor carry out a command, here or there. */
  atOwner<T>(ref: string, ways: Ways<T>, first?: NotMine): Promise<T>
  /** Asks another node; throws errors of the API as that node threw them. */
  ask(node: NodeAddress, kind: string, head: unknown, body: Uint8Array | undefined, withinMs: number): Promise<Heard>
  /** Tells another node, without an answer: it may be lost. */
  note(node: NodeAddress, kind: string, head: unknown): void
  /** The nodes that have beaten lately, this one too. */
  nodes(): readonly NodeAddress[]
  /** Answers asks and notes of one kind from other nodes; to be called before the node listens. */
  answer(kind: string, handler: LinkHandler): void
}
