import { z } from 'zod'
import { factTypesOf, sportOf } from '../../../machines/sports.ts'
import { Id, Timestamp } from '../../schema/fields.ts'
import { SPORTS, SportKey } from '../../schema/sport.ts'
import { StandingsRow } from '../standings/schema.ts'
import { TeamStaffMember } from '../teams/schema.ts'
import { CompetitorsType, MatchConfig, MatchState } from './schema.ts'
import { situationSchema } from './sport-situation.schema.ts'
import { type SportStatistics, statisticsSchema } from './statistics.schema.ts'

const nullableText = z.string().nullable()
const colour = z
  .string()
  .optional()
  .meta({ examples: ['#b3132b'] })
const SideName = z.enum(['home', 'away'])
const both = <T extends z.ZodType>(one: T) => z.object({ home: one, away: one })

const Competition = z
  .object({ id: Id, name: z.string(), gfxName: nullableText.meta({ description: 'Shorter name for graphics' }) })
  .meta({
    title: 'Competition',
    examples: [{ id: 3, name: 'Northern Coast Premier League', gfxName: 'Coast Premier' }],
  })

const Venue = z
  .object({
    id: Id,
    name: z.string().meta({ description: 'The name for graphics where the venue has one' }),
    fullName: z.string(),
    city: nullableText,
    country: nullableText,
    courts: z.array(z.string()).meta({ description: 'Names of its courts, rinks or pitches' }),
  })
  .nullable()
  .meta({ title: 'Venue' })

const Team = z
  .object({
    id: Id,
    name: z.string(),
    gfxName: z
      .string()
      .optional()
      .meta({ description: 'Middle length, for most graphics', examples: ['Norrvik'] }),
    gfxFullName: z.string().optional().meta({ description: 'The longest name that a graphic must hold' }),
    abbreviation: z
      .string()
      .optional()
      .meta({ description: 'Two to four letters', examples: ['NOR'] }),
    primaryBackgroundColor: colour,
    primaryTextColor: colour,
    secondaryBackgroundColor: colour,
    secondaryTextColor: colour,
    sport: z.string(),
    clubId: Id.optional(),
    isHome: z.boolean().optional(),
    logoUrl: z.string().optional().meta({ description: 'Logo of the team, else of its club; absent without one' }),
    staff: z.array(TeamStaffMember),
    coach: nullableText.meta({
      description: 'Full name of the manager, else of the first member of staff; null without staff',
      examples: ['Astrid Holmgren'],
    }),
  })
  .meta({ id: 'SportTeam', title: 'Team', description: 'What a team has not set is absent' })
export type SportTeam = z.output<typeof Team>

const player = {
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  gfxFirstName: nullableText.meta({ description: 'Overrules `firstName` in graphics' }),
  gfxLastName: nullableText.meta({ description: 'Overrules `lastName` in graphics' }),
  number: nullableText.meta({ description: 'Text, since `07` is not 7', examples: ['10', '07'] }),
  position: nullableText.meta({ examples: ['AM'] }),
  positionType: nullableText.meta({ examples: ['midfielder'] }),
  captain: z.boolean(),
  photoUrl: nullableText.optional(),
  starting: z.boolean().meta({ description: 'True for a starter, false for a bench player' }),
}

const LineupPlayer = z.object({ ...player, teamId: Id }).meta({ id: 'SportLineupPlayer', title: 'Player of a line-up' })

const Player = z
  .object({
    ...player,
    teamId: Id.nullable().meta({ description: 'Null for who competes for no team' }),
    inLineup: z.boolean().meta({ description: 'False for who is only on the roster' }),
  })
  .meta({ id: 'SportPlayer', title: 'Player' })
export type SportPlayer = z.output<typeof Player>

const Lineup = z
  .object({
    formation: nullableText.meta({ examples: ['4-3-3'] }),
    players: z
      .array(LineupPlayer)
      .meta({ description: 'Starters first; before a line-up is set, the roster by default' }),
    staff: z.array(TeamStaffMember),
  })
  .meta({ id: 'SportLineup', title: 'Line-up' })

const Competitor = z
  .object({
    order: z.int().min(0),
    isHome: z.boolean(),
    entityType: z.enum(['team', 'player']),
    teamId: Id.nullable(),
    playerId: Id.nullable(),
    name: z.string(),
    shortName: z.string().meta({ description: 'Graphics name of the team, last name of the player' }),
    score: z.number(),
  })
  .meta({
    id: 'SportCompetitor',
    title: 'Competitor',
    description: 'Whoever competes, in order: two teams, one or two players a side, or a group',
  })
export type SportCompetitor = z.output<typeof Competitor>

const Clock = z
  .object({
    running: z.boolean(),
    valueMs: z.number().min(0).meta({ description: 'Milliseconds on the clock at `asOf`' }),
    asOf: Timestamp.meta({
      description: 'Server time. While the clock runs it shows valueMs plus (up) or minus (down) the time since',
    }),
    direction: z.enum(['up', 'down']),
  })
  .meta({
    id: 'SportClock',
    title: 'Clock',
    examples: [{ running: true, valueMs: 2_700_000, asOf: '2026-11-20T19:47:00.000Z', direction: 'up' }],
  })

const Official = z
  .object({
    id: Id,
    role: z.string().meta({ examples: ['referee'] }),
    firstName: z.string(),
    lastName: z.string(),
    gfxName: nullableText,
  })
  .meta({ id: 'SportOfficial', title: 'Official' })

const Standings = z
  .object({
    rows: z
      .array(
        StandingsRow.extend({
          abbreviation: z.string().optional(),
          primaryBackgroundColor: colour,
          primaryTextColor: colour,
          logoUrl: z.string().optional(),
        }).meta({ id: 'SportStandingsRow', title: 'Team of the table' }),
      )
      .meta({ description: 'Group by group, the first of each first; of finished matches' }),
    groups: z.array(z.string()).meta({ description: 'Names of the groups in order; empty for one table' }),
    updatedAt: Timestamp,
  })
  .meta({ id: 'SportStandings', title: 'Standings', description: 'The table of the competition' })

const nonEmpty = (words: readonly string[]) => z.enum([...words] as [string, ...string[]])

/** The words that differ from sport to sport in shapes that all sports share. */
type Words = { periodTypes: readonly string[]; factTypes: readonly string[] }

function wordsOf(sport: SportKey): Words {
  const { periodType, overtime } = sportOf(sport)
  const periodTypes = [...new Set([periodType, overtime.type, 'shootout'])]
  return { periodTypes, factTypes: factTypesOf(sport) }
}

/** The words of all sports. */
function everyWord(): Words {
  const all = SPORTS.map(wordsOf)
  const together = (key: keyof Words) => [...new Set(all.flatMap((words) => words[key]))]
  return {
    periodTypes: together('periodTypes'),
    factTypes: together('factTypes'),
  }
}

/** Shapes whose words differ from sport to sport. */
function shapesOf({ periodTypes, factTypes }: Words) {
  const periodType = nonEmpty(periodTypes)
  const number = z.int().min(1).meta({ description: 'From 1' })
  const name = z.string().meta({ examples: ['2nd half'] })
  const PeriodScore = z
    .object({ number, type: periodType, name, home: z.number(), away: z.number() })
    .meta({ title: 'Score of a period' })
  const Period = z
    .object({
      number,
      type: periodType,
      name,
      endMs: z
        .number()
        .nullable()
        .meta({
          description:
            'What the clock shows when the length of the period is over; what is beyond is added time. Null without a clock',
          examples: [5_400_000],
        }),
    })
    .nullable()
    .meta({ title: 'Period', description: 'The period under way or the last one; null before the first' })
  const Score = z.object({ home: z.number(), away: z.number(), periods: z.array(PeriodScore) }).meta({ title: 'Score' })
  const Fact = z
    .object({
      id: Id,
      type: nonEmpty(factTypes),
      side: SideName.nullable().meta({ description: 'Side of the team or player that the fact names' }),
      teamId: Id.nullable(),
      playerId: Id.nullable(),
      playerName: nullableText.meta({ description: 'Last name as graphics show it' }),
      secondaryPlayerId: Id.nullable().meta({ description: 'Assist, player off, fielder' }),
      secondaryPlayerName: nullableText,
      period: z.int().min(0),
      periodType: periodType.nullable(),
      clockMs: z.number().nullable().meta({ description: 'What the clock showed' }),
      minute: z
        .int()
        .nullable()
        .meta({ description: 'Minute of play as it is printed', examples: [45] }),
      addedMinute: z
        .int()
        .nullable()
        .meta({ description: 'Minute of added time: 45+2', examples: [2] }),
      points: z.number(),
      value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
      details: z.record(z.string(), z.unknown()),
      timestamp: Timestamp,
    })
    .meta({ title: 'Fact' })
  return { Period, PeriodScore, Score, Fact }
}

function partsOf<Situation extends z.ZodType>(
  words: Words,
  sport: z.ZodType<string>,
  situation: Situation,
  statistics: z.ZodType<SportStatistics>,
) {
  const { Period, PeriodScore, Score, Fact } = shapesOf(words)
  const Match = z
    .object({
      id: Id,
      name: nullableText,
      sport,
      competitorsType: CompetitorsType,
      state: MatchState,
      date: Timestamp.meta({ description: 'Kick-off as planned' }),
      timezone: z.string().meta({ examples: ['Europe/Oslo'] }),
      round: nullableText,
      venue: Venue,
      competition: Competition,
      period: Period,
      clock: Clock,
      score: Score,
      situation,
      config: MatchConfig.meta({ description: 'How the match is played; lengths in minutes' }),
    })
    .meta({ title: 'Match', description: 'The match with what most graphics need of it' })
  return z.object({
    match: Match,
    competition: Competition,
    venue: Venue,
    teams: both(Team.nullable()).meta({ title: 'Teams', description: 'Null where a side is no team, as in tennis' }),
    competitors: z.array(Competitor).meta({ title: 'Competitors' }),
    players: z.array(Player).meta({ title: 'Players', description: 'Line-ups, rosters, and who competes alone' }),
    lineups: both(Lineup).meta({ title: 'Line-ups' }),
    facts: z.array(Fact).meta({ title: 'Facts', description: 'Everything that happened, in match order' }),
    scoringFacts: z.array(Fact).meta({
      title: 'Facts that scored',
      description: 'Those of the facts that were worth points: a goal, a try. A long match has hundreds of others',
    }),
    period: Period,
    periods: z.array(PeriodScore).meta({ title: 'Periods', description: 'Score by period' }),
    score: Score,
    clock: Clock,
    statistics,
    officials: z.array(Official).meta({ title: 'Officials' }),
    situation,
    standings: Standings,
  })
}

/**
 * `data` as graphics of one sport receive it, by part. A graphic gets the parts that its `selectedSchemas` name, all of
 * them when it has none; so none is required here, and each is whole when it is there.
 */
export const sportDataSchema = (sport: SportKey) =>
  partsOf(wordsOf(sport), z.literal(sport as string), situationSchema(sport), statisticsSchema(sport))

/** The parts as they are in any sport. */
export const anySportSchema = () => partsOf(everyWord(), SportKey, z.looseObject({}).nullable(), statisticsSchema())

/** All parts of it. */
export type SportData = z.output<ReturnType<typeof sportDataSchema>>
export type SportFact = SportData['facts'][number]
