import { z } from 'zod'
import { STRUCTURAL } from '../../../machines/sports.ts'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { MatchState } from '../matches/schema.ts'

/** Rules of one plan. */
export const MAX_RULES = 200
const MAX_EXPRESSION = 2_000

const FactTrigger = z.strictObject({
  type: z.literal('fact'),
  factTypes: z
    .array(z.string().min(1).max(60))
    .min(1)
    .max(40)
    .meta({
      description: `Of the sport of the competition, or ${Object.keys(STRUCTURAL).join(', ')}`,
      examples: [['goal']],
    }),
  side: z.enum(['home', 'away']).optional().meta({ description: 'Only facts of that side' }),
})
const StateTrigger = z.strictObject({
  type: z.literal('state'),
  state: MatchState.meta({ description: 'Entering it' }),
})
const PeriodTrigger = z.strictObject({
  type: z.literal('period'),
  at: z.enum(['start', 'end']),
  number: z.int32().min(1).max(99).optional().meta({ description: 'From 1; left out, any' }),
})
const ClockTrigger = z.strictObject({
  type: z.literal('clock'),
  seconds: z.int32().min(0).max(86_400).meta({ description: 'What the match clock shows, in seconds' }),
  period: z.int32().min(1).max(99).optional(),
})
const TimeTrigger = z
  .strictObject({
    type: z.literal('time'),
    of: z.enum(['date', 'matchEnd']),
    offsetSeconds: z.int32().min(-86_400).max(86_400).meta({ description: 'Negative is before' }),
  })
  .refine(({ of, offsetSeconds }) => of === 'date' || offsetSeconds >= 0, {
    path: ['offsetSeconds'],
    error: 'nobody knows before when a match ends',
  })
const IntervalTrigger = z.strictObject({
  type: z.literal('interval'),
  everySeconds: z.int32().min(5).max(86_400),
  during: z.enum(['pregame', 'live', 'break', 'postgame']),
})

/** The event that a rule waits for. game-plan: Game plan */
export const RuleTrigger = z
  .discriminatedUnion('type', [FactTrigger, StateTrigger, PeriodTrigger, ClockTrigger, TimeTrigger, IntervalTrigger])
  .meta({ id: 'GamePlanTrigger' })

const Expression = z.string().min(1).max(MAX_EXPRESSION).meta({
  description:
    'As user expressions of graphics, over the sport data; `fact` is the fact of a fact trigger, with its `side`',
})

export const RuleValue = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.strictObject({ expression: Expression }),
    z.strictObject({ slot: z.string().min(1).max(100) }),
  ])
  .meta({ id: 'GamePlanValue', description: 'A value, an expression that makes one, or a sponsor slot' })

const RuleEnd = z
  .union([
    z.strictObject({ afterSeconds: z.int32().min(1).max(3600) }),
    z.strictObject({ until: z.enum(['state', 'period', 'replaced', 'hidden']) }),
  ])
  .meta({ id: 'GamePlanEnd', description: 'When its graphic goes off air' })

export const ruleFields = {
  name: text(1, 80),
  enabled: z.boolean().default(true),
  trigger: RuleTrigger,
  condition: Expression.optional(),
  presetId: Id,
  variableValues: z.record(z.string(), RuleValue).optional(),
  delaySeconds: z.int32().min(0).max(3600).default(0),
  end: RuleEnd,
  priority: z.int32().min(0).max(100).default(50),
  layer: text(1, 80)
    .optional()
    .meta({ description: 'Rules of one layer never overlap; by default the graphic of the preset' }),
  onInterrupt: z.enum(['drop', 'resume', 'queue']).default('drop'),
  maxAgeSeconds: z.int32().min(1).max(3600).default(30),
  cooldownSeconds: z.int32().min(0).max(86_400).default(0),
  every: z.int32().min(1).max(1000).default(1),
  once: z.boolean().default(false),
}

const ruleId = z.string().min(1).max(100)

/** game-plan: Game plan */
export const GamePlanRule = z.object({ id: ruleId, ...ruleFields }).meta({ id: 'GamePlanRule' })
export type GamePlanRule = z.output<typeof GamePlanRule>

export const RuleAsked = z
  .strictObject({ id: ruleId.optional().meta({ description: 'Kept when given, else made' }), ...ruleFields })
  .meta({ id: 'GamePlanRuleAsked' })
export type RuleAsked = z.output<typeof RuleAsked>

export const GamePlan = z
  .object({ competitionThemeSettingId: Id, rules: z.array(GamePlanRule), updatedAt: UpdatedAt })
  .meta({
    id: 'GamePlan',
    description: 'What overlays with `autoMode` show by themselves; the order of rules counts among equals',
  })

export const GamePlanReplacement = z
  .object({ rules: z.array(RuleAsked).max(MAX_RULES), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'GamePlanReplacement' })

export const GamePlanProblems = z
  .object({
    competitionThemeSettingId: Id,
    problems: z.array(
      z
        .object({
          ruleId: z.string(),
          name: z.string(),
          enabled: z.boolean(),
          field: z.string().meta({ description: 'Of the rule, such as `presetId` or `variableValues.player`' }),
          message: z.string(),
        })
        .meta({ id: 'GamePlanProblem' }),
    ),
  })
  .meta({
    id: 'GamePlanProblems',
    description:
      'What changed since the plan was saved so that a rule cannot run: it is suppressed, and the others go on',
  })
