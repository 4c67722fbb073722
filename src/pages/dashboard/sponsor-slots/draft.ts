import { worded } from '../../../schema/worded.ts'
import type { SponsorSlots } from '../shapes.ts'
import type { ListKind } from '../worked-list/use-worked-list.ts'

export type Side = 'home' | 'away'
/** A slot while it is worked at. Null for a share is a field that was emptied. */
export type DraftBrand = { brandId: number; share: number | null; side?: Side | undefined }
export type DraftSlot = { id: string; name: string; brands: readonly DraftBrand[] }

/** A slot as it is sent. */
export const sentOf = ({ id, name, brands }: DraftSlot) => ({
  id,
  name: name.trim(),
  brands: brands.map(({ brandId, share, side }) => ({ brandId, share, ...(side && { side }) })),
})

const isSame = (one: DraftSlot, other: DraftSlot) => JSON.stringify(sentOf(one)) === JSON.stringify(sentOf(other))

export const SLOTS: ListKind<DraftSlot, SponsorSlots> = {
  member: 'slots',
  itemsOf: ({ slots }) => slots,
  sentOf,
  isSame,
}

/** The side that a graphic is about, where some brands of a slot are for one side only. */
export type About = { side: Side | null; words: string }

const EITHER: readonly About[] = [{ side: null, words: '' }]
const BY_SIDE: readonly About[] = [
  { side: 'home', words: 'About home' },
  { side: 'away', words: 'About away' },
  { side: null, words: 'About neither' },
]

/** The situations in which the brands of a slot share its time differently. */
export const situationsOf = ({ brands }: Pick<DraftSlot, 'brands'>): readonly About[] =>
  brands.some(({ side }) => side) ? BY_SIDE : EITHER

/** The parts of the whole, 0 to 1, that brands are promised in graphics about a side; null: about none. In the order of the slot. */
export function partsOf(
  { brands }: Pick<DraftSlot, 'brands'>,
  about: Side | null,
): { brandId: number; part: number }[] {
  const some = brands.filter(({ side }) => side === undefined || side === about)
  const whole = some.reduce((sum, { share }) => sum + (share ?? 0), 0)
  return some.map(({ brandId, share }) => ({ brandId, part: whole === 0 ? 0 : (share ?? 0) / whole }))
}

/** The part of the whole that one brand has, in the order of situations: `33.3 %`; once where it is the same in all. */
export function partWords(slot: Pick<DraftSlot, 'brands'>, brandId: number): string {
  const words = situationsOf(slot).flatMap(({ side }) =>
    partsOf(slot, side).flatMap((one) => (one.brandId === brandId ? [percent(one.part)] : [])),
  )
  return [...new Set(words)].join(' or ')
}

/** `33.3 %`, `50 %`. */
export const percent = (part: number): string => `${(100 * part).toFixed(1).replace(/\.0$/, '')} %`

type Valued = { name: string; variableValues?: Readonly<Record<string, unknown>> | undefined }

const slotsIn = ({ variableValues }: Valued): string[] =>
  Object.values(variableValues ?? {}).flatMap((value) =>
    typeof value === 'object' && value !== null && 'slot' in value && typeof value.slot === 'string'
      ? [value.slot]
      : [],
  )

const SLUG = /^[a-z]+(-[a-z]+)*$/

/** Slots that are named and are not there: presets of a theme come with names of slots, and each competition has its own. */
export function unmade(some: readonly Valued[], slots: readonly Pick<DraftSlot, 'id'>[]): DraftSlot[] {
  const made = new Set(slots.map(({ id }) => id))
  const found = new Map<string, string>()
  for (const one of some) for (const id of slotsIn(one)) if (!made.has(id) && !found.has(id)) found.set(id, one.name)
  return [...found].map(([id, by]) => ({ id, name: SLUG.test(id) ? worded(id) : by, brands: [] }))
}

/** Those whose values name a slot. */
export const naming = <T extends Valued>(some: readonly T[], slotId: string): T[] =>
  some.filter((one) => slotsIn(one).includes(slotId))
