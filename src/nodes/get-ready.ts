import type { Logger } from 'pino'
import { within } from '../waiting/within.ts'
import type { LiveNode } from './leases.ts'
import { beating, sharing } from './shares.ts'
import { ownersOf } from './slots.ts'
import { tried } from './statements.ts'

/** The others serve meanwhile, with one node less than there could be. */
const WITHIN_MS = 3_000

type Parts = {
  /** The node that is about to join. */
  me: Pick<LiveNode, 'id' | 'url' | 'knows'>
  /** Those that serve now. */
  nodes(): Promise<readonly LiveNode[]>
  prepare(slots: readonly number[]): Promise<void>
  log: Logger
}

/**
 * Has a node get ready for its share before it joins, while others own that. Where nobody serves commands wait already: there is no time for it.
 * A node that is not ready in time, or cannot be, joins all the same. Never rejects.
 */
export const getReady = ({ me, nodes, prepare, log }: Parts): Promise<void> =>
  tried(log, 'get ready before it joins', async () => {
    const others = await nodes()
    if (beating(others).length === 0) return
    const mine = { ...me, draining: false, leaving: false, ageMs: 0, cutOffFrom: [] }
    const shares = ownersOf(sharing([...others, mine]))
    const slots = shares.flatMap((owner, slot) => (owner === me.id ? [slot] : []))
    await within(WITHIN_MS, prepare(slots), () => new Error(`not ready within ${WITHIN_MS} ms`))
  })
