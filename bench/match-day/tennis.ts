import type { Api } from '../api.ts'
import { createLeague, openMatch } from './production.ts'

type Player = 'H' | 'A'

/** The winner of each game of each set; the second set ends in a tie-break. */
const SETS = ['HAHAHHAHAH', 'HAHAHAHAHAHAT', 'HHAHAHHAH'] as const

/** Points of a game: to love, but for the deuce game of each set's start. */
const pointsOf = (winner: Player, deuce: boolean): string => {
  const loser = winner === 'H' ? 'A' : 'H'
  return deuce ? `${winner}${loser}`.repeat(4) + winner.repeat(2) : winner.repeat(4)
}

/** 7-5 for the away player. */
const TIE_BREAK = 'HAHAHAHAHAAA'

/**
 * A singles match over three sets, point by point over REST: 6-4, 6-7, 6-3, with a deuce in each set, a tie-break, and points
 * that were given wrongly. Answers the disagreements.
 */
export async function playTennis(api: Api, say: (line: string) => void): Promise<string[]> {
  const { competitionId, squads } = await createLeague(api, 'tennis', 1)
  const [home, away] = squads.map(({ playerIds }) => playerIds[0])
  const startedAt = Date.now() - 180 * 60_000
  const created = {
    competitionId,
    date: new Date(startedAt).toISOString(),
    competitorsType: 'singles',
    competitors: [
      { entityType: 'player', entityId: home, isHome: true },
      { entityType: 'player', entityId: away, isHome: false },
    ],
  }
  const { live, screen, close } = await openMatch(api, created, 'Match day tennis')
  await live.stands('before the match', { state: 'scheduled', score: [0, 0], periods: [] })
  let clock = startedAt
  const next = () => {
    clock += 30_000
    return new Date(clock).toISOString()
  }
  const point = (player: string) =>
    live.record({ type: 'point', playerId: player === 'H' ? home : away, timestamp: next() })

  await live.record({ type: 'matchStart', playerId: home, timestamp: next() })
  const played: [number, number][] = []
  const sets = { H: 0, A: 0 }
  for (const [index, games] of SETS.entries()) {
    const set: [number, number] = [0, 0]
    played.push(set)
    for (const [nth, game] of [...games].entries()) {
      const winner = game === 'T' ? 'A' : game === 'H' ? 'H' : 'A'
      const points = [...(game === 'T' ? TIE_BREAK : pointsOf(winner, nth === 0))]
      for (const [i, player] of points.entries()) {
        // the umpire is overruled: the point was the other player's
        if (nth === 1 && i === 0) {
          const { id } = await point(player === 'H' ? 'A' : 'H')
          await live.correct(id, { playerId: player === 'H' ? home : away })
        } else await point(player)
        // a point that is played again
        if (nth === 2 && i === 0) await live.erase((await point(player)).id)
      }
      set[winner === 'H' ? 0 : 1]++
      if (nth < games.length - 1)
        await live.stands(`in set ${index + 1} at ${set.join('-')}`, {
          state: 'live',
          score: [sets.H, sets.A],
          periods: played,
        })
    }
    sets[set[0] > set[1] ? 'H' : 'A']++
    say(`tennis: set ${index + 1} ends ${set.join('-')}`)
  }
  await live.record({ type: 'matchEnd', timestamp: next() })
  await live.refused('a point after the match', { type: 'point', playerId: home, timestamp: next() })
  const points = { home: 0, away: 0 }
  for (const text of SETS)
    for (const [nth, game] of [...text].entries())
      for (const player of game === 'T' ? TIE_BREAK : pointsOf(game === 'H' ? 'H' : 'A', nth === 0))
        points[player === 'H' ? 'home' : 'away']++
  await live.stands('at the end', {
    state: 'finished',
    score: [2, 1],
    periods: [
      [6, 4],
      [6, 7],
      [6, 3],
    ],
    statistics: { home: { points: points.home }, away: { points: points.away } },
  })
  await close()
  say(`tennis: 6-4, 6-7, 6-3, ${points.home + points.away} points, ${screen.frames} frames`)
  return live.disagreements
}
