import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Ref } from '../src/actors/journal.ts'
import { TimerTask } from '../src/jobs.ts'
import type { DeliveryResult, WorkQueue } from '../src/store/queue.ts'
import { overdueTimers, TIMERS_AHEAD_MS, timerDueIn, timersDueWithin, timerWork } from '../src/store/timers.ts'
import { overdueRunner } from './overdue.ts'

/** Runs the event of a timer that is due; does nothing when its row is gone or was set to a later time meanwhile. */
export type Fire = (ref: Ref, name: string) => Promise<void>

/** A job does its part this long after the deadline, or it is not coming. */
const OVERDUE_MS = 200
const LIMIT = 500

export type TimerWorker = {
  /** A timer's job: fires when the database's clock says so, else waits for the rest. */
  look(data: unknown): Promise<DeliveryResult>
  /** Fires timers that are overdue without any job: the queue lost it, is away, or a clock was moved. */
  fireOverdue(): Promise<void>
  /** Gives the queue a job for each timer that will be due soon; those it has are left alone. */
  reconcile(): Promise<void>
}

/** The row is the truth and the database's clock decides; jobs only say when to look. */
export function timerWorker(
  sql: Sql,
  queue: WorkQueue,
  { fire, owns }: { fire: Fire; owns(ref: string): boolean },
  log: Logger,
): TimerWorker {
  const fireOverdue = overdueRunner({
    // the owner of an actor finds them, too
    find: async (refs) => (await overdueTimers(sql, OVERDUE_MS, refs, LIMIT)).filter(({ ref }) => owns(ref)),
    keyOf: ({ ref }) => ref,
    run: ({ ref, name }) => fire(asRef(ref), name),
    failed: ({ ref, name }, error) => log.warn({ err: error, ref, name }, 'a timer could not fire'),
  })
  return {
    async look(data) {
      const key = TimerTask.parse(data)
      const ms = await timerDueIn(sql, key)
      if (ms === undefined) return undefined
      if (ms > 0) return { againInMs: Math.ceil(ms) }
      await fire(asRef(key.ref), key.name)
      return undefined
    },
    async fireOverdue() {
      await fireOverdue()
    },
    async reconcile() {
      const soon = await timersDueWithin(sql, TIMERS_AHEAD_MS, LIMIT)
      await queue.add(soon.map((timer) => timerWork(timer, timer.now)))
    },
  }
}

// rows are written from refs, which all have this form
const asRef = (ref: string) => ref as Ref
