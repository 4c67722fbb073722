import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { personNameClause } from '../name-clause.ts'
import { suppliedRecords } from '../supplied.ts'
import type { Player, PlayerFilter } from './schema.ts'

const players = suppliedRecords<z.output<typeof Player>>(
  'player',
  (sql) => sql`r.id, r.first_name as "firstName", r.last_name as "lastName"`,
)

/** The organization's players by id. spec: Players 8 */
export async function listPlayers(ctx: ReadContext, filter: z.output<typeof PlayerFilter>) {
  const { rows, ...counts } = await players.page(ctx, filter, (sql) => personNameClause(sql, filter.name, 'r'))
  return { players: rows, ...counts }
}

/** Throws notFound, or forbidden when it is another organization's. */
export const getPlayer = players.get
