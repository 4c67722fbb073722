import { z } from 'zod'
import { Id, Timestamp } from '../../schema/fields.ts'
import { MAX_RULES, RuleAsked, RuleValue } from './schema.ts'

/** The match that a game plan is tried on. game-plan: Game plan */
export const Simulation = z
  .object({
    scenarioId: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The match that leads to this scenario', examples: ['football-full-time'] }),
    matchId: Id.optional().meta({ description: 'A match as it has been recorded so far' }),
    rules: z.array(RuleAsked).max(MAX_RULES).optional().meta({ description: 'Left out, those of the plan' }),
  })
  .refine(({ scenarioId, matchId }) => (scenarioId === undefined) !== (matchId === undefined), {
    error: 'Exactly one of `scenarioId` and `matchId`',
  })
  .meta({ id: 'GamePlanSimulation' })

const seconds = (description: string) => z.record(z.string(), z.number().min(0)).meta({ description })

export const SimulationAnswer = z
  .object({
    timeline: z.array(
      z
        .object({
          matchMs: z.int().meta({ description: 'Since the match began, negative before' }),
          at: Timestamp,
          ruleId: z.string(),
          name: z.string(),
          outcome: z
            .enum(['fired', 'suppressed', 'withdrawn'])
            .nullable()
            .meta({ description: 'Null where a graphic that was fired before only comes back, changes or goes' }),
          reason: z.string().nullable(),
          graphicName: z.string().nullable().meta({ description: 'Null when the preset cannot be shown' }),
          action: z.enum(['show', 'update', 'hide']).nullable().meta({ description: 'What the overlay does' }),
          variableValues: z.record(z.string(), RuleValue).nullable().meta({
            description: 'Of a show and an update: the values over those of the preset, expressions worked out',
          }),
        })
        .meta({ id: 'GamePlanSimulationLine' }),
    ),
    seconds: seconds('On air, by graphic'),
    brands: seconds('On air, by the brand that graphics show'),
  })
  .meta({ id: 'GamePlanSimulationAnswer', description: 'What the plan does in a match of virtual time' })
