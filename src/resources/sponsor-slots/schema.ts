import { z } from 'zod'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'

const MAX_SLOTS = 100
const MAX_BRANDS = 100

const SlotBrand = z
  .strictObject({
    brandId: Id,
    share: z.int32().min(1).max(100).meta({ description: 'What it was promised, relative to the others of the slot' }),
    side: z.enum(['home', 'away']).optional().meta({ description: 'Only in graphics about the team of that side' }),
  })
  .meta({ id: 'SponsorSlotBrand' })

const slotFields = { name: text(1, 60), brands: z.array(SlotBrand).max(MAX_BRANDS) }
export const SlotId = z.string().min(1).max(100)

/** game-plan: Brands and sponsor slots */
export const SponsorSlot = z.object({ id: SlotId, ...slotFields }).meta({ id: 'SponsorSlot' })

const SlotAsked = z
  .strictObject({ id: SlotId.optional().meta({ description: 'Kept when given, else made' }), ...slotFields })
  .meta({ id: 'SponsorSlotAsked' })
export type SlotAsked = z.output<typeof SlotAsked>

export const SponsorSlots = z
  .object({ competitionThemeSettingId: Id, slots: z.array(SponsorSlot), updatedAt: UpdatedAt })
  .meta({
    id: 'SponsorSlots',
    description: 'Places that brands share; a control variable of type `ad` names one as `{"slot": id}`',
  })

export const SponsorSlotsReplacement = z
  .object({ slots: z.array(SlotAsked).max(MAX_SLOTS), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'SponsorSlotsReplacement' })
