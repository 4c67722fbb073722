import type { Competitor, Fact, Match } from '../../../machines/match-model.ts'
import { effectiveConfig } from '../../../machines/sports.ts'
import { cricketCard } from '../../../machines/statistics/cricket.ts'
import { playerValues, type Values } from '../../../machines/statistics/players.ts'
import { setsOf } from '../../../machines/statistics/sets.ts'
import type { TeamLineup } from './lineup.schema.ts'
import type { SportStatistics } from './statistics.schema.ts'

/** Values that were told, by the id of the team or player. */
export type Given = { teams: Readonly<Record<string, Values>>; players: Readonly<Record<string, Values>> }
export const NOTHING_GIVEN: Given = { teams: {}, players: {} }

type Parts = {
  match: Match
  lineups: readonly Pick<TeamLineup, 'teamId' | 'players'>[]
  given: Given
  /** Last names as graphics show them; null for who is not known. */
  nameOf?: (playerId: number | null) => string | null
  /** The team of a player. */
  teamOf: (playerId: number) => number | null
}

type Side = 'home' | 'away'

/** Everything that is counted or told of a match. Pure. What facts count wins over what was told. show-control: Statistics and standings */
export function composeStatistics({ match, lineups, given, nameOf = () => null, teamOf }: Parts): SportStatistics {
  const { sport, facts, competitors, play } = match
  const config = effectiveConfig(sport, match.config)
  const counted = countedNames(match)
  const told = (values: Values | undefined = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !counted.has(name)))
  const starters = lineups.flatMap(({ teamId, players }) =>
    players.filter(({ starting }) => starting).map(({ id }) => ({ playerId: id, teamId })),
  )
  const fromFacts = playerValues({ sport, config, facts, competitors, starters, state: play.state })
  const sideOf = (teamId: number | null, playerId: number | null) => sideIn(competitors, teamId, playerId)
  const ids = [...new Set([...fromFacts.keys(), ...Object.keys(given.players).map(Number)])].sort((a, b) => a - b)
  const players = ids.map((playerId) => {
    const teamId = teamOf(playerId)
    const values = { ...told(given.players[playerId]), ...fromFacts.get(playerId) }
    return { playerId, playerName: nameOf(playerId), teamId, side: sideOf(teamId, playerId), values }
  })
  const ofSide = (side: Side) => {
    const own = competitors.find(({ isHome }) => isHome === (side === 'home'))
    const values = own?.teamId ? given.teams[own.teamId] : own?.playerId ? given.players[own.playerId] : undefined
    return { ...told(values), ...play.statistics[side] }
  }
  const statistics: SportStatistics = { home: ofSide('home'), away: ofSide('away'), players }
  if (sport === 'cricket') statistics.innings = inningsOf(facts, (teamId) => sideOf(teamId, null), nameOf)
  if (sport === 'baseball') statistics.line = lineOf(match)
  if (sport === 'tennis' || sport === 'volleyball') {
    const whose = (fact: Fact) => sideOf(fact.teamId, fact.playerId) ?? undefined
    statistics.sets = setsOf(sport, config, facts, play.score.periods, whose)
    for (const side of ['home', 'away'] as const) {
      const setPoints = statistics.sets.reduce((sum, set) => sum + set.setPoints[side], 0)
      if (setPoints > 0) statistics[side] = { ...statistics[side], setPoints }
    }
  }
  return statistics
}

/** Names that the facts of a match count, for either side. */
export const countedNames = ({ play: { statistics } }: Pick<Match, 'play'>): ReadonlySet<string> =>
  new Set([...Object.keys(statistics.home), ...Object.keys(statistics.away)])

function sideIn(competitors: readonly Competitor[], teamId: number | null, playerId: number | null): Side | null {
  const own = competitors.find((one) =>
    teamId === null ? playerId !== null && one.playerId === playerId : one.teamId === teamId,
  )
  return own ? (own.isHome ? 'home' : 'away') : null
}

const oversOf = (balls: number) => `${Math.floor(balls / 6)}.${balls % 6}`
const rounded = (value: number) => Math.round(value * 100) / 100

function inningsOf(
  facts: readonly Fact[],
  sideOf: (teamId: number | null) => Side | null,
  nameOf: (playerId: number | null) => string | null,
): NonNullable<SportStatistics['innings']> {
  return cricketCard(facts).map(
    ({ number, teamId, runs, wickets, balls, batting, bowling, extras, fallOfWickets }) => ({
      number,
      side: sideOf(teamId),
      runs,
      wickets,
      overs: oversOf(balls),
      batting: batting.map(({ playerId, out, ...counts }) => ({
        playerId,
        playerName: nameOf(playerId),
        ...counts,
        strikeRate: counts.balls === 0 ? null : rounded((counts.runs / counts.balls) * 100),
        out: out && { ...out, bowlerName: nameOf(out.bowlerId), fielderName: nameOf(out.fielderId) },
      })),
      bowling: bowling.map(({ playerId, ...counts }) => ({
        playerId,
        playerName: nameOf(playerId),
        overs: oversOf(counts.balls),
        ...counts,
        economy: counts.balls === 0 ? null : rounded((counts.runs / counts.balls) * 6),
      })),
      extras: { ...extras, total: Object.values(extras).reduce((sum, one) => sum + one, 0) },
      fallOfWickets: fallOfWickets.map(({ balls: at, playerId, ...fall }) => ({
        ...fall,
        overs: oversOf(at),
        playerId,
        playerName: nameOf(playerId),
      })),
    }),
  )
}

function lineOf({ play: { score, statistics } }: Match): NonNullable<SportStatistics['line']> {
  const total = (side: Side) => ({
    runs: score[side],
    hits: (statistics[side].hits ?? 0) + (statistics[side].homeRuns ?? 0),
    errors: statistics[side].errors ?? 0,
  })
  return {
    innings: score.periods.map(({ number, home, away }) => ({ number, home, away })),
    home: total('home'),
    away: total('away'),
  }
}
