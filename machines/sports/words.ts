import type { SportName } from '../sports.ts'

/** The words of a sport for what each sport has. `result`: the name of its last score; `headline`: the same above that score. */
export type SportWords = { start: string; result: string; headline: string }

const fullTime = (start: string): SportWords => ({ start, result: 'Full-time result', headline: 'Full time' })
const final = (start: string): SportWords => ({ start, result: 'Final score', headline: 'Final score' })
const match = (start: string): SportWords => ({ start, result: 'Match result', headline: 'Match result' })

/** In place of those of football, which nobody says of a tennis match. */
export const SPORT_WORDS: Readonly<Record<SportName, SportWords>> = {
  football: fullTime('kick-off'),
  futsal: fullTime('kick-off'),
  rugbyUnion: fullTime('kick-off'),
  rugbySevens: fullTime('kick-off'),
  rugbyLeague: fullTime('kick-off'),
  touchFootball: fullTime('tap-off'),
  ausRules: fullTime('first bounce'),
  gridiron: final('kick-off'),
  basketball: final('tip-off'),
  netball: fullTime('first pass'),
  fieldHockey: fullTime('push-back'),
  iceHockey: final('face-off'),
  handBall: fullTime('throw-off'),
  waterPolo: fullTime('swim-off'),
  lacrosse: final('face-off'),
  volleyball: match('first serve'),
  tennis: match('first serve'),
  cricket: match('first ball'),
  baseball: final('first pitch'),
}
