import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import type { z } from 'zod'
import { isKeptUp, OutboxEntry, type OutboxTask, Reaction } from '../jobs.ts'
import { oneAtATime } from '../waiting/one-at-a-time.ts'
import type { QueueName, Work, WorkQueue } from './queue.ts'
import { TIMERS_AHEAD_MS, timerWork } from './timers.ts'

export type Outbox = {
  /** Hands over rows that wait, now; called after a commit that wrote rows. Calls while one runs make one more run. */
  drainSoon(): void
  /** Hands over rows that wait. Resolves also when the queue or the database is out of reach; the rows stay then. */
  drain(): Promise<void>
  /** Offers rows to the queue again that it was given long ago: it may have lost them. Throws when it is out of reach. */
  handOverAgain(): Promise<void>
  /** Resolves when no drain runs any more. */
  close(): Promise<void>
}

const BATCH_ROWS = 200
const LOST_AFTER_SECONDS = 30

type Row = { id: number; kind: string; payload: unknown; createdAt: number; now: number }

/**
 * Moves committed outbox rows to the queue under the job id `outbox-<id>`, but for reactions, which their process carries out itself. A row
 * stays until its work is done, so neither a crash between hand-over and mark nor a queue that forgets or repeats itself loses it or does it
 * twice. Timers are the exception: their truth is the timer row. `anyProcess`: only jobs that any process can work.
 */
export function openOutbox(sql: Sql, queue: WorkQueue, log: Logger, anyProcess = false): Outbox {
  let closed = false

  // rows that only the node works might wait in a queue that it does not know: a worker may be configured with another one
  const mine = (tx: TransactionSql) =>
    anyProcess
      ? tx`and kind = 'job' and payload ->> 'name' <> all(${Object.keys(QUEUE_OF)})`
      : tx`and kind <> 'reaction'`
  // reactions among them: one that could not be carried out is left to the queue
  const mineAgain = (tx: TransactionSql) => (anyProcess ? mine(tx) : tx``)

  // in one transaction, so that other nodes skip these rows meanwhile
  const handOver = (select: (tx: TransactionSql) => Promise<Row[]>) =>
    sql.begin(async (tx) => {
      const rows = (await select(tx)).map((row) => ({ ...row, work: workOf(row, log) }))
      await queue.add(rows.flatMap(({ work }) => work ?? []))
      const [queued, finished] = partition(rows, ({ kind, work }) => work !== undefined && kind !== 'timer')
      if (finished.length > 0) await tx`delete from outbox where id = any(${idsOf(finished)})`
      if (queued.length > 0) await tx`update outbox set handed_at = clock_timestamp() where id = any(${idsOf(queued)})`
      return rows.length
    })

  const waiting = (tx: TransactionSql) => tx<Row[]>`
    select id::float8 as id, kind, payload, (extract(epoch from created_at) * 1000)::float8 as "createdAt",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now
    from outbox where handed_at is null ${mine(tx)} order by outbox.id limit ${BATCH_ROWS} for update skip locked`

  const lost = (tx: TransactionSql) => tx<Row[]>`
    select id::float8 as id, kind, payload, (extract(epoch from created_at) * 1000)::float8 as "createdAt",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now
    from outbox where handed_at < clock_timestamp() - make_interval(secs => ${LOST_AFTER_SECONDS}) ${mineAgain(tx)}
    order by handed_at limit ${BATCH_ROWS} for update skip locked`

  const { call: drain, ended } = oneAtATime(async () => {
    try {
      while (!closed && (await handOver(waiting)) === BATCH_ROWS);
    } catch (error) {
      // the rows stay for the next sweep
      log.debug({ err: error }, 'the outbox waits')
    }
  })

  return {
    drain,
    drainSoon: () => void drain(),
    async handOverAgain() {
      await handOver(lost)
    },
    async close() {
      closed = true
      await ended()
    },
  }
}

/** How long the oldest row has waited for its hand-over, in seconds; 0 when none waits. Rows of a healthy node are gone in milliseconds. */
export async function outboxAgeSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ age: number }[]>`
    select coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
    from outbox where handed_at is null`
  return row?.age ?? 0
}

/** Has overlays brought up to date as soon as that can be: they could not be told of a change. */
export async function leaveBehind(sql: Sql, overlayIds: readonly number[]): Promise<void> {
  await sql`
    insert into outbox (kind, payload)
    select 'reaction', json_build_object('event', 'overlay.behind', 'ref', missed.ref)
    from (select 'overlay/' || id as ref from unnest(${[...overlayIds]}::int[]) as id) missed
    where not exists (select from outbox where kind = 'reaction' and payload ->> 'ref' = missed.ref)`
}

/** The row's entry while its work is not done; undefined afterwards. */
export async function findOutboxEntry(sql: Sql | TransactionSql, id: number): Promise<OutboxEntry | undefined> {
  const [row] = await sql`select kind, payload from outbox where id = ${id}`
  return row && OutboxEntry.parse(row)
}

/** Runs an effect in the transaction that deletes the row; false when the row is gone, so that it happens once. */
export const finishOutboxRow = (sql: Sql, id: number, effect: (tx: TransactionSql) => Promise<void>) =>
  sql.begin(async (tx) => {
    // a second delivery waits here for the first and then finds nothing
    const deleted = await tx`delete from outbox where id = ${id} returning id`
    if (deleted.length === 0) return false
    await effect(tx)
    return true
  })

export type WaitingReaction = { id: number; reaction: Reaction }

/** Reactions taken, and whether rows of other kinds wait. */
export type TakenReactions = { taken: WaitingReaction[]; count: number; others: boolean }

/**
 * Takes so many reactions that wait, oldest first, for this process to carry out. They count as handed over from now on: what it cannot end
 * is found by `reactionsHanded`. `count`: those included that nobody understands, which are dropped.
 */
export async function takeReactions(sql: Sql, limit: number, log: Logger): Promise<TakenReactions> {
  const [row] = await sql<{ taken: { id: number; payload: unknown }[]; others: boolean }[]>`
    with taken as (
      update outbox set handed_at = clock_timestamp()
      where id = any(array(
        select id from outbox where handed_at is null and kind = 'reaction' order by id limit ${limit}
        for update skip locked))
      returning id, payload
    )
    select coalesce((select json_agg(json_build_object('id', id, 'payload', payload) order by taken.id) from taken), '[]') as taken,
      exists (select from outbox where handed_at is null and kind <> 'reaction') as others`
  const { taken = [], others = false } = row ?? {}
  const known: WaitingReaction[] = []
  const unknown: number[] = []
  for (const { id, payload } of taken) {
    const { data } = Reaction.safeParse(payload)
    if (data) known.push({ id, reaction: data })
    else unknown.push(id)
  }
  if (unknown.length > 0) {
    log.error({ outboxIds: unknown }, 'dropped reactions that nobody understands')
    await finishOutboxRows(sql, unknown)
  }
  return { taken: known, count: taken.length, others }
}

/** Reactions that were taken or handed over this long ago and are not done, oldest first, except these. */
export async function reactionsHanded(
  sql: Sql,
  ms: number,
  except: readonly number[],
  limit: number,
): Promise<WaitingReaction[]> {
  const rows = await sql<{ id: number; payload: unknown }[]>`
    select id::float8 as id, payload from outbox
    where kind = 'reaction' and id <> all(${[...except]}::bigint[])
      and handed_at < clock_timestamp() - make_interval(secs => ${ms / 1000})
    order by outbox.id limit ${limit}`
  // a row that nobody understands is dropped when it is handed over again
  return rows.flatMap(({ id, payload }) => {
    const { data } = Reaction.safeParse(payload)
    return data ? [{ id, reaction: data }] : []
  })
}

/** The job of an outbox row. */
export const jobIdOf = (outboxId: number) => `outbox-${outboxId}`

/** Deletes the rows of work that is done. */
export const finishOutboxRows = (sql: Sql, ids: readonly number[]) =>
  sql`delete from outbox where id = any(${[...ids]}::bigint[])`

/** Where a job is worked that not any process can work. */
const QUEUE_OF: Readonly<Record<string, QueueName>> = {
  'provider-sync': 'syncs',
  'motion-import': 'imports',
  'auto-stream': 'actors',
  'prune-files': 'actors',
  'webhook-record': 'actors',
  'obs-refresh': 'actors',
}

function workOf({ id, kind, payload, createdAt, now }: Row, log: Logger): Work | undefined {
  const parsed = OutboxEntry.safeParse({ kind, payload })
  if (!parsed.success) {
    log.error({ outboxId: id, kind, err: parsed.error }, 'dropped an outbox row that nobody understands')
    return undefined
  }
  const entry = parsed.data
  const task = { id: jobIdOf(id), data: { outboxId: id } satisfies z.infer<typeof OutboxTask> }
  switch (entry.kind) {
    case 'timer':
      return entry.payload.dueAt - now > TIMERS_AHEAD_MS ? undefined : timerWork(entry.payload, now)
    case 'reaction':
      return reactionWork({ id, reaction: entry.payload }, 0)
    case 'job': {
      const { name, delayMs, attempts } = entry.payload
      return {
        ...task,
        queue: QUEUE_OF[name] ?? 'jobs',
        name,
        delayMs: createdAt + delayMs - now,
        attempts,
      }
    }
  }
}

/** The job that carries out a reaction after so many ms. */
export const reactionWork = ({ id, reaction }: WaitingReaction, delayMs: number): Work => ({
  id: jobIdOf(id),
  data: { outboxId: id } satisfies z.infer<typeof OutboxTask>,
  queue: 'actors',
  name: 'reaction',
  delayMs,
  attempts: isKeptUp(reaction) ? 5 : 20,
})

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id)

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))]
}
