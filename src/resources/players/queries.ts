import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import type { Provider } from '../../schema/provider.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { providerClause, providerColumn, withProvider } from '../provider-clause.ts'
import type { Player, PlayerFilter } from './schema.ts'

type Row = Omit<z.output<typeof Player>, 'dataProvider'> & { dataProvider: Provider | null }

const columns = (sql: ISql) => sql`
  p.id, p.first_name as "firstName", p.last_name as "lastName", ${providerColumn(sql, 'p')}`

/** The organization's players by id. spec: Players 8 */
export async function listPlayers(ctx: ReadContext, filter: z.output<typeof PlayerFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from player p where p.organization_id = ${ctx.organizationId} ${providerClause(sql, filter, 'p')}`,
    source: 'p',
    ...filter,
  })
  return { players: rows.map(withProvider), total, returned: rows.length }
}

/** Throws notFound, or forbidden when it is another organization's. */
export async function getPlayer(ctx: ReadContext, playerId: number): Promise<z.output<typeof Player>> {
  const { sql } = ctx.db
  const [row] = await sql<(Row & { organizationId: number })[]>`
    select p.organization_id as "organizationId", ${columns(sql)} from player p where p.id = ${playerId}`
  return withProvider(owned(ctx, row))
}
