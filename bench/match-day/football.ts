import { isDeepStrictEqual } from 'node:util'
import type { Api } from '../api.ts'
import { createLeague, openMatch, type Squad } from './production.ts'

const starters = 11
const squadSize = 18
const minuteMs = 60_000
const secondHalfAt = 63

/**
 * A football match from the line-ups to a correction after full time, over REST: 3-1 in the end, after a disallowed goal, an
 * own goal, a red card and a goal of another scorer than first told. Answers the disagreements.
 */
export async function playFootball(api: Api, say: (line: string) => void): Promise<string[]> {
  const { competitionId, squads } = await createLeague(api, 'football', squadSize)
  const [home, away] = squads
  if (!home || !away) throw new Error('no squads')
  // played a while ago, so that every fact happened in the past
  const kickOff = Date.now() - 180 * minuteMs
  const created = {
    competitionId,
    date: new Date(kickOff).toISOString(),
    homeTeamId: home.teamId,
    awayTeamId: away.teamId,
    config: { benchSize: squadSize - starters },
  }
  const { live, screen, show, close } = await openMatch(api, created, 'Match day football')
  await api.call('PUT', `/v2/matches/${live.id}/lineup`, { teams: squads.map(lineupOf) })
  await live.stands('before kick-off', { state: 'scheduled', score: [0, 0], periods: [] })

  /** When the clock showed a minute; `after` half-time in the second half. */
  const at = (minute: number) => new Date(kickOff + minute * minuteMs).toISOString()
  const after = (minute: number) => at(secondHalfAt + minute - 45)
  const by = (squad: Squad, shirt: number) => ({ teamId: squad.teamId, playerId: squad.playerIds[shirt - 1] })

  await live.refused('a goal before kick-off', { type: 'goal', ...by(home, 9), timestamp: at(-5) })
  await live.record({ type: 'periodStart', timestamp: at(0) })
  await live.stands('at kick-off', { state: 'live', score: [0, 0], periods: [[0, 0]] })
  await live.record({ type: 'yellowCard', ...by(away, 4), timestamp: at(12) })
  const first = await live.record({
    type: 'goal',
    ...by(home, 9),
    secondaryPlayerId: home.playerIds[6],
    timestamp: at(23),
  })
  await live.stands('after 1-0', { state: 'live', score: [1, 0], periods: [[1, 0]] })
  await live.correct(first.id, { playerId: home.playerIds[9] })
  await live.record({ type: 'corner', teamId: home.teamId, timestamp: at(30) })
  const offside = await live.record({ type: 'goal', ...by(away, 11), timestamp: at(38) })
  await live.stands('after 1-1', { state: 'live', score: [1, 1], periods: [[1, 1]] })
  await live.erase(offside.id)
  await live.record({ type: 'varDecision', teamId: away.teamId, details: { decision: 'offside' }, timestamp: at(39) })
  await live.stands('after the goal was disallowed', { state: 'live', score: [1, 0], periods: [[1, 0]] })
  await live.record({ type: 'ownGoal', ...by(home, 5), timestamp: at(44) })
  await live.stands('after the own goal', { state: 'live', score: [1, 1], periods: [[1, 1]] })
  await live.record({ type: 'periodEnd', timestamp: at(47) })
  await live.stands('at half-time', { state: 'break', score: [1, 1], periods: [[1, 1]] })
  say('football: half-time, 1-1')

  const change = (squad: Squad, on: number, off: number) => ({
    type: 'substitution',
    ...by(squad, on),
    secondaryPlayerId: squad.playerIds[off - 1],
  })
  await live.record({ ...change(away, 14, 7), timestamp: at(secondHalfAt - 1) })
  await live.record({ type: 'periodStart', timestamp: after(45) })
  const halves = (own: number, other: number) =>
    [
      [1, 1],
      [own - 1, other - 1],
    ] as const
  await live.stands('when play goes on', { state: 'live', score: [1, 1], periods: halves(1, 1) })
  await live.record({ type: 'redCard', ...by(away, 4), timestamp: after(55) })
  const penalty = await live.record({ type: 'penaltyGoal', ...by(home, 10), timestamp: after(67) })
  await live.record({ ...change(home, 12, 9), timestamp: after(70) })
  const late = await live.record({ type: 'goal', ...by(away, 14), timestamp: after(88), clientFactId: 'late' })
  const again = await live.record({ type: 'goal', ...by(away, 14), timestamp: after(88), clientFactId: 'late' })
  if (again.id !== late.id) live.disagreements.push('a fact that was sent twice became two')
  await live.stands('after 2-2', { state: 'live', score: [2, 2], periods: halves(2, 2) })
  await live.record({ type: 'goal', ...by(home, 12), timestamp: after(94) })
  await live.record({ type: 'periodEnd', timestamp: after(96) })
  await live.record({ type: 'matchEnd', timestamp: after(96) })
  await live.stands('at full time', { state: 'finished', score: [3, 2], periods: halves(3, 2) })
  await live.refused('a goal after full time', { type: 'goal', ...by(home, 9), timestamp: after(99) })
  say('football: full time, 3-2')

  await live.erase(late.id)
  await live.correct(penalty.id, { type: 'goal', playerId: home.playerIds[7] })
  await live.stands('after the corrections', {
    state: 'finished',
    score: [3, 1],
    periods: halves(3, 1),
    statistics: {
      home: { goals: 3, ownGoals: 1, penaltyGoals: 0, corners: 1, substitutions: 1, yellowCards: 0, redCards: 0 },
      away: { goals: 0, ownGoals: 0, yellowCards: 1, redCards: 1, substitutions: 1 },
    },
  })
  const card = await show('Result card')
  const list = await api.get<{ facts: { id: number; type: string }[] }>(`/v2/matches/${live.id}/facts?limit=1000`)
  const named = (facts: readonly { id: number; type: string }[] = []) => facts.map(({ id, type }) => [id, type])
  const shown = () => named(screen.graphics.get(card)?.data?.facts)
  await screen
    .until('the facts of the match on the result card', () => isDeepStrictEqual(shown(), named(list.facts)))
    .catch(() => live.disagreements.push(`the result card has other facts than the match: ${JSON.stringify(shown())}`))
  await close()
  say(`football: 3-1 after corrections, ${screen.frames} frames`)
  return live.disagreements
}

const lineupOf = ({ teamId, playerIds }: Squad) => ({
  teamId,
  players: playerIds.map((playerId, index) => ({
    playerId,
    number: String(index + 1),
    starting: index < starters,
    captain: index === 3,
  })),
})
