import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { personNameClause } from '../name-clause.ts'
import { suppliedRecords } from '../supplied.ts'
import type { Official, OfficialFilter } from './schema.ts'

const officials = suppliedRecords<z.output<typeof Official>>(
  'official',
  (sql) => sql`r.id, r.first_name as "firstName", r.last_name as "lastName", r.role, r.gfx_name as "gfxName"`,
)

/** The organization's officials by id. */
export async function listOfficials(ctx: ReadContext, filter: z.output<typeof OfficialFilter>) {
  const { rows, ...counts } = await officials.page(ctx, filter, (sql) => personNameClause(sql, filter.name, 'r'))
  return { officials: rows, ...counts }
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export const getOfficial = officials.get
