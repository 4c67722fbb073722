import { z } from 'zod'
import { alsoWhenInvalid, Count, Id, Moment, Timestamp, Timezone, text } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'
import { SportKey } from '../../schema/sport.ts'
import { Competition } from '../competitions/schema.ts'
import { Overlay } from '../overlays/schema.ts'
import { Team } from '../teams/schema.ts'

/** How the match is played: minutes for lengths, players for sizes. Left out takes the default of the sport. */
export const MatchConfig = z
  .object({
    periodCount: z.int32().min(1).max(99),
    periodLength: z.int32().min(0).max(600),
    breakLength: z.int32().min(0).max(600),
    extraTime: z.boolean(),
    goldenGoal: z.boolean(),
    shootout: z.boolean(),
    useClock: z.boolean(),
    clockDirection: z.enum(['up', 'down']),
    cumulative: z.boolean(),
    injuryTime: z.boolean(),
    endBehaviour: z.enum(['stopAtLength', 'tickUntilEnd']),
    statCoverage: z.enum(['minimum', 'standard']),
    startingSize: z.int32().min(1).max(99),
    benchSize: z.int32().min(0).max(99),
  })
  .meta({ id: 'MatchConfig' })

export const CompetitorsType = z.enum(['singles', 'doubles', 'teams', 'group']).meta({ id: 'CompetitorsType' })

export const MatchState = z
  .enum(['scheduled', 'live', 'break', 'finished', 'delayed', 'postponed', 'suspended', 'abandoned', 'cancelled'])
  .meta({ id: 'MatchState' })

/** What it holds at `asOf`; while it runs it goes on by itself. */
const MatchClock = z
  .object({
    running: z.boolean(),
    valueMs: z.number().min(0),
    asOf: Timestamp,
    direction: z.enum(['up', 'down']),
  })
  .meta({ id: 'MatchClock' })

const MatchCompetitor = z
  .object({
    entityType: z.enum(['team', 'player']),
    entityId: Id,
    teamId: Id.optional(),
    playerId: Id.optional(),
    order: z.int32(),
    isHome: z.boolean(),
    score: z.number(),
  })
  .meta({ id: 'MatchCompetitor' })

const included = {
  competition: Competition.optional(),
  venue: z.object({ id: Id, name: z.string() }).meta({ id: 'MatchVenue' }).nullable().optional(),
  overlays: z.array(Overlay).optional().meta({ description: 'With include=o and overlays:read' }),
}

const MatchBase = z.object({
  id: Id,
  competitionId: Id,
  sport: SportKey,
  name: z.string().nullable(),
  competitorsType: CompetitorsType,
  homeTeamId: Id.nullable(),
  awayTeamId: Id.nullable(),
  date: Timestamp,
  timezone: z.string(),
  venueId: Id.nullable(),
  round: z.string().nullable(),
  state: MatchState,
  period: z.object({ number: z.int32(), type: z.string(), name: z.string() }).meta({ id: 'MatchPeriod' }).nullable(),
  clock: MatchClock,
  score: z.object({ home: z.number(), away: z.number(), periods: z.array(z.unknown()) }).meta({ id: 'MatchScore' }),
  config: MatchConfig,
  pregameAutomationTime: Count.nullable().meta({ description: 'Minutes before the date' }),
  postgameAutomationTime: Count.nullable().meta({ description: 'Minutes after the end' }),
  officials: z.array(z.object({ id: Id, role: z.string() }).meta({ id: 'MatchOfficial' })),
  dataProvider: Provider.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  ...included,
})

/** Names the two teams. */
export const MatchV1 = MatchBase.extend({
  homeTeam: Team.nullable(),
  awayTeam: Team.nullable(),
}).meta({ id: 'Match' })

/** Lists whoever competes. */
export const MatchV2 = MatchBase.extend({
  competitors: z.array(MatchCompetitor),
  teams: z.array(Team).optional().meta({ description: 'With include=t' }),
}).meta({ id: 'MatchV2' })

export const MatchV1List = paged('matches', MatchV1).meta({ id: 'MatchList' })
export const MatchV2List = paged('matches', MatchV2).meta({ id: 'MatchV2List' })

const include = z
  .string()
  .regex(/^[tocv](,[tocv])*$/, { error: 'knows t (teams), o (overlays), c (competition) and v (venue)' })
  .optional()
  .meta({ description: 'Comma-separated: t teams, o overlays, c competition, v venue' })

export const MatchParams = z.object({ matchId: Id }).meta({ id: 'MatchParams' })
export const MatchInclude = z.object({ include }).meta({ id: 'MatchInclude' })
export const MatchFilter = withProviderFilters(
  z.object({
    competitionId: Id.optional(),
    teamId: Id.optional(),
    dateFrom: Moment.optional(),
    dateTo: Moment.optional(),
    include,
    ...providerFilters,
    ...paging,
  }),
).meta({ id: 'MatchFilter' })

/** Competitors by name of side, or as a list; unknown keys such as `matchTier` are ignored. */
export const MatchCreation = z
  .object({
    competitionId: Id,
    date: Moment,
    timezone: Timezone.optional(),
    name: text(1, 255).nullable().optional(),
    round: text(1, 255).nullable().optional(),
    venueId: Id.nullable().optional(),
    competitorsType: CompetitorsType.optional(),
    homeTeamId: Id.optional(),
    awayTeamId: Id.optional(),
    competitors: z
      .array(
        z
          .object({ entityType: z.enum(['team', 'player']), entityId: Id, isHome: z.boolean().optional() })
          .meta({ id: 'MatchCompetitorCreation' }),
      )
      .min(1)
      .max(100)
      .optional(),
    officials: z
      .array(z.object({ id: Id, role: text(1, 64) }).meta({ id: 'MatchOfficialCreation' }))
      .max(20)
      .optional(),
    config: MatchConfig.partial().meta({ id: 'MatchConfigCreation' }).optional(),
    pregameAutomationTime: Count.nullable().optional(),
    postgameAutomationTime: Count.nullable().optional(),
  })
  .refine(({ homeTeamId, awayTeamId }) => (homeTeamId === undefined) === (awayTeamId === undefined), {
    path: ['awayTeamId'],
    error: 'homeTeamId and awayTeamId go together',
    ...alsoWhenInvalid,
  })
  .refine(({ homeTeamId, competitors }) => (homeTeamId === undefined) !== (competitors === undefined), {
    path: ['competitors'],
    error: 'either homeTeamId and awayTeamId or competitors',
    ...alsoWhenInvalid,
  })
  .meta({ id: 'MatchCreation' })
