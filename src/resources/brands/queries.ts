import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context, ReadContext } from '../../context.ts'
import { imageUrl } from '../images.ts'
import { nameClause } from '../name-clause.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import { exactly } from '../target.ts'
import type { Brand, BrandFilter } from './schema.ts'

type Shape = z.output<typeof Brand>
type BrandContext = ReadContext & Pick<Context, 'publicUrl'>
type Row = Omit<Shape, 'logoUrl' | 'from' | 'to'> & { logo: string | null; from: Date | null; to: Date | null }

const columns = (sql: ISql) => sql`
  b.id, b.name, b.logo_blob as logo, b.primary_color as "primaryColor", b.text_color as "textColor", b.tagline,
  b.valid_from as "from", b.valid_to as "to", b.active, b.house, ${exactly(sql, 'b.updated_at')} as "updatedAt"`

const brandOf =
  ({ publicUrl }: Pick<Context, 'publicUrl'>) =>
  ({ id, name, logo, from, to, ...rest }: Row): Shape => ({
    id,
    name,
    logoUrl: logo === null ? null : imageUrl(publicUrl, logo),
    ...rest,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
  })

/** The organization's brands by id. */
export async function listBrands(ctx: BrandContext, filter: z.output<typeof BrandFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<Row>(sql, {
    select: columns(sql),
    from: sql`from brand b where b.organization_id = ${ctx.organizationId} and b.deleted_at is null
      ${nameClause(sql, filter.name, 'b')}`,
    source: 'b',
    ...filter,
  })
  return { brands: rows.map(brandOf(ctx)), total, returned: rows.length }
}

/** Throws notFound, or forbidden when it is another organization's. A command gives its transaction. */
export async function getBrand(ctx: BrandContext, brandId: number, sql: ISql = ctx.db.sql): Promise<Shape> {
  const [row] = await sql<(Row & { organizationId: number })[]>`
    select b.organization_id as "organizationId", ${columns(sql)} from brand b
    where b.id = ${brandId} and b.deleted_at is null`
  return brandOf(ctx)(owned(ctx, row))
}
