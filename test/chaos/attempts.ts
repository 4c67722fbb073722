export type Attempt = {
  requestId: string
  overlayId: number
  /** 0: the connection broke or nothing came in time. */
  status: number
  tookMs: number
  at: number
}

/** What an operator tried, for whoever judges afterwards. */
export interface Attempts {
  readonly attempts: readonly Attempt[]
  /** Attempts from this index on that were acknowledged. */
  acked(from?: number): Attempt[]
}
