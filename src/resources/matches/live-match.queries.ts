import { limitedClock } from '../../../machines/play/clock.ts'
import { setScore } from '../../../machines/play/set-score.ts'
import { sportOf } from '../../../machines/sports.ts'
import type { ReadContext } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import { findTeams } from '../teams/queries.ts'
import { getMatch } from './queries.ts'

type Match = Awaited<ReturnType<typeof getMatch>>
type Side = { name: string; shortName: string; color: string | null }

/** Score and clock of a match as followers of its overlays are told; null when the organization has no such match. */
export async function liveMatch(ctx: ReadContext, matchId: number) {
  const match = await ownMatch(ctx, matchId)
  if (!match) return null
  const sides = await sidesOf(ctx, match)
  const competitors = match.competitors.map(({ entityType, entityId, isHome, score }) => {
    const side = sides.get(`${entityType}/${entityId}`) ?? { name: '', shortName: '', color: null }
    return { ...side, isHome, score }
  })
  const { id, sport, state, period } = match
  const clock = match.config.useClock ? limitedClock(sportOf(sport), match) : null
  const name = match.name ?? competitors.map((side) => side.name).join(' v ')
  return { id, name, sport, state, period, clock, competitors, ...setScore(match) }
}

async function ownMatch(ctx: ReadContext, matchId: number): Promise<Match | undefined> {
  try {
    return await getMatch(ctx, matchId)
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
    throw error
  }
}

/** By kind and id: `team/5`. */
async function sidesOf(ctx: ReadContext, { competitors }: Match): Promise<Map<string, Side>> {
  const ids = (kind: 'team' | 'player') =>
    competitors.filter(({ entityType }) => entityType === kind).map(({ entityId }) => entityId)
  const [teams, players] = await Promise.all([
    findTeams(ctx.db.sql, ctx.organizationId, ids('team')),
    playersOf(ctx, ids('player')),
  ])
  return new Map([
    ...teams.map(({ id, name, gfxName, abbreviation, primaryBackgroundColor }): [string, Side] => [
      `team/${id}`,
      { name, shortName: abbreviation ?? gfxName ?? name, color: primaryBackgroundColor ?? null },
    ]),
    ...players.map(({ id, firstName, lastName }): [string, Side] => [
      `player/${id}`,
      { name: `${firstName} ${lastName}`.trim(), shortName: lastName || firstName, color: null },
    ]),
  ])
}

async function playersOf({ db, organizationId }: ReadContext, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db.sql<{ id: number; firstName: string; lastName: string }[]>`
    select id, first_name as "firstName", last_name as "lastName" from player
    where organization_id = ${organizationId} and id = any(${[...ids]})`
}
