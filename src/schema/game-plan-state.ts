import { z } from 'zod'
import { Id, Timestamp } from './fields.ts'

const ruleId = z.string()
const Line = z.strictObject({ ruleId, name: z.string() })

/** What a plan is doing on one overlay. game-plan: Rules of behaviour */
export const GamePlanState = z
  .strictObject({
    overlayId: Id,
    autoMode: z.boolean(),
    paused: z.boolean(),
    layers: z.array(
      z.strictObject({
        layer: z.string(),
        heldBy: z.string().nullable().meta({ description: 'Who took it by hand; the plan puts nothing there' }),
        running: z
          .strictObject({
            ...Line.shape,
            graphicName: z.string(),
            since: Timestamp,
            until: Timestamp.nullable(),
          })
          .nullable(),
        queued: z.array(Line),
      }),
    ),
    next: z.array(z.strictObject({ ...Line.shape, at: Timestamp })).meta({ description: 'Known times, at most 20' }),
    recent: z
      .array(
        z.strictObject({
          at: Timestamp,
          ...Line.shape,
          outcome: z.enum(['fired', 'suppressed', 'withdrawn']),
          reason: z.string().nullable(),
          factId: z.int().nullable(),
        }),
      )
      .meta({ description: 'Newest first, at most 100' }),
  })
  .meta({ id: 'GamePlanState' })
export type GamePlanState = z.output<typeof GamePlanState>
