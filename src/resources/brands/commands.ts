import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { inUse, invalid } from '../../errors.ts'
import { changedColumns } from '../changed-columns.ts'
import { logosOf } from '../logos.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { getBrand } from './queries.ts'
import { type Brand, type BrandCreation, type BrandUpdate, ENDS_FIRST } from './schema.ts'
import { usesOfBrand } from './uses.ts'

type Shape = z.output<typeof Brand>

const COLUMNS = {
  name: 'name',
  primaryColor: 'primary_color',
  textColor: 'text_color',
  tagline: 'tagline',
  from: 'valid_from',
  to: 'valid_to',
  active: 'active',
  house: 'house',
} as const

const DEFAULTS = { primaryColor: '#000000', textColor: '#ffffff', active: true, house: false }

export function createBrand(ctx: RecordContext, asked: z.output<typeof BrandCreation>): Promise<Shape> {
  return writeBrands(ctx, { ref: 'brand/new', type: 'create', asked }, async (tx) => {
    const columns = { organization_id: ctx.organizationId, ...changedColumns(COLUMNS, { ...DEFAULTS, ...asked }) }
    const [brand] = await tx<{ id: number }[]>`insert into brand ${tx(columns)} returning id`
    if (!brand) throw new Error('an insert returned no row')
    return {
      ref: `brand/${brand.id}`,
      result: await getBrand(ctx, brand.id, tx),
      events: [{ type: 'brand.created', brandId: brand.id, name: asked.name }],
    }
  })
}

/** Fields left out keep their value; graphics on air receive the new ones. Throws targetChanged. */
export function updateBrand(ctx: RecordContext, brandId: number, asked: z.output<typeof BrandUpdate>): Promise<Shape> {
  return writeBrands(ctx, { ref: `brand/${brandId}`, type: 'update', asked }, async (tx) => {
    const { ifUnchangedSince, ...fields } = asked
    await lockBrand(ctx, tx, brandId, ifUnchangedSince)
    const columns = changedColumns(COLUMNS, fields)
    if (Object.keys(columns).length === 0) return { result: await getBrand(ctx, brandId, tx), events: [] }
    await tx`update brand set ${tx(columns)}, updated_at = ${thisWrite(tx)} where id = ${brandId}`
    const result = await getBrand(ctx, brandId, tx)
    const { from, to } = result
    if (from !== null && to !== null && from >= to)
      throw invalid({
        [asked.to === undefined ? 'body.from' : 'body.to']: {
          message: asked.to === undefined ? 'must be earlier than to' : ENDS_FIRST,
        },
      })
    return { result, events: [{ type: 'brand.updated', brandId, changed: fields }] }
  })
}

/** Its seconds on air can still be told by its name. Throws inUse, which names the records that use the brand, and targetChanged. */
export async function deleteBrand(ctx: RecordContext, brandId: number, ifUnchangedSince?: string): Promise<undefined> {
  const command = { ref: `brand/${brandId}`, type: 'delete', asked: { ifUnchangedSince } }
  return writeBrands(ctx, command, async (tx) => {
    await lockBrand(ctx, tx, brandId, ifUnchangedSince)
    const uses = await usesOfBrand(ctx, tx, brandId)
    if (uses.length > 0) throw inUse('The brand', uses)
    const { name } = await getBrand(ctx, brandId, tx)
    await tx`update brand set deleted_at = clock_timestamp() where id = ${brandId}`
    return { result: undefined, events: [{ type: 'brand.deleted', brandId, name }] }
  })
}

/** Every node hears of changed brands. */
const changed = {
  async within({ organizationId }: RecordContext, tx: TransactionSql) {
    await tx`select pg_notify('catalog', ${JSON.stringify({ brands: organizationId })})`
  },
  after({ catalog, organizationId }: RecordContext) {
    catalog.forget({ brands: organizationId })
  },
}

export const brandLogo = logosOf({ kind: 'brand', get: getBrand, changed })

function writeBrands<T>(
  ctx: RecordContext,
  command: { ref: string; type: string; asked?: unknown },
  run: (tx: TransactionSql) => Promise<{ result: T; events: readonly { type: string }[]; ref?: string }>,
): Promise<T> {
  const written = ctx.db.write(ctx, command, async (tx) => {
    const done = await run(tx)
    if (done.events.length > 0) await changed.within(ctx, tx)
    return done
  })
  return written.finally(() => changed.after(ctx))
}

async function lockBrand(ctx: RecordContext, tx: TransactionSql, brandId: number, ifUnchangedSince?: string) {
  await getBrand(ctx, brandId, tx)
  const [row] = await tx<{ unchanged: boolean }[]>`
    select ${asRead(tx, ifUnchangedSince)} as unchanged from brand where id = ${brandId} and deleted_at is null for update`
  checkTarget(row)
}
