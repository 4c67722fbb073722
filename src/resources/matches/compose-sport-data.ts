import type { z } from 'zod'
import type { Fact, Match, MatchConfig, Play } from '../../../machines/match-model.ts'
import { ClockRule } from '../../../machines/play/clock.ts'
import { effectiveConfig, sportOf } from '../../../machines/sports.ts'
import { situationOf } from '../../../machines/statistics/clocks.ts'
import type { Team } from '../teams/schema.ts'
import { composeStatistics, type Given } from './compose-statistics.ts'
import type { TeamLineup } from './lineup.schema.ts'
import type { CompetitorRow, MatchRow, Person } from './sport-data.queries.ts'
import type { SportCompetitor, SportData, SportFact, SportPlayer, SportTeam } from './sport-data.schema.ts'

type Lineups = readonly TeamLineup[]

/** All that graphics show of a match, as it is stored. */
export type Composed = {
  row: MatchRow
  match: Match
  /** Those that compete. */
  teams: readonly z.output<typeof Team>[]
  /** Of the teams, in the order of the competitors. */
  lineups: Lineups
  /** All players on the rosters of the teams, and those that compete alone. */
  roster: readonly Omit<SportPlayer, 'starting' | 'inLineup'>[]
  /** The table of the competition. */
  standings: SportData['standings']
  /** Values that were told beside the facts. */
  given: Given
}

/**
 * `data` of the graphics of a match. Pure: the same records always make the same data. `shown`: its players and facts, where they are
 * known already.
 */
export function composeSportData(parts: Composed, { players, facts }: Shown = shownOf(parts)): SportData {
  const {
    row,
    match: { config: set, play },
    teams: known,
    lineups,
  } = parts
  const teams = new Map(known.map((team) => [team.id, teamOf(team)]))
  const { id, name, sport, competitorsType, timezone, round, competition, venue, officials } = row
  const config = effectiveConfig(sport, set)
  const { state, clock, competitorScores } = play
  const situation = situationOf(parts.match)
  const score = { ...play.score, periods: [...play.score.periods] }
  const period = play.period && { ...play.period, endMs: endMs(sport, config, play.period) }
  const side = (isHome: boolean) => row.competitors.find((one) => one.isHome === isHome && one.teamId !== null)?.teamId
  const team = (isHome: boolean) => {
    const found = teams.get(side(isHome) ?? 0)
    return found ? { ...found, isHome } : null
  }
  const lineup = (isHome: boolean) => {
    const found = lineups.find(({ teamId }) => teamId === side(isHome))
    return { formation: found?.formation ?? null, players: found?.players ?? [], staff: found?.staff ?? [] }
  }
  const match = { id, name, sport, competitorsType, state, date: row.startsAt.toISOString(), timezone, round }
  return {
    match: { ...match, venue, competition, period, clock, score, situation, config },
    competition,
    venue,
    teams: { home: team(true), away: team(false) },
    competitors: row.competitors.map((one, index) => competitorOf(one, teams, competitorScores[index] ?? 0)),
    players,
    lineups: { home: lineup(true), away: lineup(false) },
    facts,
    scoringFacts: facts.filter(({ points }) => points > 0),
    period,
    periods: score.periods,
    score,
    clock,
    statistics: statisticsOf(parts, players),
    officials,
    situation,
    standings: parts.standings,
  }
}

function statisticsOf({ match, lineups, given }: Composed, players: readonly SportPlayer[]) {
  // a player of both teams is first of all one of the side that lists him first
  const known = new Map([...players].reverse().map((player) => [player.id, player]))
  return composeStatistics({
    match,
    lineups,
    given,
    teamOf: (playerId) => known.get(playerId)?.teamId ?? null,
    nameOf(playerId) {
      const player = playerId === null ? undefined : known.get(playerId)
      return player ? (player.gfxLastName ?? player.lastName) : null
    },
  })
}

/** What of a match as graphics are given it is the same however far it has been played. */
export type Shown = { players: SportPlayer[]; facts: SportFact[] }

/** The players and the facts of a match as graphics are given them. */
export function shownOf({ row, match, lineups, roster }: Composed): Shown {
  const players = playersOf(lineups, roster)
  // a player of both teams is first of all one of the side that lists him first
  const names = new Map([...players].reverse().map((player) => [player.id, player.gfxLastName ?? player.lastName]))
  return { players, facts: match.facts.map((fact) => factOf(fact, row, names)) }
}

/** What the clock shows when the regular length of the period is over. */
function endMs(sport: string, config: MatchConfig, { number, type }: NonNullable<Play['period']>): number | null {
  const rule = new ClockRule(sportOf(sport), config)
  const lengthMs = rule.lengthOf(number)
  if (!config.useClock || type === 'shootout' || lengthMs === 0) return null
  if (config.clockDirection === 'down') return 0
  return config.cumulative ? rule.before(number) + lengthMs : lengthMs
}

const fullName = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`

/** With the coach that graphics show: the manager, else the first of the staff. spec: TeamStaffMember */
function teamOf(team: Composed['teams'][number]): SportTeam {
  const { defaultVenueId: _, dataProvider: __, nonPlayerStaff: staff = [], ...shown } = team
  const coach = staff.find(({ role }) => role === 'manager') ?? staff[0]
  return { ...shown, staff, coach: coach ? fullName(coach) : null }
}

function competitorOf(
  { player, ...competitor }: CompetitorRow,
  teams: ReadonlyMap<number, SportTeam>,
  score: number,
): SportCompetitor {
  const team = teams.get(competitor.teamId ?? 0)
  if (competitor.entityType === 'player' && player) {
    const shortName = player.gfxLastName ?? player.lastName
    return { ...competitor, name: fullName(player), shortName, score }
  }
  return { ...competitor, name: team?.name ?? '', shortName: team?.gfxName ?? team?.name ?? '', score }
}

const keyOf = ({ id, teamId }: { id: number; teamId: number | null }) => `${teamId}/${id}`

/** The line-up first, then other players on a roster or that compete alone. */
function playersOf(lineups: Lineups, roster: Composed['roster']): SportPlayer[] {
  const fielded = lineups.flatMap(({ players }) => players.map((player) => ({ ...player, inLineup: true })))
  const known = new Set(fielded.map(keyOf))
  const others = roster.filter((player) => !known.has(keyOf(player)))
  return [...fielded, ...others.map((player) => ({ ...player, starting: false, inLineup: false }))]
}

function factOf(fact: Fact, { competitors }: MatchRow, names: ReadonlyMap<number, string>): SportFact {
  const { clientFactId: _, createdAt: __, updatedAt: ___, source: ____, dataProvider: _____, ...shown } = fact
  const nameOf = (id: number | null) => (id === null ? null : (names.get(id) ?? null))
  const competitor = competitors.find(({ teamId, playerId }) =>
    fact.teamId === null ? playerId !== null && playerId === fact.playerId : teamId === fact.teamId,
  )
  return {
    ...shown,
    side: competitor ? (competitor.isHome ? 'home' : 'away') : null,
    playerName: nameOf(fact.playerId),
    secondaryPlayerName: nameOf(fact.secondaryPlayerId),
  }
}
