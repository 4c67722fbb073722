import { z } from 'zod'
import { Id, Timestamp, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { DestinationStatus, DestinationType } from './destinations.schema.ts'

export const StreamState = z.enum(['idle', 'starting', 'live', 'stopping', 'error']).meta({
  id: 'StreamState',
  description: '`live`: the program runs, whether or not it is published (see `liveAt`). `error`: stopped by a fault',
})

const StreamName = text(1, 100)
const Resolution = z.enum(['1080p', '720p']).meta({ id: 'StreamResolution' })
const Fps = z.literal([25, 30, 50, 60]).meta({ id: 'StreamFps' })
const VideoBitrate = z.int32().min(200).max(50_000)
const Region = text(1, 64)
const InputVolume = z.int32().min(0).max(200)

const settings = {
  resolution: Resolution,
  fps: Fps,
  videoBitrateKb: VideoBitrate,
  region: Region,
  inputVolume: InputVolume.meta({
    description: 'Percent; heard where graphics are burned in, else the input is passed on',
  }),
  generateHighlights: z.boolean(),
  startOverlayHidden: z.boolean().meta({ description: 'Each start hides the burned-in graphics until they are shown' }),
}

export const StreamSettings = z
  .object({
    id: Id,
    matchId: Id,
    name: z.string(),
    state: StreamState,
    inputId: Id.nullable(),
    overlayId: Id.nullable().meta({ description: 'The overlay that is burned into the picture' }),
    overlayHidden: z.boolean(),
    ...settings,
    destinations: z.array(
      z
        .object({
          id: Id,
          name: z.string(),
          type: DestinationType,
          status: DestinationStatus,
          publishing: z.boolean(),
        })
        .meta({ id: 'StreamSettingsDestination' }),
    ),
    autoStream: z.boolean(),
    startedAt: Timestamp.nullable(),
    liveAt: Timestamp.nullable().meta({ description: 'When it went live; null while it is only looked at' }),
    lastError: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'StreamSettings' })

const change = {
  inputId: Id.nullable().optional(),
  overlayId: Id.nullable().optional().meta({ description: 'An overlay of the same match' }),
  ...z.object(settings).partial().shape,
}

export const StreamCreation = z.object({ matchId: Id, name: StreamName, ...change }).meta({ id: 'StreamCreation' })

/** Fields left out keep their value. While the stream runs only some of them change. */
export const StreamUpdate = z.object({ name: StreamName.optional(), ...change }).meta({ id: 'StreamUpdate' })

export const StreamParams = z.object({ streamSettingsId: Id }).meta({ id: 'StreamParams' })
export const StreamFilter = z
  .object({ matchId: Id.optional(), state: StreamState.optional(), ...paging })
  .meta({ id: 'StreamFilter' })
export const StreamList = paged('streams', StreamSettings).meta({ id: 'StreamList' })

/** spec: Streams 14 */
export const AutomationChange = z.object({ autoStream: z.boolean() }).meta({ id: 'StreamAutomationChange' })
/** spec: Streams 14 */
export const StreamAutomation = z
  .object({ streamSettingsId: Id, autoStream: z.boolean() })
  .meta({ id: 'StreamAutomation' })

export const StreamOverlay = z
  .object({ streamSettingsId: Id, overlayId: Id, hidden: z.boolean() })
  .meta({ id: 'StreamOverlay' })
