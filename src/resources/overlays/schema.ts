import { z } from 'zod'
import { alsoWhenInvalid, Id, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { ScheduledCommand } from '../../schema/scheduled.ts'
import { SetValue } from '../../schema/set-value.ts'

/** The presets on air, keyed by graphic name; graphics off air are absent. */
export const ManualGraphicState = z
  .record(
    z.string(),
    z.object({
      _service_presetId: Id,
      variableValues: z.record(z.string(), SetValue),
      step: z.int().optional().meta({ description: 'Beta. Where an OGraf graphic stands, from 0' }),
    }),
  )
  .meta({ id: 'ManualGraphicState' })

/** The presets on preview, as those on air. show-control: Commands */
export const PreviewState = ManualGraphicState.meta({
  id: 'PreviewState',
  description: 'Beta. The presets on preview, keyed by graphic name: what a `take` puts on air',
})

/** show-control: Commands */
export const Schedule = z.array(ScheduledCommand).meta({
  description: 'Beta. Commands that are carried out at their time, the next first',
})

export const AdType = z.enum(['free', 'brands', 'noBrands']).meta({ id: 'AdType' })

/** Whole seconds. */
const EncodingDelay = z.int32().min(0).max(60).meta({ description: 'Seconds by which graphics are held back, 0 to 60' })
const OverlayName = text(5, 42)

const MANUAL_NEEDS_ADS = 'autoMode false requires adType noBrands or brands'

/** Whether the two may stand together. spec: Overlays 11 */
export const manualModeAllowed = (autoMode: boolean, adType: string | null | undefined) =>
  autoMode || adType === 'brands' || adType === 'noBrands'

/** spec: Overlays 11 */
export const OverlayCreation = z
  .object({
    name: OverlayName,
    matchId: Id,
    encodingDelay: EncodingDelay.optional(),
    autoMode: z.boolean().optional(),
    adType: AdType.optional(),
    competitionThemeSettingId: Id.optional(),
    controlRoomId: Id.nullable().optional(),
  })
  .refine(({ autoMode, adType }) => manualModeAllowed(autoMode ?? true, adType), {
    path: ['adType'],
    error: MANUAL_NEEDS_ADS,
    ...alsoWhenInvalid,
  })
  .meta({ id: 'OverlayCreation' })

/** spec: Overlays 11 */
export const CreatedOverlay = z
  .object({ key: z.uuidv4(), id: Id, controlRoomUrl: z.url(), monitoringUrl: z.url() })
  .meta({ id: 'CreatedOverlay' })

/** Fields left out keep their value; the rule on autoMode and adType holds for the result. */
export const OverlayUpdate = z
  .object({
    name: OverlayName.optional(),
    encodingDelay: EncodingDelay.optional(),
    autoMode: z.boolean().optional(),
    adType: AdType.optional(),
    competitionThemeSettingId: Id.optional(),
    controlRoomId: Id.nullable().optional(),
    rehearsal: z.boolean().optional().meta({
      description:
        'Beta. Begins a rehearsal, which needs an empty screen (409), or ends it; changed by itself, without other members that change something',
    }),
  })
  .meta({ id: 'OverlayUpdate' })

/** The switch on the page of a control room. */
export const RehearsalMode = z.object({ rehearsal: z.boolean() }).meta({ id: 'RehearsalMode' })

/** The switch on the page of a control room. */
export const AutomaticMode = z.object({ autoMode: z.boolean() }).meta({ id: 'AutomaticMode' })

/** Which pages of an overlay get another address. */
export const LinkRotation = z
  .object({
    links: z
      .array(z.enum(['control', 'monitoring', 'production']))
      .min(1)
      .max(3)
      .refine((links) => new Set(links).size === links.length, { error: 'each link at most once' })
      .meta({ description: "`production` is the address of the browser source, with the overlay's `key`" }),
  })
  .meta({ id: 'LinkRotation' })

export const manualModeRefused = { 'body.adType': { message: MANUAL_NEEDS_ADS } }

export const Overlay = z
  .object({
    id: Id,
    key: z.uuidv4(),
    name: z.string(),
    matchId: Id,
    encodingDelay: EncodingDelay,
    autoMode: z.boolean(),
    adType: AdType.nullable(),
    competitionThemeSettingId: Id.nullable(),
    controlRoomId: Id.nullable(),
    controlRoomUrl: z.url().optional().meta({ description: 'Its page commands graphics: only with `overlays:write`' }),
    productionUrl: z.url(),
    monitoringUrl: z.url(),
    active: z.boolean().meta({ description: 'A renderer is connected' }),
    manualGraphicState: ManualGraphicState,
    previewState: PreviewState,
    scheduled: Schedule,
    rehearsal: z.boolean().meta({
      description: 'Beta. It rehearses: `manualGraphicState` is what would be on air, and nothing is',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Overlay' })

export const OverlayV2 = Overlay.extend({
  themeId: Id.nullable(),
  activeThemeVersion: z.int32().nullable(),
}).meta({ id: 'OverlayV2' })

export const OverlayParams = z.object({ overlayId: Id }).meta({ id: 'OverlayParams' })
export const OverlayFilter = z.object({ matchId: Id.optional(), ...paging }).meta({ id: 'OverlayFilter' })
export const OverlayList = paged('overlays', Overlay).meta({ id: 'OverlayList' })
export const OverlayV2List = paged('overlays', OverlayV2).meta({ id: 'OverlayV2List' })
