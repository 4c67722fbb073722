import { z } from 'zod'
import { exampleValues, isOwnName, statisticNames } from '../../../machines/statistics/names.ts'
import { IfUnchangedSince, UpdatedAt } from '../../schema/concurrency.ts'
import { Id } from '../../schema/fields.ts'
import { SPORTS, type SportKey } from '../../schema/sport.ts'

const count = z.int().min(0)
const nullableId = Id.nullable()

/** Values by the name of a statistic, as they are answered. */
const Values = z.record(z.string(), z.number())

const Told = z
  .record(z.string().min(1).max(64), z.number().min(-1e9).max(1e9))
  .refine((values) => Object.keys(values).length <= 100, { error: 'at most 100 values' })
  .meta({
    description:
      'By name: a statistic of the sport that facts of the match do not count, or one of your own (`x_` and letters, digits, underlines)',
    examples: [{ possession: 54, distance: 108.4, x_sprints: 212 }],
  })

export const MatchStatistics = z
  .object({
    matchId: Id,
    teams: z.array(z.object({ teamId: Id, values: Values }).meta({ id: 'TeamStatistics' })),
    players: z
      .array(z.object({ playerId: Id, teamId: nullableId, values: Values }).meta({ id: 'PlayerStatistics' }))
      .meta({ description: 'Those who have any' }),
    updatedAt: UpdatedAt.meta({ description: 'When values were last told; facts do not move it' }),
  })
  .meta({ id: 'MatchStatistics', description: 'What the facts count, and the values that were told beside them' })

export const MatchStatisticsUpdate = z
  .strictObject({
    teams: z
      .array(z.strictObject({ teamId: Id, values: Told }).meta({ id: 'TeamStatisticsUpdate' }))
      .max(100)
      .default([]),
    players: z
      .array(z.strictObject({ playerId: Id, values: Told }).meta({ id: 'PlayerStatisticsUpdate' }))
      .max(500)
      .default([]),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({
    id: 'MatchStatisticsUpdate',
    description:
      'Replaces the told values of each team and player that is sent, and of no other; no values take them away',
  })
export type MatchStatisticsUpdate = z.output<typeof MatchStatisticsUpdate>

const person = { playerId: Id, playerName: z.string().nullable() }

const Batter = z
  .object({
    ...person,
    runs: count,
    balls: count,
    fours: count,
    sixes: count,
    strikeRate: z.number().nullable(),
    out: z
      .object({
        kind: z
          .string()
          .nullable()
          .meta({ examples: ['caught'] }),
        bowlerId: nullableId,
        bowlerName: z.string().nullable(),
        fielderId: nullableId,
        fielderName: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Null for who is not out' }),
  })
  .meta({ id: 'SportBatter', title: 'Batter' })

const Bowler = z
  .object({
    ...person,
    overs: z.string().meta({ examples: ['3.4'] }),
    balls: count,
    maidens: count,
    runs: count,
    wickets: count,
    wides: count,
    noBalls: count,
    economy: z.number().nullable(),
  })
  .meta({ id: 'SportBowler', title: 'Bowler' })

const Innings = z
  .object({
    number: z.int().min(1),
    side: z.enum(['home', 'away']).nullable().meta({ description: 'The side that bats' }),
    runs: count,
    wickets: count,
    overs: z.string(),
    batting: z.array(Batter).meta({ description: 'In the order in which they came in' }),
    bowling: z.array(Bowler).meta({ description: 'Of whom facts say that they bowled' }),
    extras: z.object({ wides: count, noBalls: count, byes: count, legByes: count, penaltyRuns: count, total: count }),
    fallOfWickets: z.array(
      z.object({
        wicket: count,
        runs: count,
        overs: z.string(),
        playerId: nullableId,
        playerName: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SportInnings', title: 'Innings: batting and bowling card' })

const total = z.object({ runs: count, hits: count, errors: count })
const Line = z
  .object({
    innings: z.array(z.object({ number: z.int().min(1), home: count, away: count })),
    home: total,
    away: total,
  })
  .meta({ id: 'SportLine', title: 'Line of the innings: runs, hits, errors' })

const bothSides = z.object({ home: count, away: count })
const SetLine = z
  .object({
    number: z.int().min(1),
    home: count.meta({ description: 'Points in the set, in tennis games' }),
    away: count,
    points: bothSides.meta({ description: 'Points won in the set' }),
    setPoints: bothSides.meta({ description: 'How often a side stood one point from winning the set' }),
  })
  .meta({ id: 'SportSet', title: 'Set' })

/** Cards and lines that a sport has; of any sport when left out. */
const cardsOf = (sport: SportKey | undefined) => ({
  ...((!sport || sport === 'cricket') && { innings: z.array(Innings).optional() }),
  ...((!sport || sport === 'baseball') && { line: Line.optional() }),
  ...((!sport || sport === 'tennis' || sport === 'volleyball') && { sets: z.array(SetLine).optional() }),
})

/** Cards and lines of any sport, as a match summary has them. */
export const cards = { innings: z.array(Innings).optional(), line: Line.optional(), sets: z.array(SetLine).optional() }
type Cards = { [Name in keyof typeof cards]?: z.output<(typeof cards)[Name]> }

const namesOf = (sport: SportKey | undefined): string[] =>
  sport ? statisticNames(sport) : [...new Set(SPORTS.flatMap(statisticNames))]

/** `data.statistics` of a sport; of any when left out. */
export function statisticsSchema(sport?: SportKey): z.ZodType<SportStatistics> {
  const names = namesOf(sport)
  const examples = Object.entries(sport ? exampleValues(sport) : {})
  const Named = z.partialRecord(
    z.union([
      z.enum(names as [string, ...string[]]),
      z.string().refine(isOwnName).meta({ pattern: '^x_[A-Za-z0-9_]{1,40}$' }),
    ]),
    z.number(),
  )
  const Side = Named.meta({
    description: 'By name, counted from facts or told; what has not happened may be absent',
    examples: [Object.fromEntries(examples.map(([name, [home]]) => [name, home]))],
  })
  const Player = z
    .object({
      ...person,
      teamId: nullableId,
      side: z.enum(['home', 'away']).nullable(),
      values: Named,
    })
    .meta({ id: 'SportPlayerStatistics', title: 'Statistics of a player' })
  const schema = z
    .object({
      home: Side,
      away: Side,
      players: z.array(Player).meta({ description: 'Those who have any, from facts or told' }),
      ...cardsOf(sport),
    })
    .meta({ title: 'Statistics' })
  // which cards there are follows from the sport, as no type says
  return schema as unknown as z.ZodType<SportStatistics>
}

export type SportStatistics = {
  home: Record<string, number>
  away: Record<string, number>
  players: {
    playerId: number
    playerName: string | null
    teamId: number | null
    side: 'home' | 'away' | null
    values: Record<string, number>
  }[]
} & Cards
