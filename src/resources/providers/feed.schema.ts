import { z } from 'zod'
import { Abbreviation, GfxFullName, GfxName, Moment, Name, Timezone, text } from '../../schema/fields.ts'
import { Age, Gender, SportKey } from '../../schema/sport.ts'
import { CompetitorsType, MatchConfig } from '../matches/schema.ts'
import { OfficialRole } from '../officials/schema.ts'
import { TeamStaffMember } from '../teams/schema.ts'
import { VenueCreation } from '../venues/schema.ts'

/** The id of a record at the provider; without commas, since the filters list ids with commas. */
const ProviderId = z
  .string()
  .regex(/^[^\s,]([^,]{0,253}[^\s,])?$/, { error: '1 to 255 characters, no comma, no space at the ends' })
  .meta({ description: 'The id of the record at the provider; unique among records of its kind' })

const Colour = text(0, 64)
const PersonName = text(1, 35)
const GradeName = z.string().meta({ description: 'A name that GET /v1/competitions/grades lists' })

export const FeedCompetition = z.strictObject({
  id: ProviderId,
  name: Name,
  gfxName: GfxName.optional(),
  sport: SportKey,
  age: Age.default('Unknown'),
  gender: Gender.default('Unknown'),
  grade: GradeName.optional(),
})

export const FeedVenue = z.strictObject({ id: ProviderId, ...VenueCreation.shape })

const FeedRosterEntry = z.strictObject({
  playerId: ProviderId,
  number: text(0, 3).optional(),
  position: text(1, 255).optional(),
  positionType: text(1, 255).optional(),
})

export const FeedTeam = z.strictObject({
  id: ProviderId,
  name: Name,
  gfxName: GfxName.optional(),
  gfxFullName: GfxFullName.optional(),
  abbreviation: Abbreviation.optional(),
  sport: SportKey,
  age: Age.default('Unknown'),
  gender: Gender.default('Unknown'),
  grade: GradeName.optional(),
  venueId: ProviderId.optional().meta({ description: 'The default venue' }),
  primaryBackgroundColor: Colour.default('#000000'),
  primaryTextColor: Colour.default('#ffffff'),
  secondaryBackgroundColor: Colour.optional(),
  secondaryTextColor: Colour.optional(),
  staff: z.array(TeamStaffMember).max(100).default([]),
  competitionIds: z.array(ProviderId).optional().meta({
    description: 'Every competition of this provider that the team plays in; left out, they stay as they are',
  }),
  roster: z
    .array(FeedRosterEntry)
    .max(500)
    .optional()
    .meta({ description: 'Every player of this provider on the roster; left out, the roster stays as it is' }),
})

export const FeedPlayer = z.strictObject({
  id: ProviderId,
  firstName: PersonName,
  lastName: PersonName,
  photoUrl: z.url({ protocol: /^https?$/ }).optional(),
})

export const FeedOfficial = z.strictObject({
  id: ProviderId,
  firstName: PersonName,
  lastName: PersonName,
  role: OfficialRole.optional(),
  gfxName: text(1, 35).optional(),
})

const FeedLineup = z.strictObject({
  teamId: ProviderId,
  formation: text(1, 32).optional(),
  players: z
    .array(
      z.strictObject({
        playerId: ProviderId,
        number: text(0, 3).optional(),
        position: text(1, 255).optional(),
        starting: z.boolean(),
        captain: z.boolean().default(false),
      }),
    )
    .max(200),
})

export const FeedFact = z.strictObject({
  id: ProviderId,
  type: text(1, 64).meta({ description: 'A fact type of the sport, structural ones included' }),
  teamId: ProviderId.optional(),
  playerId: ProviderId.optional(),
  secondaryPlayerId: ProviderId.optional().meta({ description: 'Assist, player off, fielder' }),
  period: z.int32().min(0).max(999).optional(),
  clockMs: z.int32().min(0).optional().meta({ description: 'What the match clock showed, in milliseconds' }),
  minute: z.int32().min(0).optional(),
  addedMinute: z.int32().min(0).optional(),
  points: z.int32().min(0).max(9999).optional(),
  value: z.union([text(0, 255), z.number(), z.boolean()]).optional(),
  details: z.record(text(1, 64), z.json()).optional(),
  timestamp: Moment.meta({ description: 'When it happened; facts count in this order' }),
})

const Values = z
  .record(text(1, 64), z.number().min(-1e9).max(1e9))
  .meta({ description: 'By name of the statistic; one that facts of the match count is left out' })
const FeedStatistics = z.strictObject({
  teams: z
    .array(z.strictObject({ teamId: ProviderId, values: Values }))
    .max(100)
    .default([]),
  players: z
    .array(z.strictObject({ playerId: ProviderId, values: Values }))
    .max(500)
    .default([]),
})

export const FeedMatch = z.strictObject({
  id: ProviderId,
  competitionId: ProviderId,
  date: Moment,
  timezone: Timezone.default('UTC'),
  name: text(1, 255).optional(),
  round: text(1, 255).optional(),
  venueId: ProviderId.optional(),
  competitorsType: CompetitorsType.default('teams'),
  competitors: z
    .array(z.strictObject({ entityType: z.enum(['team', 'player']), id: ProviderId, isHome: z.boolean().optional() }))
    .min(1)
    .max(100)
    .meta({ description: 'The home side first unless isHome says otherwise' }),
  officials: z
    .array(z.strictObject({ id: ProviderId, role: text(1, 64) }))
    .max(20)
    .default([]),
  config: MatchConfig.partial().optional(),
  state: z
    .enum(['scheduled', 'delayed', 'postponed', 'suspended', 'abandoned', 'cancelled'])
    .optional()
    .meta({ description: 'Where the facts do not say it' }),
  score: z
    .strictObject({ home: z.int32().min(0).max(9999), away: z.int32().min(0).max(9999) })
    .optional()
    .meta({ description: 'Where the facts do not add up to it' }),
  lineups: z
    .array(FeedLineup)
    .max(100)
    .optional()
    .meta({ description: 'The line-up of each team listed; of other teams it stays as it is' }),
  statistics: FeedStatistics.optional().meta({
    description: 'Values of teams and players that no facts count; of those not listed they stay as they are',
  }),
  facts: z
    .array(FeedFact)
    .max(10_000)
    .optional()
    .meta({ description: 'Every fact of this provider about the match; left out, they stay as they are' }),
})

/** The lists of a feed, in the order in which they refer to each other. */
export const feedLists = {
  competitions: FeedCompetition,
  venues: FeedVenue,
  players: FeedPlayer,
  teams: FeedTeam,
  officials: FeedOfficial,
  matches: FeedMatch,
}
export type FeedKind = keyof typeof feedLists

const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(50_000).default([])

/** One page of the feed of a `custom` provider: JSON in UTF-8. A list may leave out records that have not changed. */
export const FeedPage = z
  .strictObject({
    version: z.literal(1),
    next: z
      .string()
      .min(1)
      .max(2_048)
      .optional()
      .meta({ description: 'URL of the next page, absolute or relative to this one, on the same origin' }),
    competitions: list(FeedCompetition),
    venues: list(FeedVenue),
    players: list(FeedPlayer),
    teams: list(FeedTeam),
    officials: list(FeedOfficial),
    matches: list(FeedMatch),
  })
  .meta({ title: 'Tally provider feed', description: 'One page of the feed of a custom data provider' })

/** All pages of a feed together. */
export type Feed = { [Kind in FeedKind]: z.output<(typeof feedLists)[Kind]>[] }

let schema: Record<string, unknown> | undefined

/** The JSON Schema (2020-12) of one page, with members that a default fills in left optional. */
export function feedJsonSchema(): Record<string, unknown> {
  schema ??= z.toJSONSchema(FeedPage, { target: 'draft-2020-12', io: 'input' })
  return schema
}
