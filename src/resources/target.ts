import type { ISql, PendingQuery, Row, TransactionSql } from 'postgres'
import type { ReadContext } from '../context.ts'
import { notFound, targetChanged } from '../errors.ts'

/** SQL: a stored moment as text with microseconds, which a Date cannot hold. `column` may be qualified: `t.updated_at`. */
export const exactly = (sql: ISql, column = 'updated_at') =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/**
 * SQL: the moment of this write, in a later millisecond than the row's last one, also when the clock was set back: a client
 * whose dates have no microseconds still names one write.
 */
export const thisWrite = (sql: ISql) =>
  sql`greatest(clock_timestamp(), date_trunc('milliseconds', updated_at) + interval '1 millisecond')`

/**
 * Milliseconds are even for a theme and odd for its working copies: some writes may name a moment of either, and cut to
 * milliseconds it must not be taken for one of the other.
 */
const LANES = { theme: 0, draft: 1 } as const
export type Lane = keyof typeof LANES

/** SQL: a moment, or the next millisecond when it is in one of the other lane. */
export const inLane = (sql: ISql, lane: Lane, moment: PendingQuery<Row[]> = sql`clock_timestamp()`) => sql`(
  select one.at + make_interval(secs => abs((floor(extract(epoch from one.at) * 1000)::bigint + ${LANES[lane]}) % 2) / 1000.0)
  from (select ${moment} as at offset 0) one)`

/**
 * SQL: whether a row that is being locked still is as the caller has read it. `ifUnchangedSince` is a `Moment`, maybe cut to
 * milliseconds by a client's type of dates. With a lane, a cut one that can only be another lane's is none of this row.
 */
export function asRead(sql: ISql, ifUnchangedSince: string | undefined, lane?: Lane) {
  if (ifUnchangedSince === undefined) return sql`true`
  const moment = inUtc(ifUnchangedSince)
  const isCut = moment.endsWith('000Z') && (lane === undefined || Math.abs(Date.parse(moment) % 2) === LANES[lane])
  const column = isCut ? sql`in (updated_at, date_trunc('milliseconds', updated_at))` : sql`= updated_at`
  return sql`${moment}::text::timestamptz ${column}`
}

/** A moment as PostgreSQL always takes it, which refuses offsets of 16 hours and more, and fractions of very many digits. */
function inUtc(moment: string): string {
  const microseconds = (/\.(\d+)/.exec(moment)?.[1] ?? '').slice(0, 6).padEnd(6, '0')
  return `${new Date(moment).toISOString().slice(0, -5)}.${microseconds}Z`
}

/**
 * Locks the row that a write aims at, selected `for update` with `asRead` as `unchanged`. Throws notFound when there is none
 * and targetChanged when it was written since. spec: Optimistic concurrency
 */
export function checkTarget<Row extends { unchanged: boolean }>(row: Row | undefined): Row {
  if (!row) throw notFound()
  if (!row.unchanged) throw targetChanged()
  return row
}

/** Locks a theme of the organization for a write. Throws notFound, also for another organization's, and targetChanged. */
export async function lockTheme(...asked: Parameters<typeof lockedTheme>): Promise<void> {
  checkTarget(await lockedTheme(...asked))
}

/** As `lockTheme`, to be checked once the records that the write names are found in the theme: 404 comes before 409. */
export async function lockedTheme(
  ctx: Pick<ReadContext, 'organizationId'>,
  tx: TransactionSql,
  themeId: number,
  ifUnchangedSince?: string,
): Promise<{ unchanged: boolean }> {
  const [theme] = await tx<{ unchanged: boolean }[]>`
    select ${asRead(tx, ifUnchangedSince)} as unchanged from theme
    where id = ${themeId} and organization_id = ${ctx.organizationId} for update`
  if (!theme) throw notFound()
  return theme
}

/** Notes that a theme was written; answers its new `updatedAt`. */
export async function touchTheme(tx: TransactionSql, themeId: number): Promise<string> {
  const [theme] = await tx<{ updatedAt: string }[]>`
    update theme set updated_at = ${inLane(tx, 'theme', thisWrite(tx))} where id = ${themeId} returning ${exactly(tx)} as "updatedAt"`
  if (!theme) throw notFound()
  return theme.updatedAt
}
