import { SPORT_WORDS } from '../../../machines/sports/words.ts'
import type { SportName } from '../../../machines/sports.ts'
import type { GraphicData } from './data.ts'
import type { Side } from './teams.ts'

type Match = GraphicData['match']
type Both = Readonly<Record<Side, number | string>>

const isBoth = (value: unknown): value is Both =>
  typeof value === 'object' && value !== null && 'home' in value && 'away' in value

const pair = (value: unknown) => (isBoth(value) ? `${value.home}–${value.away}` : '')
const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' · ')

/** In sports without a clock, the text in its place: points of the game, overs, the inning. */
const FACES: Readonly<
  Record<string, (situation: Readonly<Record<string, unknown>>, period: string) => { main: string; label: string }>
> = {
  tennis: ({ points, games, tieBreak }, period) => ({
    main: pair(points),
    label: joined(tieBreak === true ? 'Tie-break' : period, pair(games)),
  }),
  volleyball: ({ points }, period) => ({ main: pair(points), label: period }),
  cricket: ({ runs, wickets, overs, target }) => ({
    main: `${runs}/${wickets}`,
    label: joined(`${overs} ov`, typeof target === 'number' ? `target ${target}` : ''),
  }),
  baseball: ({ half, inning, outs, balls, strikes }) => ({
    main: `${half === 'top' ? '▲' : '▼'} ${inning}`,
    label: joined(`${outs} out`, `${balls}–${strikes}`),
  }),
}

/** `Shoot-out 4–3`; empty when there was none. */
export const shootoutResult = ({ situation, period }: Match): string =>
  period?.type === 'shootout' ? `${period.name} ${pair(situation?.shootout)}` : ''

/** The fouls of both sides in this period, in sports that count them. */
export function teamFouls({ situation }: Match): Readonly<Record<Side, number | string>> | undefined {
  const fouls = situation?.teamFouls
  return isBoth(fouls) ? fouls : undefined
}

const isNamed = (sport: string): sport is SportName => Object.hasOwn(SPORT_WORDS, sport)

/** What stands above the last score of a match of this sport. */
export const lastHeadline = (sport: string): string => (isNamed(sport) ? SPORT_WORDS[sport].headline : 'Full time')

/** Whether the middle of the match has come; sets and innings have none. */
export const isHalfTime = ({ period, config }: Match): boolean =>
  period !== null && ['half', 'quarter'].includes(period.type) && period.number * 2 === config?.periodCount

/** What stands above the score as the match stands: `Half time`, `End of Set 2`, `Final score`; empty before it begins. */
export function scoreHeadline(match: Match): string {
  const { state, sport, period } = match
  if (state === 'finished') return lastHeadline(sport)
  if (!period) return ''
  if (state !== 'break') return period.name
  return isHalfTime(match) ? 'Half time' : `End of ${period.name}`
}

/** Undefined in a sport with a clock, and before play. */
export function situationFace({ sport, situation, period }: Match) {
  if (situation && period?.type === 'shootout') return { main: pair(situation.shootout), label: period.name }
  return situation ? FACES[sport]?.(situation, period?.name ?? '') : undefined
}

/** The side that serves, bats or has the ball, where the sport says so. */
export function sideInPlay({ state, situation }: Match): Side | undefined {
  const side = situation?.server ?? situation?.batting ?? situation?.possession
  return state === 'live' && (side === 'home' || side === 'away') ? side : undefined
}
