import { z } from 'zod'
import { Id } from '../../schema/fields.ts'
import { Fact } from './facts.schema.ts'
import { MatchState, PeriodScore, Situation } from './schema.ts'
import { cards } from './statistics.schema.ts'

const Statistics = z.record(z.string(), z.number())

/** How a match stands, in one answer. domain 5.3 */
export const MatchSummary = z
  .object({
    matchId: Id,
    state: MatchState,
    score: z.object({ home: z.number(), away: z.number() }).meta({ id: 'SummaryScore' }),
    periods: z.array(PeriodScore),
    situation: Situation,
    facts: z.array(Fact),
    playerStats: z.array(
      z.object({ playerId: Id, teamId: Id.nullable(), values: Statistics }).meta({ id: 'PlayerStats' }),
    ),
    ...cards,
    teamStats: z.object({ home: Statistics, away: Statistics }).meta({ id: 'TeamStats' }),
  })
  .meta({ id: 'MatchSummary' })
