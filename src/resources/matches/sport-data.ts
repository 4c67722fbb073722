import type { Sql } from 'postgres'
import type { MaybePromise } from '../../catalog/cache.ts'
import { findShownStandings } from '../standings/queries.ts'
import { findTeamsWithLogo } from '../teams/queries.ts'
import { type Composed, composeSportData } from './compose-sport-data.ts'
import { lineupsOf } from './lineup.queries.ts'
import { findMatchState } from './match-state.queries.ts'
import { findMatchRow, findPlayers } from './sport-data.queries.ts'
import type { SportData } from './sport-data.schema.ts'
import { findGiven } from './statistics.queries.ts'

export type FoundSportData = { organizationId: number; data: SportData; revision: number }

/** `data` of the graphics of a match, as of its last commit; undefined when there is no such match. `publicUrl` is without a trailing slash. */
export async function findSportData(
  sql: Sql,
  publicUrl: string,
  matchId: number,
  standings?: ReadStandings,
): Promise<FoundSportData | undefined> {
  const found = await findSportParts(sql, publicUrl, matchId, standings)
  if (!found) return undefined
  const { revision, ...parts } = found
  return { organizationId: parts.row.organizationId, data: composeSportData(parts), revision }
}

type ShownStandings = NonNullable<Awaited<ReturnType<typeof findShownStandings>>>
/** The table of a competition, as it is held or read anew. */
export type ReadStandings = (competitionId: number) => MaybePromise<ShownStandings | undefined>

const NO_STANDINGS: SportData['standings'] = { rows: [], groups: [], updatedAt: new Date(0).toISOString() }

/** The records that `composeSportData` makes the data of a match of. */
export async function findSportParts(
  sql: Sql,
  publicUrl: string,
  matchId: number,
  readStandings: ReadStandings = (competitionId) => findShownStandings(sql, publicUrl, competitionId),
): Promise<(Composed & { revision: number }) | undefined> {
  const [row, found] = await Promise.all([findMatchRow(sql, matchId), findMatchState(sql, matchId)])
  if (!row || !found) return undefined
  const ids = (kind: 'teamId' | 'playerId') =>
    [...new Set(row.competitors.map((competitor) => competitor[kind]))].filter((id) => id !== null)
  const [teams, lineups, roster, given, table] = await Promise.all([
    findTeamsWithLogo(sql, publicUrl, row.organizationId, ids('teamId')),
    lineupsOf(sql, matchId, ids('teamId')),
    findPlayers(sql, ids('teamId'), ids('playerId')),
    findGiven(sql, matchId),
    readStandings(row.competition.id),
  ])
  const standings = table?.standings ?? NO_STANDINGS
  return { row, match: found.match, teams, lineups, roster, given, standings, revision: found.revision }
}

const delayed = new WeakMap<SportData, Map<number, SportData>>()

/**
 * The data as it is right when it is seen this much later: a clock that runs was there later, too, so that the picture agrees
 * with the delayed video. Everything else is the same object. live-path 22
 */
export function atDelay(data: SportData, delayMs: number): SportData {
  if (delayMs === 0 || !data.clock.running) return data
  const known = delayed.get(data) ?? new Map<number, SportData>()
  delayed.set(data, known)
  const found = known.get(delayMs)
  if (found) return found
  const shifted = later(data, delayMs)
  known.set(delayMs, shifted)
  return shifted
}

/** The data with a clock that runs as if it had been set this much later. */
export function later(data: SportData, byMs: number): SportData {
  if (!data.clock.running) return data
  const clock = { ...data.clock, asOf: new Date(Date.parse(data.clock.asOf) + byMs).toISOString() }
  const situation = laterClocks(data.situation, byMs) as SportData['situation']
  return { ...data, match: { ...data.match, clock, situation }, clock, situation }
}

/** Whatever ends at a time ends so much later, at any depth. */
function laterClocks(value: unknown, byMs: number): unknown {
  if (Array.isArray(value)) return value.map((one) => laterClocks(one, byMs))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'endsAt' && typeof one === 'string'
        ? new Date(Date.parse(one) + byMs).toISOString()
        : laterClocks(one, byMs),
    ]),
  )
}
