import type { z } from 'zod'
import { recordOf } from '../../../machines/match-record.ts'
import type { Context, ReadContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { ownRecords } from '../ownership.ts'
import { askMatch } from './ask-match.ts'
import { competitorsAfter, ownCompetitors, sidesAsked, teamsIn } from './competitors.ts'
import { deskLinks } from './desk-link.queries.ts'
import type { MatchRow } from './match-row.ts'
import { getMatchRow, matchOf, teamsOf, v1Of } from './queries.ts'
import type { MatchV1, MatchV2 } from './schema.ts'
import { checkOfficials, configOf, ownNamed, settingsOf } from './settings.ts'
import type { MatchUpdate } from './write.schema.ts'

type V2 = z.output<typeof MatchV2>

/** Changes a match, all or nothing. Answers as `getMatchV2`. */
export async function updateMatchV2(ctx: Context, matchId: number, asked: MatchUpdate) {
  return update(ctx, matchId, asked, async () => (match) => match)
}

/** As `updateMatchV2`, in the shape of v1. */
export async function updateMatchV1(
  ctx: Context,
  matchId: number,
  asked: MatchUpdate,
): Promise<z.output<typeof MatchV1>> {
  return update(ctx, matchId, asked, async (sides) => {
    const teams = await teamsOf(ctx, [sides])
    return (match) => v1Of(match, teams)
  })
}

/** Reads the records that the answer shows beside the match, once its competitors are known. */
type Shape<T> = (sides: Pick<V2, 'homeTeamId' | 'awayTeamId'>) => Promise<(match: V2) => T>

async function update<T extends object>(
  ctx: Context,
  matchId: number,
  asked: MatchUpdate,
  shape: Shape<T>,
): Promise<T> {
  const { sql } = ctx.db
  const row = await getMatchRow(ctx, matchId)
  await ownNamed(ctx, sql, asked)
  const sides = sidesAsked(asked)
  if (sides) await ownCompetitors(ctx, sql, sides)
  if (asked.competitionId !== undefined && asked.competitionId !== row.competitionId) {
    await ownRecords(ctx, sql, 'competition', [asked.competitionId])
    throw invalid({ 'body.competitionId': { message: 'a match stays in its competition', value: asked.competitionId } })
  }
  checkOfficials(asked)
  const known = await teamsIn(sql, row.competitionId, sides ?? [])
  const venueName = await venueNameOf(ctx, asked.venueId, row)
  const desk = await deskLinks(ctx, [matchId])
  const at = serviceMoment()
  let shown: (match: V2) => T
  let updatedAt = row.updatedAt
  return askMatch(ctx, matchId, {
    asked: { type: 'update', ...asked },
    async decide(match) {
      const competitors = sides && competitorsAfter(match.competitors, asked, sides, known)
      shown = await shape(matchOf({ ...row, ...recordOf({ ...match, competitors: competitors ?? match.competitors }) }))
      const settings = settingsOf(asked)
      const changes = {
        ...(Object.keys(settings).length > 0 && { settings }),
        ...(asked.config && { config: configOf(asked) }),
        ...(competitors && { competitors }),
        ...(asked.state !== undefined && { state: asked.state }),
        ...(asked.score !== undefined && { score: asked.score }),
      }
      // a request that names nothing commits nothing, so the row keeps its time
      updatedAt = Object.keys(changes).length > 0 ? at : row.updatedAt
      return { type: 'update', at, ...changes }
    },
    // a side that was named alone is refused by its own name
    pathOf: (path) => (path === 'competitors' && sides?.[0] && !asked.competitors ? sides[0].path.slice(5) : path),
    reply: (match) => ({
      ...shown(matchOf({ ...row, ...recordOf(match), venueName, updatedAt })),
      ...desk(matchId),
    }),
  })
}

async function venueNameOf(ctx: ReadContext, venueId: number | null | undefined, row: MatchRow) {
  if (venueId === undefined) return row.venueName
  const [venue] = await ctx.db.sql<{ name: string }[]>`select name from venue where id = ${venueId}`
  return venue?.name ?? null
}
