import type { ISql, Sql, TransactionSql } from 'postgres'
import type { OutboxRow } from '../actors/journal.ts'
import type { Database, RecordCommit } from '../database.ts'
import { notFound } from '../errors.ts'
import { type JobRequest, Reaction } from '../jobs.ts'
import type { Asker } from '../principal.ts'
import { NO_SECRETS, type Secrets } from '../secrets/secrets.ts'
import { arrayTypes } from './array-types.ts'
import { postgres } from './driver.ts'
import { type ListenerLog, tellEach } from './listeners.ts'
import { isShown, overlaysThatShow } from './overlays-that-show.ts'
import { fenceTransactions, openBeforeReserve } from './transaction.ts'

export type ConnectedDatabase = Database & {
  /** Called after each commit of `write` that left outbox rows, with their number. */
  onOutbox(listener: (rows: number) => void): void
  /** Called after each commit of `write` that left events, with the record's organization and its ref (`team/5`). */
  onWritten(listener: (organizationId: number, ref: string) => void): void
  /** Call when the database is back: takes up the connections, each of which refuses its first query after a loss, unsent. */
  refresh(): Promise<void>
  /** Waits for running queries at most this long, then closes every connection. */
  close(timeoutSeconds?: number): Promise<void>
}

export type ConnectOptions = {
  connections?: number
  /** Each statement is cancelled by the server after this long. */
  statementTimeoutMs?: number
  /** A statement that has waited this long for a lock fails. */
  lockTimeoutMs?: number
  /** Its rows are in memory: a row by its place costs hardly more than the next one. */
  pagesAreCached?: boolean
  /** A connection that is not there by then is given up, and its caller is told. */
  connectWithinSeconds?: number
  applicationName?: string
  /** How long an idle connection is kept; null: for ever, so that the first query after an hour waits for nothing. */
  idleSeconds?: number | null
  log?: ListenerLog
  /** Left out where nothing sealed is read or written. */
  secrets?: Secrets
}

const timestamptz = {
  to: 1184,
  from: [1184],
  serialize: (moment: Date | string | number) => new Date(moment).toISOString(),
  // as ISO 8601: of any other form `Date` takes the years 1 to 99 for those of this age
  parse: (text: string) => new Date(text.replace(' ', 'T').replace(/\+00$/, 'Z')),
}

/** Reads of very many rows: how many at a time, and how long without one they keep a connection. */
const SLOW_CONNECTIONS = 2
const SLOW_IDLE_S = 30
/** A connection that was idle so long is closed: each costs the server 2 to 8 MB. The one used last is used first. */
const IDLE_S = 30

/**
 * Opens a pool; connects lazily and reconnects for ever. `int8` arrives as a JS number (our sequences stay far below 2^53),
 * timestamps as `Date`, json parsed.
 */
export function connectDatabase(url: string, options: ConnectOptions = {}): ConnectedDatabase {
  const connections = options.connections ?? 8
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000
  const pool = (max: number, timeoutMs: number, more: { name: string; idleS: number | null; readOnly?: true }) =>
    postgres(url, {
      max,
      ...(more.idleS !== null && { idle_timeout: more.idleS }),
      // the default backs off to 15 s; after a restart of PostgreSQL writes shall resume at once
      backoff: (attempt: number) => Math.min(0.02 * 2 ** attempt, 0.3),
      connect_timeout: options.connectWithinSeconds ?? 2,
      max_lifetime: null,
      onnotice: () => {},
      fetch_types: false,
      types: { ...arrayTypes, bigint: { to: 20, from: [20], parse: Number, serialize: String }, timestamptz },
      connection: {
        application_name: more.name,
        TimeZone: 'UTC',
        statement_timeout: timeoutMs,
        lock_timeout: options.lockTimeoutMs ?? Math.min(3_000, timeoutMs),
        idle_in_transaction_session_timeout: 5_000,
        ...(more.readOnly && { default_transaction_read_only: true }),
        ...(options.pagesAreCached && { random_page_cost: 1.1 }),
      },
    })
  const name = options.applicationName ?? `tally:${process.pid}`
  const idleS = options.idleSeconds === undefined ? IDLE_S : options.idleSeconds
  const sql = openBeforeReserve(fenceTransactions(pool(connections, statementTimeoutMs, { name, idleS })))
  const reads = { name: `${name}:reads`, idleS: SLOW_IDLE_S, readOnly: true } as const
  const slow = pool(SLOW_CONNECTIONS, 4 * statementTimeoutMs, reads)
  const secrets = options.secrets ?? NO_SECRETS
  const listeners: ((rows: number) => void)[] = []
  const written: ((organizationId: number, ref: string) => void)[] = []
  return {
    sql: plain(sql),
    slow: plain(slow),
    secrets,
    async write(ctx, command, run) {
      const claim = ctx.idempotency
      const committed = sql.begin(async (tx) => {
        const done = await run(tx)
        const { ref = command.ref, events, seq, outbox } = done
        const commits: RecordCommit[] = [{ ...command, ref, events, seq, outbox }, ...(done.also ?? [])]
        const rows: Promise<unknown>[] = []
        const left: Promise<number>[] = []
        for (const commit of commits) {
          const [event] = commit.events
          if (event) rows.push(insertJournal(tx, ctx, commit))
          const change = event && { event: event.type, ref: commit.ref }
          left.push(...withAnnouncement(commit.outbox ?? [], change).map((row) => insertOutbox(tx, row)))
          if (event && commit.seq === undefined && TOLD.test(commit.ref)) left.push(insertTelling(tx, ctx, commit.ref))
        }
        // a request may write twice; its first commit keeps the answer
        if (claim && !claim.stored) {
          const { status, body } = claim.encode(done.result)
          const sealed = secrets.seal('idempotency', `${ctx.organizationId}/${claim.key}`, { body })
          rows.push(
            tx`insert into idempotency (organization_id, key, method, path, body_hash, status, body)
               values (${ctx.organizationId}, ${claim.key}, ${claim.method}, ${claim.path}, decode(${claim.bodyHash}, 'hex'), ${status}, ${sealed})`.execute(),
          )
        }
        const [counts] = await Promise.all([Promise.all(left), Promise.all(rows)])
        const refs = commits.flatMap((commit) => (commit.events.length > 0 ? [commit.ref] : []))
        return { result: done.result, outboxRows: counts.reduce((sum, count) => sum + count, 0), refs }
      })
      const { result, outboxRows, refs } = await committed.catch((error: unknown) => {
        throw isGone(error) ? notFound() : error
      })
      if (claim) claim.stored = true
      // the write is committed: a listener cannot undo it
      for (const ref of refs) tellEach(written, (listener) => listener(ctx.organizationId, ref), options.log)
      if (outboxRows > 0) tellEach(listeners, (listener) => listener(outboxRows), options.log)
      // `begin` unwraps arrays of promises in its type only; a result is a plain value
      return result as Awaited<typeof result>
    },
    async refresh() {
      await Promise.allSettled(Array.from({ length: connections }, () => sql`select 1`))
    },
    onOutbox: (listener) => void listeners.push(listener),
    onWritten: (listener) => void written.push(listener),
    close: async (timeoutSeconds = 5) => {
      await Promise.all([sql, slow].map((one) => one.end({ timeout: timeoutSeconds })))
    },
  }
}

/** The driver's type carries our bigint codec; everybody else sees the plain one. */
const plain = (sql: ISql<{ bigint: number }>): Sql => sql as unknown as Sql

const insertJournal = (
  tx: TransactionSql<{ bigint: number }>,
  ctx: Asker,
  { ref, type, asked, events, seq }: RecordCommit,
) =>
  // a json parameter would be stringified once more by the driver, hence the cast through text
  tx`insert into journal (ref, seq, organization_id, command_id, request_id, principal, command, events)
     values (${ref}, ${seq ?? tx`nextval('journal_record_seq')`}, ${ctx.organizationId}, ${ctx.commandId}, ${ctx.requestId},
       ${JSON.stringify(ctx.actor)}::text::json,
       ${JSON.stringify({ type, ...(asked === undefined ? {} : { asked }) })}::text::json,
       ${JSON.stringify(events)}::text::json)`.execute()

/** The rows of a write, with one that announces its record when graphics show such records and no row does so yet. */
function withAnnouncement(rows: readonly OutboxRow[], change: Reaction | undefined): readonly OutboxRow[] {
  if (!change || !isShown(change.ref) || rows.some((row) => reactionOf(row)?.ref === change.ref)) return rows
  return [...rows, { kind: 'reaction', payload: change }]
}

const reactionOf = ({ kind, payload }: OutboxRow) =>
  kind === 'reaction' ? Reaction.safeParse(payload).data : undefined

/** Answers how many rows it left: a change of a record that no overlay shows needs none, so imports do not fill the outbox. */
async function insertOutbox(tx: TransactionSql<{ bigint: number }>, row: OutboxRow): Promise<number> {
  const overlays = overlaysThatShow(plain(tx), reactionOf(row)?.ref ?? '')
  const { count } = await tx`insert into outbox (kind, payload)
    select ${row.kind}, ${JSON.stringify(row.payload)}::text::json ${overlays ? tx`where exists (${overlays})` : tx``}`
  return count
}

/** The records whose changes webhooks are told of; actors are told from their journals. integrations: Webhooks */
const TOLD = /^(overlay-settings|lineup|theme)\//

/** Answers how many rows it left: none where the organization has no webhooks. */
async function insertTelling(tx: TransactionSql<{ bigint: number }>, ctx: Asker, ref: string): Promise<number> {
  const job: JobRequest = { name: 'webhook-record', data: { ref, commandId: ctx.commandId }, delayMs: 0, attempts: 20 }
  const { count } = await tx`
    insert into outbox (kind, payload) select 'job', ${JSON.stringify(job)}::text::json
    where exists (select from webhook where organization_id = ${ctx.organizationId} and enabled)`
  return count
}

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}

const connectionCodes = new Set(
  (
    'CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED CONNECT_TIMEOUT ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ' +
    'ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOENT 57P01 57P02 57P03 53300'
  ).split(' '),
)

/** The connection was lost or refused. After a COMMIT was sent this means that nobody knows the outcome. */
export const isConnectionError = (error: unknown): boolean => {
  const code = codeOf(error)
  if (connectionCodes.has(code) || /^08...$/.test(code)) return true
  // `pg` gives the first two no code; the third has one that also means other things
  return (
    error instanceof Error &&
    /^(Connection terminated|timeout expired|database .* is not currently accepting connections)/.test(error.message)
  )
}

/** The database cannot do the statement now: out of reach, out of resources, too slow, deadlocked, read-only. The API answers 503. */
export const isOutOfReach = (error: unknown): boolean =>
  isConnectionError(error) || /^(53...|57014|55P03|40001|40P01|25P03|25006)$/.test(codeOf(error))

/** A row that the statement names by a foreign key was deleted since it was looked at; nothing was written. */
export const isGone = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23503' && !error.message.startsWith('update or delete')

/** Another request with the same Idempotency-Key committed first; nothing of this one was written. */
export const isIdempotencyRace = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.code === '23505' && error.constraint_name === 'idempotency_pkey'
