import { z } from 'zod'
import { CausedBy } from '../../schema/cause.ts'
import { Count, Id, Moment, ShownPreset, Timestamp } from '../../schema/fields.ts'
import { AdType } from '../overlays/schema.ts'

const Seconds = z.number().meta({ description: 'Seconds, to the millisecond' })

/** Each second that something was on air is in one of these. */
const seconds = {
  committedSeconds: Seconds.meta({ description: 'On air by the journal: from the show to the hide, or to now' }),
  paintedSeconds: Seconds.meta({ description: 'Of these, on the screen of at least one renderer by its own reports' }),
  gaps: z
    .strictObject({
      delaySeconds: Seconds.meta({ description: 'Held back for the encoding delay and not released yet' }),
      noRendererSeconds: Seconds.meta({ description: 'No renderer was connected' }),
      lateSeconds: Seconds.meta({ description: 'Until the first renderer had painted it' }),
      unreportedSeconds: Seconds.meta({ description: 'A renderer was connected, but did not report it' }),
      outOfViewSeconds: Seconds.meta({
        description:
          'Renderers were connected, and their programs did not show them: OBS a source of a scene that is off',
      }),
      forgottenSeconds: Seconds.meta({ description: 'Of a time of which retention took the reports' }),
    })
    .meta({
      id: 'ProofGaps',
      description: 'Why the rest was not seen; with `paintedSeconds` they add up to `committedSeconds`',
    }),
  overrunSeconds: Seconds.meta({ description: 'Beyond: on a screen until the renderer took it off' }),
}
const plays = Count.meta({ description: 'How often it went on air, or changed its preset or brand there' })
const brand = z.string().nullable().meta({
  description:
    'The name of the brand that a control variable of type `ad` shows; without one, the value of the variable `brand`, else `sponsor`, `advertiser` or `partner`',
})
const brandId = Id.nullable().meta({ description: 'Null for one that only a text names' })

const between = {
  firstAt: Timestamp,
  lastAt: Timestamp.nullable().meta({ description: 'When it last went off; null while it is on air' }),
}

export const GraphicProof = z
  .strictObject({ graphicId: z.string(), graphicName: z.string(), plays, ...seconds, ...between })
  .meta({ id: 'GraphicProof' })

export const BrandProof = z
  .strictObject({ brand, brandId, adType: AdType.nullable(), plays, ...seconds, ...between })
  .meta({ id: 'BrandProof' })

export const PlayProof = z
  .strictObject({
    overlayId: Id,
    seq: z.int().meta({ description: 'Of the command that began it' }),
    at: Timestamp,
    until: Timestamp.nullable().meta({ description: 'Null while it is on air' }),
    graphicId: z.string(),
    graphicName: z.string(),
    presetId: ShownPreset,
    brand,
    brandId,
    adType: AdType.nullable().meta({ description: 'Of the overlay when it began' }),
    by: CausedBy.nullable().meta({ description: 'Who began it; null when retention took the command' }),
    cut: z.boolean().meta({ description: 'It began before what is kept of the journal' }),
    ...seconds,
    renderers: z
      .array(z.strictObject({ renderer: z.string(), paintedFrom: Timestamp, paintedSeconds: Seconds }))
      .meta({ description: 'Each renderer that painted it' }),
  })
  .meta({ id: 'PlayProof' })

const Share = z.number().min(0).max(1)

export const SlotProof = z
  .strictObject({
    slotId: z.string(),
    name: z.string().nullable().meta({ description: 'Null for a slot that no profile has any more' }),
    brands: z
      .array(
        z
          .strictObject({
            brandId: Id,
            name: z.string(),
            promisedShare: Share.meta({ description: 'Of the slot as it is now; 0 for a brand that it has no more' }),
            paintedShare: Share.meta({ description: 'Of all that was painted of the slot; 0 when nothing was' }),
            paintedSeconds: Seconds,
          })
          .meta({ id: 'SlotBrandProof' }),
      )
      .meta({ description: 'Those that were promised something first, as in the slot' }),
  })
  .meta({ id: 'SlotProof' })

export const ProofOfPlay = z
  .strictObject({
    from: Timestamp.nullable().meta({ description: 'As asked' }),
    to: Timestamp.meta({ description: 'As asked, else now' }),
    overlays: z.array(z.strictObject({ id: Id, name: z.string(), removed: z.boolean() })),
    complete: z
      .boolean()
      .meta({ description: 'False when retention took commands or reports of the time that is asked for' }),
    knownFrom: Timestamp.nullable().meta({ description: 'Since when every command is known; null: since the first' }),
    reportsKnownFrom: Timestamp.nullable().meta({
      description: 'Since when all reports of renderers are kept; null: since the first',
    }),
    committedSeconds: seconds.committedSeconds,
    paintedSeconds: seconds.paintedSeconds,
    graphics: z.array(GraphicProof).meta({ description: 'By seconds on air, most first' }),
    brands: z.array(BrandProof).meta({
      description: 'By brand and `adType`; those without a brand are one, and what shows two brands is in both',
    }),
    slots: z.array(SlotProof).meta({ description: 'Sponsor slots: promised against painted' }),
    plays: z.array(PlayProof).meta({ description: 'Oldest first; `limit` and `offset` choose from these' }),
    total: Count.meta({ description: 'How many plays there are' }),
    returned: Count,
  })
  .meta({ id: 'ProofOfPlay' })
export type ProofOfPlay = z.output<typeof ProofOfPlay>

export const ProofQuery = z
  .object({
    from: Moment.optional().meta({ description: 'Seconds before count nothing' }),
    to: Moment.optional().meta({ description: 'Seconds from then on count nothing' }),
    graphicId: z.string().min(1).max(100).optional(),
    brand: z.string().min(1).max(200).optional().meta({ description: 'In any case' }),
    adType: AdType.optional(),
    renderer: z
      .string()
      .min(1)
      .max(60)
      .optional()
      .meta({ description: 'Only what was painted by the renderers of this `?renderer=` counts' }),
    limit: z.int32().min(1).max(1000).optional().meta({ description: 'Default 100 plays; in CSV all rows' }),
    offset: z.int32().min(0).default(0),
    format: z.enum(['json', 'csv']).optional().meta({ description: 'Wins over the Accept header' }),
    rows: z
      .enum(['plays', 'graphics', 'brands', 'slots'])
      .default('plays')
      .meta({ description: 'What a row of the CSV is' }),
  })
  .meta({ id: 'ProofQuery' })
export type ProofQuery = z.output<typeof ProofQuery>
