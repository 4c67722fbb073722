import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context, ReadContext } from '../../context.ts'
import { imageUrl } from '../images.ts'
import { nameClause } from '../name-clause.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import type { Club, ClubFilter } from './clubs.schema.ts'

type Shape = z.output<typeof Club>
type Row = { [Field in keyof Omit<Shape, 'logoUrl'>]: Shape[Field] | null } & { logo: string | null }
type ClubContext = ReadContext & Pick<Context, 'publicUrl'>

const columns = (sql: ISql) => sql`
  id, name, primary_background_color as "primaryBackgroundColor", primary_text_color as "primaryTextColor",
  secondary_background_color as "secondaryBackgroundColor", secondary_text_color as "secondaryTextColor",
  default_venue_id as "defaultVenueId", logo_blob as logo`

// a row holds null where the API leaves the field out
const clubOf = (publicUrl: string, { logo, ...row }: Row): Shape =>
  Object.fromEntries(
    Object.entries({ ...row, logoUrl: logo === null ? null : imageUrl(publicUrl, logo) }).filter(
      ([, value]) => value !== null,
    ),
  ) as Shape

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export async function getClub(ctx: ClubContext, clubId: number, sql: ISql = ctx.db.sql): Promise<Shape> {
  const [found] = await sql<(Row & { organizationId: number })[]>`
    select organization_id as "organizationId", ${columns(sql)} from club where id = ${clubId}`
  return clubOf(ctx.publicUrl, owned(ctx, found))
}

/** The organization's clubs by id. */
export async function listClubs(ctx: ClubContext, filter: z.output<typeof ClubFilter>) {
  const { sql } = ctx.db
  const from = sql`from club where organization_id = ${ctx.organizationId} ${nameClause(sql, filter.name, 'club')}`
  const { rows, total } = await page<Row>(sql, { select: columns(sql), from, source: 'club', ...filter })
  return { clubs: rows.map((row) => clubOf(ctx.publicUrl, row)), total, returned: rows.length }
}
