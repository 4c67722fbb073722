/** Where a node is reached by the others. */
export type NodeAddress = { readonly id: string; readonly url: string }

/** Held without a break since then, and until then unless it is renewed; by the clock of `performance.now()`. */
export type Lease = { readonly since: number; readonly until: number }

/** Who commands an actor, as this node knows it. */
export interface Ownership {
  /** Whether this node may command the actor now: it holds the lease, by a clock that began before the lease was asked for. */
  owns(ref: string): boolean
  /** The lease by which it may; undefined: it may not. */
  lease(ref: string): Lease | undefined
  /** The node that commands it as far as this one knows; undefined: nobody now. */
  ownerOf(ref: string): NodeAddress | undefined
  /** Whether the database has answered lately: without it this node knows nothing of what the others do. */
  readonly isLive: boolean
}
