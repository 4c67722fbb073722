import { sportOf } from '../sports.ts'

type Both<T> = { home: T; away: T }
type Side = 'home' | 'away'

type Played = {
  sport: string
  state: string
  score: { periods: readonly ({ number: number; name: string } & Both<number>)[] }
  situation: object | null
}

/** How a match stands in which sets are won: points or games by set, of tennis also the points of the game. */
export type SetScore = {
  sets: ({ number: number; name: string } & Both<number>)[]
  game?: Both<string> | undefined
  server?: Side | undefined
}

/** Undefined in a sport that is not played in sets. */
export function setScore({ sport, state, score, situation }: Played): SetScore | undefined {
  if (sportOf(sport).periodType !== 'set') return undefined
  const sets = score.periods.map(({ number, name, home, away }) => ({ number, name, home, away }))
  if (state !== 'live' || !situation) return { sets }
  const { points, server }: { points?: unknown; server?: unknown } = situation
  return {
    sets,
    ...(isCalled(points) && { game: { home: points.home, away: points.away } }),
    ...((server === 'home' || server === 'away') && { server }),
  }
}

/** Points of tennis are called (`15`, `Ad`), those of other sports are counted. */
const isCalled = (points: unknown): points is Both<string> =>
  typeof points === 'object' &&
  points !== null &&
  'home' in points &&
  'away' in points &&
  typeof points.home === 'string' &&
  typeof points.away === 'string'
