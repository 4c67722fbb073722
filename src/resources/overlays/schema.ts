import { z } from 'zod'
import { alsoWhenInvalid, Id, ShownPreset, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { ScheduledCommand } from '../../schema/scheduled.ts'
import { SetValue } from '../../schema/set-value.ts'

/** The presets on air, keyed by graphic name; graphics off air are absent. */
export const ManualGraphicState = z
  .record(
    z.string(),
    z.object({
      _service_presetId: ShownPreset,
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

const isObsUrl = (value: string) => {
  if (!/^wss?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false
  const { username, password, hash } = new URL(value)
  return username === '' && password === '' && hash === ''
}

const obs = {
  obsUrl: text(1, 255)
    .refine(isObsUrl, { error: 'expected a ws or wss URL without user and password, as in ws://192.168.1.20:4455' })
    .nullable()
    .optional()
    .meta({
      description:
        'Beta. Where the OBS of this overlay takes obs-websocket, as in `ws://192.168.1.20:4455`: another active theme version has it refresh the browser sources of the overlay, once nothing is on air. Null: none; its password goes with it',
    }),
  obsPassword: text(1, 255).nullable().optional().meta({
    description: 'Beta. The password of obs-websocket, never told again; forgotten when `obsUrl` changes without it',
  }),
}

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
    ...obs,
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
    ...obs,
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

/** How the last refresh of browser sources went. */
export const ObsRefresh = z
  .object({
    at: Timestamp,
    state: z.enum(['refreshed', 'waiting', 'failed']).meta({ description: '`waiting`: until nothing is on air' }),
    sources: z.int().nullable().meta({ description: 'How many browser sources of OBS show the overlay' }),
    error: z.string().nullable().meta({ description: 'For people' }),
  })
  .meta({ id: 'ObsRefresh' })

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
    obsUrl: z.string().nullable().meta({ description: 'Beta. Where its OBS takes obs-websocket' }),
    obsPasswordSet: z.boolean().meta({ description: 'Beta. Whether a password is known for it' }),
    obsRefresh: ObsRefresh.nullable().meta({ description: 'Beta. How its OBS was last told to refresh' }),
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
