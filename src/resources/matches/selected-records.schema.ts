import { z } from 'zod'
import type { SportKey } from '../../schema/sport.ts'
import { ShownBrand } from '../brands/schema.ts'
import { anySportSchema, sportDataSchema } from './sport-data.schema.ts'

const Named = z.object({ name: z.string() })

/** Members of `data.selected` by type of variable that names a record of the match; of one sport, else of any. live-path 13 */
export function selectedSchemas(sport?: SportKey) {
  const { match, teams, competitors, players, facts, periods } = (
    sport === undefined ? anySportSchema() : sportDataSchema(sport)
  ).shape
  const Statistic = z.object({
    name: z.string(),
    home: z.number(),
    away: z.number(),
    players: z
      .array(
        z.object({
          playerId: z.int32(),
          playerName: z.string().nullable(),
          side: z.enum(['home', 'away']).nullable(),
          value: z.number(),
        }),
      )
      .meta({ description: 'Who has any, most first' }),
  })
  return {
    match,
    team: z.union([teams.shape.home.unwrap(), competitors.element]),
    player: players.element,
    fact: facts.element,
    period: periods.element,
    set: periods.element,
    round: Named,
    court: Named,
    stat: Statistic,
    teamStat: Statistic,
    ad: ShownBrand,
  } satisfies Readonly<Record<string, z.ZodType>>
}
