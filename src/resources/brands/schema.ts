import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { alsoWhenInvalid, Id, Moment, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'

/** A brand as graphics are given it: `data.selected.<variable>`. game-plan: Brands and sponsor slots */
export const ShownBrand = z.object({
  id: Id,
  name: z.string(),
  logoUrl: z.string().nullable(),
  primaryColor: z.string(),
  textColor: z.string(),
  tagline: z.string().nullable(),
})
export type ShownBrand = z.output<typeof ShownBrand>

/** game-plan: Brands and sponsor slots */
export const Brand = ShownBrand.extend({
  from: Timestamp.nullable().meta({ description: 'A slot never chooses it before' }),
  to: Timestamp.nullable().meta({ description: 'A slot never chooses it from then on' }),
  active: z.boolean().meta({ description: 'A slot chooses it' }),
  house: z
    .boolean()
    .meta({ description: 'Of the organization itself: the only brands of overlays with `adType` `free`' }),
  updatedAt: UpdatedAt,
}).meta({ id: 'Brand' })

const Colour = text(1, 64)
const tagline = text(0, 120).nullable()

const fields = {
  name: text(1, 60),
  primaryColor: Colour.optional(),
  textColor: Colour.optional(),
  tagline: tagline.optional(),
  from: Moment.nullable().optional(),
  to: Moment.nullable().optional(),
  active: z.boolean().optional(),
  house: z.boolean().optional(),
}

type Term = { from?: unknown; to?: unknown }
/** Whether a term has some time in it, as far as both ends are said. */
const lasts = ({ from, to }: Term) =>
  typeof from !== 'string' || typeof to !== 'string' || Date.parse(from) < Date.parse(to)

/** Why a term cannot be. */
export const ENDS_FIRST = 'must be later than from'
const term = { path: ['to'], error: ENDS_FIRST, ...alsoWhenInvalid }

export const BrandCreation = z
  .object(fields)
  .refine(lasts, term)
  .meta({ id: 'BrandCreation', description: 'White on black, active and not of the house unless said' })
/** Fields left out keep their value; null takes one away. */
export const BrandUpdate = z
  .object({ ...fields, name: fields.name.optional(), ifUnchangedSince: IfUnchangedSince })
  .refine(lasts, term)
  .meta({ id: 'BrandUpdate' })

export const BrandList = paged('brands', Brand).meta({ id: 'BrandList' })
export const BrandParams = z.object({ brandId: Id }).meta({ id: 'BrandParams' })
export const BrandFilter = z
  .object({
    name: z.string().optional().meta({ description: 'Part of the name, in any case' }),
    ...paging,
  })
  .meta({ id: 'BrandFilter' })
