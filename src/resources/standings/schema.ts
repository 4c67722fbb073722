import { z } from 'zod'
import { TIE_BREAKERS } from '../../../machines/standings.ts'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Count, Id, text } from '../../schema/fields.ts'

const Points = z.number().min(-1_000).max(1_000).multipleOf(0.001)
const Limit = z.number().min(0).max(100_000)

export const StandingsPoints = z
  .strictObject({
    win: Points,
    draw: Points,
    loss: Points,
    overtimeWin: Points.optional().meta({ description: 'In overtime; left out, as `win`' }),
    overtimeLoss: Points.optional().meta({ description: 'In overtime; left out, as `loss`' }),
    shootoutWin: Points.optional().meta({
      description: 'Level, and won in a shoot-out or super over; without it such a match is drawn',
    }),
    shootoutLoss: Points.optional(),
    decidingSetWin: Points.optional().meta({ description: 'In the last possible set; left out, as `win`' }),
    decidingSetLoss: Points.optional().meta({ description: 'In the last possible set; left out, as `loss`' }),
    noResult: Points.optional().meta({
      description: 'Of each side in a match that was abandoned; without it such a match does not count',
    }),
  })
  .meta({ id: 'StandingsPoints', examples: [{ win: 3, draw: 1, loss: 0 }] })

/** Points beside those of the result. */
export const StandingsBonus = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('statistic'), statistic: text(1, 64), atLeast: Limit, points: Points }),
    z.strictObject({ type: z.literal('narrowLoss'), atMost: Limit, points: Points }),
    z.strictObject({ type: z.literal('clearWin'), atLeast: Limit, points: Points }),
    z.strictObject({ type: z.literal('score'), atLeast: Limit, points: Points }),
  ])
  .meta({ id: 'StandingsBonus', examples: [{ type: 'statistic', statistic: 'tries', atLeast: 4, points: 1 }] })

export const TieBreaker = z.enum(TIE_BREAKERS).meta({
  id: 'TieBreaker',
  description:
    'Between teams with equal points: difference, scored (`for`), conceded (`against`, fewer first), scored by conceded (`ratio`), wins, ' +
    'away goals, away wins, runs per over scored less those conceded in limited overs (`netRunRate`, cricket), a table of only their matches with each other (`headToHead`), or the name',
})

export const StandingsGroup = z
  .strictObject({ name: text(1, 40), teamIds: z.array(Id).max(200) })
  .meta({ id: 'StandingsGroup' })

const Rules = {
  points: StandingsPoints,
  bonus: z.array(StandingsBonus).max(10).default([]),
  tieBreakers: z
    .array(TieBreaker)
    .max(TIE_BREAKERS.length)
    .meta({ description: 'In the order in which they are asked; the name is always the last' }),
  groups: z.array(StandingsGroup).max(50).default([]).meta({ description: 'Each has a table of its own' }),
  betweenGroups: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether matches between teams of different groups count, as between conferences' }),
}

export const StandingsRules = z.object(Rules).meta({ id: 'StandingsRules' })
export const StandingsRulesUpdate = z
  .strictObject({ ...Rules, ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'StandingsRulesUpdate' })

export const StandingsAdjustment = z
  .strictObject({
    teamId: Id,
    points: Points.meta({ description: 'Added; a deduction is negative', examples: [-3] }),
    reason: text(1, 200),
  })
  .meta({ id: 'StandingsAdjustment' })
export const StandingsAdjustmentsUpdate = z
  .strictObject({ adjustments: z.array(StandingsAdjustment).max(200), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'StandingsAdjustmentsUpdate' })

/** A team of the table. */
export const StandingsRow = z
  .object({
    teamId: Id,
    name: z.string(),
    shortName: z.string().meta({ description: 'Name for graphics' }),
    group: z.string().nullable().meta({ description: 'Name of its group; null without one' }),
    position: z.int().min(1).meta({ description: 'From 1, in its group; no two teams share one' }),
    played: Count,
    won: Count,
    drawn: Count,
    lost: Count,
    noResult: Count.meta({ description: 'Abandoned matches, where the rules give points for them; among `played`' }),
    for: z.number(),
    against: z.number(),
    difference: z.number(),
    points: z.number().meta({ description: 'With bonus points and adjustments' }),
    bonus: z.number().meta({ description: 'Bonus points among them' }),
    adjustment: z.number().meta({ description: 'Adjustments among them' }),
    netRunRate: z.number().nullable().meta({
      description:
        'Cricket: runs per over scored less those conceded, of all matches in limited overs; a side that is all out has used all of its overs. Null before any',
    }),
    form: z
      .array(z.enum(['W', 'D', 'L', 'N']))
      .meta({ description: 'The last five results, the latest last; N: no result' }),
  })
  .meta({ id: 'StandingsRow' })
export type StandingsRow = z.output<typeof StandingsRow>

export const Standings = z
  .object({
    competitionId: Id,
    rows: z.array(StandingsRow).meta({ description: 'Group by group, the first of each first' }),
    rules: StandingsRules.meta({ description: 'Those in force: as they were set, else the usual ones of the sport' }),
    adjustments: z.array(StandingsAdjustment),
    updatedAt: UpdatedAt.meta({ description: 'When a result, the rules or the adjustments last changed' }),
  })
  .meta({ id: 'Standings' })

export const StandingsParams = z.object({ competitionId: Id }).meta({ id: 'StandingsParams' })
