import { z } from 'zod'
import { Id, Moment, Timestamp } from '../../schema/fields.ts'
import { SportKey } from '../../schema/sport.ts'
import { RosterPlayer } from '../teams/roster.schema.ts'
import { Fact } from './facts.schema.ts'
import { TeamLineup } from './lineup.schema.ts'
import { CompetitorsType, MatchConfig, MatchState, MatchV2 } from './schema.ts'

const Score = z.object({ home: z.number(), away: z.number() }).meta({ id: 'DeskScore' })

const DeskTeam = z
  .object({
    id: Id,
    name: z.string(),
    shortName: z.string(),
    color: z.string().nullable(),
    textColor: z.string().nullable(),
    roster: z.array(RosterPlayer),
    lineup: TeamLineup.extend({
      isSet: z.boolean().meta({ description: 'False: the starters and bench of the roster' }),
    })
      .nullable()
      .meta({ id: 'DeskLineup' }),
  })
  .meta({ id: 'DeskTeam' })

/** All that the page at the pitch works with: what the state of play is folded from, and who plays. show-control: Match desk */
export const Desk = z
  .object({
    match: z
      .object({
        ...MatchV2.pick({
          id: true,
          sport: true,
          name: true,
          date: true,
          timezone: true,
          round: true,
          state: true,
          period: true,
          clock: true,
          score: true,
          situation: true,
          createdAt: true,
        }).shape,
        competition: z.string(),
        venue: z.string().nullable(),
        competitorsType: CompetitorsType,
        competitors: z.array(
          z.object({
            entityType: z.enum(['team', 'player']),
            teamId: Id.nullable(),
            playerId: Id.nullable(),
            isHome: z.boolean(),
          }),
        ),
        config: MatchConfig.partial().meta({
          id: 'DeskConfig',
          description: 'What was set over the defaults of the sport',
        }),
        declared: MatchState.nullable().meta({ description: 'The state that was said by hand' }),
        declaredAt: Timestamp.nullable(),
        scoreOverride: Score.nullable().meta({ description: 'The score that was said by hand' }),
      })
      .meta({ id: 'DeskMatch' }),
    facts: z.array(Fact).meta({ description: 'In match order; with `since` those that changed since' }),
    factIds: z.array(Id).meta({ description: 'Of all facts, in match order' }),
    teams: z.array(DeskTeam).meta({ description: 'The home team first' }),
    players: z
      .array(z.object({ id: Id, firstName: z.string(), lastName: z.string() }))
      .meta({ description: 'Who competes without a team' }),
    serverTime: Timestamp,
  })
  .meta({ id: 'Desk' })

export const DeskQuery = z
  .object({ since: Moment.optional().meta({ description: 'Only facts that were changed since, and the ids of all' }) })
  .meta({ id: 'DeskQuery' })

export const DeskFactParams = z.object({ factId: Id }).meta({ id: 'DeskFactParams' })
export const DeskTeamParams = z.object({ teamId: Id }).meta({ id: 'DeskTeamParams' })

const Points = z.int32().min(0).max(9999)

/** What the desk may say of a match by hand: never its settings. */
export const DeskUpdate = z
  .object({
    state: MatchState.optional(),
    score: z.object({ home: Points, away: Points }).nullable().optional(),
  })
  .meta({ id: 'DeskUpdate' })

export const DeskAnswer = z
  .object({ state: MatchState, score: Score, sport: SportKey })
  .meta({ id: 'DeskAnswer', description: 'How the match stands after it' })
