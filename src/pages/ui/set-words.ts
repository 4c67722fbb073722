import type { SetScore } from '../../../machines/play/set-score.ts'

const pair = ({ home, away }: { home: number | string; away: number | string }) => `${home}–${away}`

/** In lines of text: the sets that are over, the one under way, the game in it. */
export function setWords({ sets, game }: SetScore, isLive: boolean) {
  const now = isLive ? sets.at(-1) : undefined
  return {
    over: sets.filter((set) => set !== now).map(pair),
    now: now && pair(now),
    game: game && pair(game),
  }
}
