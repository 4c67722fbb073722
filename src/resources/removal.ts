import type { PendingQuery, Row, TransactionSql } from 'postgres'
import type { RecordContext } from '../context.ts'
import { inUse } from '../errors.ts'
import { checkOwn } from './ownership.ts'

type Table = 'competition' | 'club' | 'team' | 'player' | 'official' | 'venue'
type Fragment = PendingQuery<Row[]>
/** What uses a record, as words for people. */
export type UsesOf = (ctx: RecordContext, tx: TransactionSql, id: number) => Promise<string[]>

/** How many of one kind are named; the others are counted. */
const NAMED = 20

/**
 * Deletes a record of the organization that nothing uses. Its row is locked first, so that a match, a roster or a preset that names it
 * meanwhile is either seen here or finds it gone (404). Throws notFound, forbidden, and inUse, which names the uses. show-control: Records
 */
export const removalOf =
  (table: Table, usesOf: UsesOf) =>
  (ctx: RecordContext, id: number): Promise<undefined> =>
    ctx.db.write(ctx, { ref: `${table}/${id}`, type: 'delete' }, async (tx) => {
      const label = table === 'player' || table === 'official' ? tx`first_name || ' ' || last_name` : tx`name`
      const [row] = await tx<{ organizationId: number; name: string }[]>`
        select organization_id as "organizationId", ${label} as name from ${tx(table)} where id = ${id} for update`
      checkOwn(ctx, row)
      const uses = [...(await usesOf(ctx, tx, id)), ...(await supplierOf(tx, table, id))]
      if (uses.length > 0) throw inUse(`The ${table}`, uses)
      await tx`delete from ${tx(table)} where id = ${id}`
      return {
        result: undefined,
        events: [{ type: `${table}.deleted`, [`${table}Id`]: id, name: row.name }],
      }
    })

/** A record that a connected provider tells of would be there again with the next sync. */
async function supplierOf(tx: TransactionSql, table: Table, id: number): Promise<string[]> {
  if (table === 'club') return []
  const rows = await tx<{ name: string }[]>`
    select c.provider_name as name from ${tx(table)} r join provider_connection c
      on c.organization_id = r.organization_id and c.provider_name = r.provider_name where r.id = ${id}`
  return rows.map(({ name }) => `the connection to provider ${name}`)
}

/** The rows of one kind in words; those beyond the first twenty are counted. */
function worded(rows: readonly { use: string; total: number }[], kind: string): string[] {
  const more = (rows[0]?.total ?? 0) - rows.length
  return [...rows.map(({ use }) => use), ...(more > 0 ? [`${more} more ${kind}`] : [])]
}

/** Matches of the organization that a condition on `m` finds, the latest first. */
export async function matchUses({ organizationId }: RecordContext, tx: TransactionSql, where: Fragment) {
  const rows = await tx<{ use: string; total: number }[]>`
    select 'match ' || m.id || coalesce(' “' || coalesce(m.name, sides.names) || '”', '') as use,
      count(*) over ()::int as total
    from match m left join lateral (
      select string_agg(coalesce(t.name, p.first_name || ' ' || p.last_name), ' – ' order by c.position) as names
      from match_competitor c left join team t on t.id = c.team_id left join player p on p.id = c.player_id
      where c.match_id = m.id
    ) sides on true
    where m.organization_id = ${organizationId} and ${where} order by m.starts_at desc, m.id desc limit ${NAMED}`
  return worded(rows, 'matches')
}

/** Records with a name, such as teams at home in a venue, that a condition on `r` finds. */
export async function namedUses(
  { organizationId }: RecordContext,
  tx: TransactionSql,
  { table, where, before = '' }: { table: 'team' | 'club'; where: Fragment; before?: string },
) {
  const rows = await tx<{ use: string; total: number }[]>`
    select ${`${before}${table} `}::text || r.id || ' “' || r.name || '”' as use, count(*) over ()::int as total
    from ${tx(table)} r where r.organization_id = ${organizationId} and ${where} order by r.name, r.id limit ${NAMED}`
  return worded(rows, `${table}s`)
}
