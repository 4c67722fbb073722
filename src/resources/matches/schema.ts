import { z } from 'zod'
import { Count, Id, Moment, Timestamp } from '../../schema/fields.ts'
import { paged, paging } from '../../schema/paging.ts'
import { Provider, providerFilters, withProviderFilters } from '../../schema/provider.ts'
import { SportKey } from '../../schema/sport.ts'
import { Competition } from '../competitions/schema.ts'
import { Overlay } from '../overlays/schema.ts'
import { StreamSettings } from '../streams/schema.ts'
import { Team } from '../teams/schema.ts'
import { Fact, PeriodType } from './facts.schema.ts'
import { TeamLineup } from './lineup.schema.ts'
import { SIDE_CLOCKS } from './sport-situation.schema.ts'

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

/** The clock at `asOf`; while it runs it goes on by itself. */
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
  streams: z.array(StreamSettings).optional().meta({ description: 'With include=s and streams:read' }),
  facts: z.array(Fact).optional().meta({ description: 'With include=f' }),
  lineups: z.array(TeamLineup).optional().meta({ description: 'With include=l' }),
  players: z
    .array(
      z
        .object({ id: Id, teamId: Id.nullable(), firstName: z.string(), lastName: z.string() })
        .meta({ id: 'MatchPlayer' }),
    )
    .optional()
    .meta({ description: 'With include=p: who competes, and the rosters of the teams' }),
}

/** State that only this sport has: points and games of a set, overs and wickets, outs and bases, kicks of a shoot-out, clocks beside that of the match. */
export const Situation = z.looseObject(SIDE_CLOCKS).nullable().meta({
  id: 'MatchSituation',
  description:
    'Members by sport: see `situation` in GET /v2/schemas/sports/{sport}. Null where there is nothing to tell. Clocks are as of the last fact',
})

/** The score of one period. */
export const PeriodScore = z
  .object({ number: z.int32(), type: PeriodType, name: z.string(), home: z.number(), away: z.number() })
  .meta({ id: 'PeriodScore' })

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
  period: z.object({ number: z.int32(), type: PeriodType, name: z.string() }).meta({ id: 'MatchPeriod' }).nullable(),
  clock: MatchClock,
  score: z.object({ home: z.number(), away: z.number(), periods: z.array(PeriodScore) }).meta({ id: 'MatchScore' }),
  situation: Situation,
  config: MatchConfig,
  pregameAutomationTime: Count.nullable().meta({ description: 'Minutes before the date' }),
  postgameAutomationTime: Count.nullable().meta({ description: 'Minutes after the end' }),
  officials: z.array(z.object({ id: Id, role: z.string() }).meta({ id: 'MatchOfficial' })),
  dataProvider: Provider.optional(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deskUrl: z.string().nullable().optional().meta({
    description:
      'With matches:write: the page of whoever is at the pitch; null while the database takes no writes to make it',
  }),
  deskOpenedAt: Timestamp.nullable()
    .optional()
    .meta({ description: 'With matches:write: when a telephone first opened `deskUrl`; null while none has' }),
  ...included,
})

/** Names the two teams. */
export const MatchV1 = MatchBase.extend({
  homeTeam: Team.nullable(),
  awayTeam: Team.nullable(),
}).meta({ id: 'Match' })

/** Lists all competitors. */
export const MatchV2 = MatchBase.extend({
  competitors: z.array(MatchCompetitor),
  teams: z.array(Team).optional().meta({ description: 'With include=t' }),
}).meta({ id: 'MatchV2' })

export const MatchV1List = paged('matches', MatchV1).meta({ id: 'MatchList' })
export const MatchV2List = paged('matches', MatchV2).meta({ id: 'MatchV2List' })

const include = z
  .string()
  .regex(/^[tocvsflp](,[tocvsflp])*$/, { error: 'knows t, o, c, v, s, f, l and p' })
  .optional()
  .meta({
    description:
      'Comma-separated: t teams, o overlays, c competition, v venue, s streams, f facts, l line-ups, p players',
  })

export const MatchParams = z.object({ matchId: Id }).meta({ id: 'MatchParams' })
export const MatchInclude = z.object({ include }).meta({ id: 'MatchInclude' })
export const MatchFilter = withProviderFilters(
  z.object({
    competitionId: Id.optional(),
    teamId: Id.optional(),
    state: MatchState.optional(),
    dateFrom: Moment.optional(),
    dateTo: Moment.optional(),
    include,
    ...providerFilters,
    ...paging,
  }),
).meta({ id: 'MatchFilter' })

/** Of the pages of a match; there is one. show-control: Match desk */
export const MatchLinkRotation = z
  .object({ links: z.array(z.literal('desk')).length(1) })
  .meta({ id: 'MatchLinkRotation' })
