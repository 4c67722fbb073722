import type { ISql } from 'postgres'
import type { Competitor } from '../../../machines/match-model.ts'
import type { ReadContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import type { MatchCreation, MatchUpdate } from './write.schema.ts'

type Asked = Pick<MatchCreation | MatchUpdate, 'homeTeamId' | 'awayTeamId' | 'competitors' | 'competitorsType'>
/** A competitor that a request names, and where. */
export type Side = Competitor & { path: string }

/** The competitors by this request; undefined when it does not name any. */
export function sidesAsked(asked: Asked): Side[] | undefined {
  const { competitors, homeTeamId, awayTeamId } = asked
  if (competitors) {
    // of a doubles match the first half are the two at home
    const home = asked.competitorsType === 'doubles' ? Math.ceil(competitors.length / 2) : 1
    return competitors.map(({ entityType, entityId, teamId, isHome }, index) => ({
      path: `body.competitors[${index}]`,
      entityType,
      teamId: entityType === 'team' ? entityId : (teamId ?? null),
      playerId: entityType === 'player' ? entityId : null,
      isHome: isHome ?? index < home,
    }))
  }
  const sides = [
    ...(homeTeamId === undefined ? [] : [team('body.homeTeamId', homeTeamId, true)]),
    ...(awayTeamId === undefined ? [] : [team('body.awayTeamId', awayTeamId, false)]),
  ]
  return sides.length > 0 ? sides : undefined
}

const team = (path: string, teamId: number, isHome: boolean): Side => ({
  path,
  entityType: 'team',
  teamId,
  playerId: null,
  isHome,
})

/** The named teams and players must be there (404) and the caller's own (403). */
export async function ownCompetitors(ctx: ReadContext, sql: ISql, sides: readonly Side[]) {
  const ids = (name: 'teamId' | 'playerId') => sides.map((side) => side[name]).filter((id) => id !== null)
  await ownRecords(ctx, sql, 'team', ids('teamId'))
  await ownRecords(ctx, sql, 'player', ids('playerId'))
}

/** Which of these teams the competition has; none of them leaves it before the transaction is over. */
export async function teamsIn(sql: ISql, competitionId: number, sides: readonly Side[]): Promise<ReadonlySet<number>> {
  const ids = sides.map(({ teamId }) => teamId).filter((id) => id !== null)
  const assigned = await sql<{ id: number }[]>`
    select team_id as id from competition_team where competition_id = ${competitionId} and team_id = any(${ids})
    for share`
  return new Set(assigned.map(({ id }) => id))
}

/**
 * The competitors after a request: its list, or those of now with the first team of a side replaced. Throws invalid when a team
 * or player competes twice or a named team is not of the competition (`known`).
 */
export function competitorsAfter(
  now: readonly Competitor[],
  asked: Asked,
  sides: readonly Side[],
  known: ReadonlySet<number>,
): Competitor[] {
  const after = asked.competitors ? sides : replaced(now, sides)
  const details: FieldErrors = {}
  for (const [index, side] of after.entries()) {
    if (!('path' in side)) continue
    const key = asked.competitors ? `${side.path}.entityId` : side.path
    const value = side.entityType === 'team' ? side.teamId : side.playerId
    const twice = after.some((other, at) => at !== index && same(side, other) && (at < index || !('path' in other)))
    if (twice) details[key] = { message: 'competes against itself', value }
    else if (side.teamId !== null && !known.has(side.teamId))
      details[side.entityType === 'team' ? key : `${side.path}.teamId`] = {
        message: 'not a team of the competition',
        value: side.teamId,
      }
  }
  if (Object.keys(details).length > 0) throw invalid(details)
  return after.map(({ entityType, teamId, playerId, isHome }) => ({ entityType, teamId, playerId, isHome }))
}

function replaced(now: readonly Competitor[], sides: readonly Side[]): (Competitor | Side)[] {
  const after: (Competitor | Side)[] = [...now]
  for (const side of sides) {
    const at = after.findIndex((one) => one.entityType === 'team' && one.isHome === side.isHome)
    if (at >= 0) after[at] = side
    else after.push(side)
  }
  return after
}

const same = (a: Competitor, b: Competitor) =>
  a.entityType === b.entityType && (a.entityType === 'team' ? a.teamId === b.teamId : a.playerId === b.playerId)
