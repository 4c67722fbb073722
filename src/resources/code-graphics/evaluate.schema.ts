import { z } from 'zod'
import { Id } from '../../schema/fields.ts'
import { SportKey } from '../../schema/sport.ts'

const ONE = 'At most one of `data`, `scenarioId` and `matchId`'

/** domain 5.12 */
export const Evaluation = z
  .object({
    version: z
      .union([z.literal('working'), z.int32().min(1)])
      .default('working')
      .meta({ description: 'The working copy, or a published version' }),
    sport: SportKey.optional().meta({ description: 'That of the data unless given' }),
    data: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Parts of sport data, whole or not; also `dataSources`' }),
    scenarioId: z.string().min(1).optional(),
    matchId: Id.optional(),
    competitionThemeSettingId: Id.optional().meta({
      description:
        'A profile of the theme, for the values of its variables and what was pushed; without one, defaults and samples',
    }),
    variableValues: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
  })
  .superRefine(({ data, scenarioId, matchId }, issues) => {
    const given = Object.entries({ data, scenarioId, matchId }).filter(([, value]) => value !== undefined)
    for (const [name] of given.slice(1)) issues.addIssue({ code: 'custom', path: [name], message: ONE })
  })
  .prefault({})
  .meta({ id: 'Evaluation', description: ONE })

/** The result of an expression. */
export const evaluatedRow = {
  id: z.string(),
  name: z.string(),
  expression: z.string(),
  value: z.unknown().meta({ description: 'What it gives, as JSON; null when it fails' }),
  ok: z.boolean(),
  error: z.string().nullable().meta({ description: 'Why it fails' }),
}

/** spec: Motion graphics 28 */
export const EvaluationAnswer = z
  .object({
    rows: z
      .array(z.object(evaluatedRow).meta({ id: 'EvaluatedBinding' }))
      .meta({ description: 'One of each data binding: a code graphic has none' }),
    userExpressions: z.array(z.object(evaluatedRow).meta({ id: 'EvaluatedExpression' })),
    unresolved: z.int().min(0).meta({ description: 'How many of both failed' }),
  })
  .meta({ id: 'EvaluationAnswer' })
