import type { ISql } from 'postgres'
import type { Context, ReadContext } from '../context.ts'
import { forbidden, invalid, notFound } from '../errors.ts'

/** Records that a request names: missing 404, another organization's 403. spec: Authentication 11 */
export async function ownRecords(
  ctx: ReadContext,
  sql: ISql,
  table:
    | 'theme'
    | 'venue'
    | 'competition'
    | 'club'
    | 'team'
    | 'player'
    | 'official'
    | 'match'
    | 'overlay'
    | 'stream_input'
    | 'stream_settings',
  ids: readonly number[],
) {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await sql<{ organizationId: number }[]>`
    select organization_id as "organizationId" from ${sql(table)} where id = any(${wanted})`
  if (rows.length < wanted.length) throw notFound()
  if (rows.some(({ organizationId }) => organizationId !== ctx.organizationId)) throw forbidden()
}

/** An unknown grade is a bad value, since grades belong to nobody. */
export async function checkGrade(sql: ISql, gradeId: number) {
  const [grade] = await sql`select 1 from grade where id = ${gradeId}`
  if (!grade) throw invalid({ 'body.gradeId': { message: 'no such grade', value: gradeId } })
}

/** Throws for a row that is missing 404, for another organization's 403. spec: Authentication 11 */
export function checkOwn<Row extends { organizationId: number }>(
  ctx: Pick<ReadContext, 'organizationId'>,
  row: Row | undefined,
): asserts row is Row {
  if (!row) throw notFound()
  if (row.organizationId !== ctx.organizationId) throw forbidden()
}

/** The row that was looked for: missing 404, another organization's 403. spec: Authentication 11 */
export function owned<Row extends { organizationId: number }>(
  ctx: Pick<ReadContext, 'organizationId'>,
  row: Row | undefined,
): Omit<Row, 'organizationId'> {
  checkOwn(ctx, row)
  const { organizationId: _own, ...shown } = row
  return shown
}

/** The match whose desk asks, by the secret in its address. Throws notFound for any other caller. */
export function linkedMatch({ actor }: Pick<Context, 'actor'>): number {
  if (actor.type !== 'desk') throw notFound()
  return actor.matchId
}

/** The overlay whose page asks, by the secret in its address. Throws notFound for any other caller. */
export function linkedOverlay({ actor }: Pick<Context, 'actor'>): number {
  if (actor.type !== 'link') throw notFound()
  return actor.overlayId
}
