import { z } from 'zod'
import { Id, ShownPreset, Timestamp } from '../../schema/fields.ts'
import { Section } from '../control-rooms/schema.ts'
import { ObsRefresh } from '../overlays/schema.ts'
import { StreamMonitoring } from '../streams/monitoring.schema.ts'

/** The names of an overlay's presets, so that people read names and not ids. */
export const MonitoredRoom = z
  .object({
    sections: z.array(Section),
    presets: z.array(z.object({ id: Id, name: z.string(), sectionId: z.string() })),
    demanding: z
      .array(z.object({ graphicId: z.string(), graphicName: z.string(), requirements: z.array(z.unknown()) }))
      .meta({
        description:
          'The graphics of the active version that are not for every renderer, with what one must be, as `renderRequirements` of OGraf',
      }),
  })
  .meta({ id: 'MonitoredRoom' })

export const MonitoredStreams = z
  .object({
    streams: z.array(
      StreamMonitoring.omit({ events: true, problems: true })
        .extend({ name: z.string(), overlayId: Id.nullable() })
        .meta({ id: 'MonitoredStream' }),
    ),
  })
  .meta({ id: 'MonitoredStreams', description: 'Those that carry the overlay first, then the others of its match' })

/** One graphic touched by one command, as the page lists it. */
export const MonitoredAsRun = z
  .object({
    asRun: z.array(
      z
        .object({
          seq: z.int(),
          at: Timestamp,
          action: z.string(),
          graphicName: z.string().nullable(),
          presetId: ShownPreset.nullable(),
          by: z.object({ type: z.string(), name: z.string().nullable() }),
          painted: z.object({ renderers: z.int(), firstMs: z.int().nullable(), lastMs: z.int().nullable() }),
        })
        .meta({ id: 'MonitoredAsRunEntry' }),
    ),
  })
  .meta({ id: 'MonitoredAsRun', description: 'The latest, newest first' })

/** What a producer may know of the OBS of an overlay: not where it is. */
export const MonitoredObs = z
  .object({
    configured: z.boolean(),
    refresh: ObsRefresh.nullable(),
  })
  .meta({ id: 'MonitoredObs' })
