import { setTimeout as pause } from 'node:timers/promises'
import type { Feed } from './feed.ts'
import type { FeedParts } from './feed-ports.ts'

const EVERY_MS = 1_000
/** A commit of just now may be under way on the bus. */
const UNDER_WAY_MS = 50

export type RepairParts = Pick<FeedParts, 'bus' | 'journal' | 'isLive' | 'log'> & {
  feed: Feed
  /** Called once a second while the bus is down: changes that are told by it alone may go unheard. */
  unheard?(): Promise<void>
  everyMs?: number
}

/**
 * Compares the overlays that have sockets here with the database once a second, in one statement, and at once when the bus is back: a commit
 * that the bus lost is late by that much. Answers a function that ends the repair.
 */
export function startRepair({ feed, bus, journal, isLive, unheard, log, everyMs = EVERY_MS }: RepairParts): () => void {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isOver = false

  const compare = async () => {
    if (!isLive()) return
    if (!bus.isUp()) await unheard?.()
    if (feed.isSuspended) await feed.resumed()
    const before = feed.positions()
    if (before.size === 0 || feed.isSuspended) return
    const seqs = await journal.seqs([...before.keys()])
    for (const [overlayId, position] of before) if ((seqs.get(overlayId) ?? position) < position) feed.fell(overlayId)
    const now = feed.positions()
    if (![...now].some(([overlayId, position]) => (seqs.get(overlayId) ?? 0) > position)) return
    await pause(UNDER_WAY_MS)
    if (!isOver) await feed.reached(seqs)
  }

  const run = (): Promise<void> => {
    running ??= compare()
      .catch((error) => log.warn({ err: error }, 'overlays could not be compared with the database'))
      .finally(() => {
        running = undefined
      })
    return running
  }

  const tick = async () => {
    const dueAt = performance.now() + everyMs
    await run()
    if (!isOver) timer = setTimeout(tick, Math.max(0, dueAt - performance.now()))
  }
  // not all nodes at the same moment
  timer = setTimeout(tick, Math.random() * everyMs)
  // a comparison that runs may have asked before the last text was lost
  bus.onUp(async () => {
    await running
    if (!isOver) await run()
  })
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
