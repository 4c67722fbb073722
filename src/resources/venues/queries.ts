import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { nameClause } from '../name-clause.ts'
import { suppliedRecords } from '../supplied.ts'
import type { Venue, VenueFilter } from './schema.ts'

const venues = suppliedRecords<z.output<typeof Venue>>(
  'venue',
  (sql) => sql`r.id, r.name, r.gfx_name as "gfxName", r.address, r.city, r.state, r.country, r.timezone, r.latitude,
    r.longitude, r.courts`,
)

/** The organization's venues by id. */
export async function listVenues(ctx: ReadContext, filter: z.output<typeof VenueFilter>) {
  const { rows, ...counts } = await venues.page(ctx, filter, (sql) => nameClause(sql, filter.name, 'r'))
  return { venues: rows, ...counts }
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export const getVenue = venues.get
