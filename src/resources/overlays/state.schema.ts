import { z } from 'zod'
import { Count, Id, Timestamp } from '../../schema/fields.ts'

/** integrations: State document */
export const OverlayLamps = z
  .object({
    overlayId: Id,
    name: z.string(),
    match: z
      .object({
        state: z.string(),
        score: z.object({
          home: z.union([z.number(), z.string()]).nullable(),
          away: z.union([z.number(), z.string()]).nullable(),
        }),
        clock: z
          .object({ running: z.boolean(), valueMs: z.number(), asOf: Timestamp, direction: z.enum(['up', 'down']) })
          .nullable()
          .meta({ description: 'It shows `valueMs` at `asOf`, and goes on by itself while it runs' }),
        period: z.object({ number: z.int(), type: z.string(), name: z.string() }).nullable(),
      })
      .nullable()
      .meta({ description: 'Null: the match is gone' }),
    presets: z
      .array(
        z.object({
          presetId: Id,
          name: z.string(),
          sectionId: z.string(),
          color: z.string().nullable().meta({ description: 'The `colorKey` of its section' }),
          state: z.enum(['off', 'cued', 'committed', 'onAir', 'failing']).meta({
            description:
              'committed: on air, and on no screen yet, or no renderer is connected; onAir: a renderer has painted it; failing: renderers are there, and none has painted it in time',
          }),
          painted: z.object({
            renderers: Count.meta({ description: 'That have it on screen as it is now' }),
            of: Count.meta({ description: 'That are connected and show it' }),
          }),
          until: Timestamp.nullable().meta({ description: 'When it goes off air by itself' }),
        }),
      )
      .meta({
        description: 'Of its control room, in the order of its buttons; in rehearsal what would be on air is committed',
      }),
    renderers: z.object({ connected: Count, behind: Count }),
    automatic: z.boolean(),
    seq: Count,
  })
  .meta({ id: 'OverlayLamps' })
