import { z } from 'zod'
import { Timestamp } from '../../schema/fields.ts'
import type { SportKey } from '../../schema/sport.ts'

const Side = z.enum(['home', 'away'])
const count = z.int().min(0)

/** The same thing of both sides. */
const both = <T extends z.ZodType>(one: T) => z.object({ home: one, away: one })

const tennis = z
  .object({
    set: count.meta({ description: 'The set that is played, from 1' }),
    points: both(z.string()).meta({
      description: 'Points of the game as they are called: `0`, `15`, `30`, `40`, `Ad`; plain numbers in a tie-break',
      examples: [{ home: '40', away: 'Ad' }],
    }),
    games: both(count).meta({ description: 'Games won in this set' }),
    sets: both(count).meta({ description: 'Sets won' }),
    server: Side.nullable(),
    tieBreak: z.boolean().meta({ description: 'True while a tie-break is played' }),
    tieBreaks: z
      .array(z.object({ set: count, home: count, away: count }))
      .meta({ description: 'Points of each tie-break that is over' }),
  })
  .meta({ title: 'Tennis: points, games, sets' })

const volleyball = z
  .object({
    set: count.meta({ description: 'The set that is played, from 1' }),
    points: both(count).meta({ description: 'Points in this set' }),
    sets: both(count).meta({ description: 'Sets won' }),
    server: Side.nullable(),
  })
  .meta({ title: 'Volleyball: points and sets' })

const overs = z.string().meta({ description: 'Overs and balls: 75 balls are `12.3`', examples: ['12.3'] })

const cricket = z
  .object({
    innings: z
      .array(
        z.object({
          number: count,
          side: Side.nullable(),
          runs: count,
          wickets: count,
          overs,
          oversLimit: z
            .number()
            .nullable()
            .optional()
            .meta({ description: 'Overs that it may last; null without a limit' }),
        }),
      )
      .meta({ description: 'Every innings so far, in order' }),
    batting: Side.nullable(),
    runs: count,
    wickets: count,
    overs,
    balls: count.meta({ description: 'Balls bowled in this innings' }),
    oversLimit: z.number().nullable().meta({ description: 'Overs that this innings may last; null without a limit' }),
    target: z.number().nullable().meta({ description: 'Runs that win the match; null while nobody chases' }),
    superOver: both(count).optional(),
  })
  .meta({ title: 'Cricket: innings, overs, wickets' })

const baseball = z
  .object({
    inning: count,
    half: z.enum(['top', 'bottom']),
    batting: Side,
    outs: count,
    balls: count,
    strikes: count,
    bases: z
      .tuple([z.boolean(), z.boolean(), z.boolean()])
      .meta({ description: 'Whether somebody is on first, second and third base' }),
  })
  .meta({ title: 'Baseball: inning, count, bases' })

const behinds = both(
  z.object({
    goals: count,
    behinds: count,
    text: z.string().meta({ description: 'Goals, behinds and points', examples: ['12.8 (80)'] }),
  }),
).meta({ title: 'Australian rules: goals and behinds' })

const downs = z
  .object({
    possession: Side.nullable(),
    down: z.unknown().meta({ description: '`details.down` of the last `down` fact' }),
    distance: z.unknown().meta({ description: '`details.distance` of the last `down` fact' }),
    yardLine: z.unknown().meta({ description: '`details.yardLine` of the last `down` fact' }),
  })
  .partial()
  .meta({ title: 'Gridiron: down and distance' })

const teamFouls = z
  .object({ teamFouls: both(count).meta({ description: 'Fouls of each team in this period' }) })
  .meta({ title: 'Team fouls' })

const shootout = both(count)
  .extend({ kicks: both(z.array(z.boolean())).meta({ description: 'Each kick in order: whether it scored' }) })
  .meta({ title: 'Shoot-out', description: 'There once it has begun; it counts apart from the score' })

const running = {
  running: z.boolean(),
  endsAt: Timestamp.optional().meta({
    description:
      'While it runs: when it is over, by the time of the server. One that is past has run out since the last fact',
  }),
  remainingMs: z.number().min(0).optional().meta({ description: 'While it stands: what is left on it' }),
}
const SideClock = z.object(running).nullable().meta({
  id: 'SideClock',
  title: 'Clock beside the match clock',
  description: '`endsAt` while it runs, else `remainingMs`',
})

const timeouts = z.object({
  timeoutsLeft: both(count)
    .optional()
    .meta({ description: 'Time-outs that each side has left in this part of the match' }),
})
const penalties = z.object({
  penalties: z
    .array(
      z.object({
        side: Side,
        playerId: z.int().nullable(),
        factId: z.int(),
        type: z.string().meta({ examples: ['penalty'] }),
        minutes: z.number().meta({ description: 'How long it is in all' }),
        ...running,
      }),
    )
    .optional()
    .meta({ description: 'Who is suspended, the first of them first: penalties, sin bins, exclusions' }),
})
const powerPlays = penalties.extend({
  powerPlay: z
    .object({ side: Side, advantage: count.meta({ description: 'How many players more' }), ...running })
    .nullable()
    .optional()
    .meta({
      description: 'The side that plays with more, until the first of the others is back; null while none does',
    }),
})
const shotClock = { shotClock: SideClock.optional() }

/** The clocks beside that of the match, each of the sports that have it. */
export const SIDE_CLOCKS = {
  ...powerPlays.shape,
  ...timeouts.shape,
  ...shotClock,
  playClock: SideClock.optional(),
}

const SITUATIONS: Readonly<Partial<Record<SportKey, z.ZodObject>>> = {
  tennis,
  volleyball: volleyball.extend(timeouts.shape),
  cricket,
  baseball,
  ausRules: behinds,
  gridiron: downs.extend({ ...timeouts.shape, playClock: SideClock.optional() }),
  basketball: teamFouls.extend({ ...timeouts.shape, ...shotClock }),
  futsal: teamFouls.extend({ ...powerPlays.shape, ...timeouts.shape }),
  iceHockey: powerPlays.extend(timeouts.shape),
  handBall: powerPlays.extend(timeouts.shape),
  waterPolo: powerPlays.extend({ ...timeouts.shape, ...shotClock }),
  lacrosse: powerPlays.extend(timeouts.shape),
  fieldHockey: penalties,
  rugbyUnion: penalties,
  rugbySevens: penalties,
  rugbyLeague: penalties,
  touchFootball: penalties,
  netball: penalties,
}

/** The part of the state that only this sport has at any moment of play; null before the match, and where there is nothing. */
export const situationSchema = (sport: SportKey) =>
  (SITUATIONS[sport] ?? z.object({})).extend({ shootout: shootout.optional() }).nullable().meta({
    title: 'Situation',
    description:
      'What only this sport has: points of a game, overs, bases, downs, a shoot-out. Null when there is nothing.',
  })
