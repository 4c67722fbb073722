import { z } from 'zod'
import { Timestamp } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { SportKey } from '../../schema/sport.ts'

/** Situations of a match, by which people look for a scenario; in the order of a match. */
export const SITUATIONS = [
  'preMatch',
  'live',
  'scored',
  'discipline',
  'break',
  'late',
  'decider',
  'finished',
  'stopped',
] as const
export const Situation = z.enum(SITUATIONS).meta({
  id: 'ScenarioSituation',
  description: 'What the match is like; `decider`: extra time, shoot-out, tie-break, super over, extra innings',
})
export type Situation = z.output<typeof Situation>

const ScenarioId = z.string().meta({ examples: ['football-goal'] })

/** A moment of a match that never was. domain 5.11 */
export const ScenarioSummary = z
  .object({ id: ScenarioId, name: z.string(), sport: SportKey, situation: Situation, description: z.string() })
  .meta({ id: 'ScenarioSummary' })
export type ScenarioSummary = z.output<typeof ScenarioSummary>

export const Scenario = ScenarioSummary.extend({
  at: Timestamp.meta({
    description:
      'The moment that is shown. It never changes: a clock that runs in `data` shows what it showed then when its `asOf` is moved by ' +
      'the time from this moment until now, as a preview does',
  }),
  data: z.record(z.string(), z.unknown()).meta({ description: 'Valid against `GET /v2/schemas/sports/{sport}`' }),
}).meta({ id: 'Scenario' })

export const ScenarioList = paged('scenarios', ScenarioSummary).meta({ id: 'ScenarioList' })
export const ScenarioFilter = z.object({ sport: SportKey.optional(), ...paging }).meta({ id: 'ScenarioFilter' })
export const ScenarioParams = z.object({ scenarioId: z.string().min(1) }).meta({ id: 'ScenarioParams' })
