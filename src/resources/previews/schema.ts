import { z } from 'zod'
import { alsoWhenInvalid, Id, Timestamp } from '../../schema/fields.ts'
import { SetValue } from '../../schema/set-value.ts'
import { SlotChoice } from '../control-variables.ts'

const MAX_VALUES = 500

const Version = z
  .union([z.literal('working'), z.int32().min(1)])
  .meta({ description: '`working` for the working copy, or a published version' })
const ScenarioId = z.string().min(1).max(100)
const VariableValues = z
  .record(z.string(), z.union([SlotChoice, SetValue]))
  .refine((values) => Object.keys(values).length <= MAX_VALUES, { error: `at most ${MAX_VALUES} values` })
const ThemeVariableValues = z
  .record(z.string(), z.string())
  .refine((values) => Object.keys(values).length <= MAX_VALUES, { error: `at most ${MAX_VALUES} values` })
  .meta({ description: 'By the name of the theme variable, as text; over the values of the profile' })

/** The picture that a preview shows first. Anybody with its address may choose another. */
export const PreviewCreation = z
  .object({
    version: Version.default('working'),
    scenarioId: ScenarioId.optional().meta({
      description:
        'Left out, a match under way of the sport that the graphic selects (`selectedSport`), else of its first one',
    }),
    matchId: Id.optional().meta({
      description:
        'A match whose own records it is drawn with, as it stands or stood, in place of a scenario; needs `matches:read`, too',
    }),
    variableValues: VariableValues.default({}),
    themeVariableValues: ThemeVariableValues.default({}),
    profileId: Id.optional().meta({ description: 'Theme profile whose values the theme variables have' }),
  })
  .refine(({ scenarioId, matchId }) => scenarioId === undefined || matchId === undefined, {
    path: ['matchId'],
    error: 'not beside `scenarioId`',
    ...alsoWhenInvalid,
  })
  .meta({ id: 'PreviewCreation' })
export type PreviewCreation = z.output<typeof PreviewCreation>

export const Preview = z
  .object({
    url: z.string().meta({
      description:
        'A page that shows this graphic and nothing else, without an API key. With `?clean` only the picture',
    }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'Preview' })

/** The picture that the page asks for. */
export const FrameRequest = z.object({
  version: Version,
  scenarioId: ScenarioId.optional().meta({ description: 'Left out, the match that the preview was made with' }),
  at: Timestamp.optional().meta({ description: 'A moment of the match: before that of the scenario, before now' }),
  variableValues: VariableValues,
  themeVariableValues: ThemeVariableValues,
})
export type FrameRequest = z.output<typeof FrameRequest>
