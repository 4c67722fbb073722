import type { Sql } from 'postgres'
import type { z } from 'zod'
import type { TimerNotice, TimerTask } from '../jobs.ts'
import type { Work } from './queue.ts'

export type TimerKey = z.infer<typeof TimerTask>

/**
 * Timers further away get their job from a later round: until then they may be set anew again and again, and each job waits for its
 * own deadline.
 */
export const TIMERS_AHEAD_MS = 600_000

/** The job that looks at a timer when it is due. Its id names the deadline too, so a timer set anew gets a job of its own. */
export const timerWork = ({ ref, name, dueAt }: TimerNotice, now: number): Work => ({
  queue: 'actors',
  // BullMQ refuses colons in ids
  id: `timer-${ref}-${name}-${Math.floor(dueAt)}`.replaceAll(':', '.'),
  name: 'timer',
  data: { ref, name } satisfies TimerKey,
  delayMs: dueAt - now,
  attempts: 20,
})

/** How long until it is due by the clock of the database, at least 0; undefined when it fired or was cancelled. */
export async function timerDueIn(sql: Sql, { ref, name }: TimerKey): Promise<number | undefined> {
  const [row] = await sql<{ ms: number }[]>`
    select (extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as ms
    from timer where ref = ${ref} and name = ${name}`
  return row && Math.max(0, row.ms)
}

/** Timers that were due at least this long ago, except those of these refs: their job was lost, or runs late because a clock was moved. */
export const overdueTimers = (sql: Sql, byMs: number, except: readonly string[], limit: number) =>
  sql<TimerKey[]>`
    select ref, name from timer
    where due_at < clock_timestamp() - make_interval(secs => ${byMs / 1000}) and ref <> all(${except})
    order by due_at limit ${limit}`

/** Timers due within this time, for a queue that may have lost their jobs. `now` is database time, ms since 1970. */
export const timersDueWithin = (sql: Sql, ms: number, limit: number) =>
  sql<{ ref: string; name: string; dueAt: number; now: number }[]>`
    select ref, name, (extract(epoch from due_at) * 1000)::float8 as "dueAt",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now
    from timer where due_at < clock_timestamp() + make_interval(secs => ${ms / 1000})
    order by due_at limit ${limit}`
