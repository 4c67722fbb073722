/** Where a node is reached by the others. */
export type NodeAddress = { readonly id: string; readonly url: string }

/** Held without a break since then, and until then unless it is renewed; by the clock of `performance.now()`. */
export type Lease = { readonly since: number; readonly until: number }

/** The owners of actors, as this node knows them. */
export interface Ownership {
  /** Whether this node may command the actor now: it holds the lease, by a clock that began before the lease was asked for. */
  owns(ref: string): boolean
  /** The lease by which this node may command the actor; undefined: it may not. */
  lease(ref: string): Lease | undefined
  /** The owner of the actor as far as this node knows; undefined: none now. */
  ownerOf(ref: string): NodeAddress | undefined
  /** Whether the database has answered lately: without it this node knows nothing of what the others do. */
  readonly isLive: boolean
  /** Whether other nodes cannot reach this one, so that it owns nothing and cannot have commands done either. */
  readonly isCutOff: boolean
}
