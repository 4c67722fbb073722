import { z } from 'zod'
import { MOST_MATCHES } from '../../schema/batch-sizes.ts'
import { alsoWhenInvalid, Count, Id, Moment, Timezone, text } from '../../schema/fields.ts'
import { CompetitorsType, MatchConfig, MatchState, MatchV2 } from './schema.ts'

const Competitor = z
  .object({
    entityType: z.enum(['team', 'player']),
    entityId: Id,
    teamId: Id.optional().meta({ description: 'The team that a player plays for' }),
    isHome: z.boolean().optional(),
  })
  .meta({ id: 'MatchCompetitorCreation' })

/** Fields that a request may set on a match; unknown keys such as `matchTier` are ignored. */
const given = {
  date: Moment.optional(),
  timezone: Timezone.optional(),
  name: text(1, 255).nullable().optional(),
  round: text(1, 255).nullable().optional(),
  venueId: Id.nullable().optional(),
  competitorsType: CompetitorsType.optional(),
  homeTeamId: Id.optional(),
  awayTeamId: Id.optional(),
  competitors: z.array(Competitor).min(1).max(100).optional(),
  officials: z
    .array(z.object({ id: Id, role: text(1, 64) }).meta({ id: 'MatchOfficialCreation' }))
    .max(20)
    .optional(),
  config: MatchConfig.partial().meta({ id: 'MatchConfigCreation' }).optional(),
  pregameAutomationTime: Count.nullable().optional(),
  postgameAutomationTime: Count.nullable().optional(),
}

type Sides = Partial<Record<'homeTeamId' | 'awayTeamId' | 'competitors', unknown>>

// also asked about a list that is none, which its own type refuses
function agree({ homeTeamId, awayTeamId, competitors }: Sides): boolean {
  const listed: unknown[] = Array.isArray(competitors) ? competitors : []
  const teams = listed.flatMap((one, index) => {
    const { success, data } = Competitor.safeParse(one)
    return success && data.entityType === 'team' ? [{ id: data.entityId, isHome: data.isHome ?? index === 0 }] : []
  })
  const isFirst = (teamId: unknown, isHome: boolean) =>
    teamId === undefined || teams.find((team) => team.isHome === isHome)?.id === teamId
  return isFirst(homeTeamId, true) && isFirst(awayTeamId, false)
}

const OTHERWISE = 'names other teams than homeTeamId and awayTeamId'

/** Competitors by name of side, or as a list, or both when they agree. domain 5.3 */
export const MatchCreation = z
  .object({ ...given, competitionId: Id, date: Moment })
  .refine(({ homeTeamId, awayTeamId }) => (homeTeamId === undefined) === (awayTeamId === undefined), {
    path: ['awayTeamId'],
    error: 'homeTeamId and awayTeamId go together',
    ...alsoWhenInvalid,
  })
  .refine(({ homeTeamId, competitors }) => homeTeamId !== undefined || competitors !== undefined, {
    path: ['competitors'],
    error: 'either homeTeamId and awayTeamId or competitors',
    ...alsoWhenInvalid,
  })
  .refine((asked) => asked.competitors === undefined || agree(asked), {
    path: ['competitors'],
    error: OTHERWISE,
    ...alsoWhenInvalid,
  })
  .meta({ id: 'MatchCreation' })
export type MatchCreation = z.output<typeof MatchCreation>

/** Matches that are made together: all of them or none. */
export const MatchBatch = z
  .object({ matches: z.array(MatchCreation).min(1).max(MOST_MATCHES) })
  .meta({ id: 'MatchBatch' })
export const MatchBatchResult = z.object({ matches: z.array(MatchV2) }).meta({ id: 'MatchBatchResult' })

const Points = z.int32().min(0).max(9999)

/** Fields left out keep their value. Configuration and competitors are locked once the match has started. domain 5.3 */
export const MatchUpdate = z
  .object({
    ...given,
    competitionId: Id.optional().meta({ description: 'Must be that of the match' }),
    state: MatchState.optional().meta({ description: 'Said by hand: holds until facts or another word change it' }),
    score: z
      .object({ home: Points, away: Points })
      .meta({ id: 'MatchScoreOverride' })
      .nullable()
      .optional()
      .meta({ description: 'Said by hand, over what the facts add up to; null takes it back' }),
  })
  .refine((asked) => asked.competitors === undefined || agree(asked), {
    path: ['competitors'],
    error: OTHERWISE,
    ...alsoWhenInvalid,
  })
  .meta({ id: 'MatchUpdate' })
export type MatchUpdate = z.output<typeof MatchUpdate>
