import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { finishOutboxRows, reactionWork, takeReactions, type WaitingReaction } from '../src/store/outbox.ts'
import type { WorkQueue } from '../src/store/queue.ts'
import { oneAtATime } from '../src/waiting/one-at-a-time.ts'
import { within } from '../src/waiting/within.ts'
import type { React } from './jobs.ts'

/** So many are under way at once in a process. */
const AT_ONCE = 50
/** The first of the tries that the queue makes of one that failed. */
const AGAIN_MS = 250
const CLOSE_WITHIN_MS = 5_000

export type ReactionWorker = {
  /** Takes reactions that wait. Resolves when they are taken, not when they are carried out; also when the database is out of reach. */
  take(): Promise<void>
  /** Those that this process carries out now. */
  underWay(): readonly number[]
  /** Takes no more, and waits for those under way, at most 5 s. */
  close(): Promise<void>
}

/**
 * Carries reactions out in the process that finds them, at once: a goal is on air without the way through the queue, which is left with those
 * that failed. The row stays until its reaction is done. A process that dies with some leaves rows that look handed over and that no queue
 * knows: `reactionsLost` finds them. `othersWait` is told that rows wait which are no reactions.
 */
export function reactionWorker(
  sql: Sql,
  queue: Pick<WorkQueue, 'add'>,
  { react, othersWait }: { react: React; othersWait(): void },
  log: Logger,
): ReactionWorker {
  const running = new Map<number, Promise<void>>()
  let finished: number[] = []
  let closed = false
  /** There may be more than there was room for. */
  let more = false

  const finishing = oneAtATime(async () => {
    const ids = finished
    finished = []
    if (ids.length === 0) return
    try {
      await finishOutboxRows(sql, ids)
    } catch (error) {
      // they are found as if they were lost, and done once more, which changes nothing
      log.debug({ err: error, outboxIds: ids }, 'reactions are done, but their rows stay')
    }
  })

  const carryOut = async (waiting: WaitingReaction) => {
    const { id, reaction } = waiting
    try {
      await react(reaction, id, false)
      finished.push(id)
      await finishing.call()
    } catch (error) {
      log.warn({ err: error, outboxId: id }, 'a reaction failed and is left to the queue')
      await queue.add([reactionWork(waiting, AGAIN_MS)]).catch((err: unknown) => {
        log.debug({ err, outboxId: id }, 'a reaction waits without the queue')
      })
    } finally {
      running.delete(id)
      // half of them at once, not one by one
      if (more && !closed && running.size <= AT_ONCE / 2) void taking.call()
    }
  }

  const taking = oneAtATime(async () => {
    const room = AT_ONCE - running.size
    if (closed || room <= 0) {
      more = true
      return
    }
    try {
      const { taken, count, others } = await takeReactions(sql, room, log)
      more = count === room
      for (const waiting of taken) running.set(waiting.id, carryOut(waiting))
      if (others) othersWait()
    } catch (error) {
      // the rows stay for the next sweep
      log.debug({ err: error }, 'reactions wait')
    }
  })

  return {
    take: taking.call,
    underWay: () => [...running.keys()],
    async close() {
      closed = true
      await taking.ended()
      // what is left is in its rows
      await within(CLOSE_WITHIN_MS, Promise.all(running.values()), () => new Error('in time')).catch(() => {})
      await finishing.ended()
    },
  }
}
