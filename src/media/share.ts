import type { MediaLeases, StreamWish } from './ports.ts'

/**
 * What the last owner of a lease ran may end this much later than the lease: its keeper looks 20 times a second and gives a
 * process 0.3 s; the rest is for a machine that is busy.
 */
export const ENDED_AFTER_MS = 1_000

/** The lease that decides where an input runs. */
export const inputLease = (inputId: number) => `input/${inputId}`

/** The lease that decides where a stream runs with its destinations: that of its input, whose video is only there. */
export const streamLease = ({ streamId, inputId }: Pick<StreamWish, 'streamId' | 'inputId'>) =>
  inputId === null ? `stream/${streamId}` : inputLease(inputId)

/** What this node runs now. */
export type Share = {
  runs(ref: string): boolean
  /** The lease of a process for this ref; undefined where this process is alone. */
  named(ref: string): { lease?: string }
}

/** `again` is asked for a look at everything once a lease that was just taken may be used. */
export function createShare(leases: MediaLeases | undefined, again: (afterMs: number) => void): Share {
  if (!leases) return { runs: () => true, named: () => ({}) }
  let awaited = false
  return {
    runs(ref) {
      const lease = leases.lease(ref)
      if (!lease) return false
      const leftMs = lease.since + ENDED_AFTER_MS - performance.now()
      if (leftMs <= 0) return true
      if (!awaited) {
        awaited = true
        // timers count whole milliseconds
        again(Math.ceil(leftMs) + 1)
        setTimeout(() => {
          awaited = false
        }, leftMs).unref()
      }
      return false
    },
    named: (lease) => ({ lease }),
  }
}
