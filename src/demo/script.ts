/** One thing that happens in the demo's match, at a minute of virtual time; the first half begins at minute 0 of the script. */
export type ScriptedFact = {
  minute: number
  type: string
  side?: 'home' | 'away'
  /** Shirt number. */
  shirt?: string
}

/** So many minutes of line-ups before kick-off, and of results after the match. */
export const BEFORE = 16
export const AFTER = 22
/** The second half begins at this minute of the script. */
export const SECOND_HALF = 62

const HALF = 45

/** The match of the demo: 2-1, with everything that its game plan waits for. */
export const script: readonly ScriptedFact[] = [
  { minute: 0, type: 'matchStart' },
  { minute: 5, type: 'corner', side: 'away' },
  { minute: 12, type: 'goal', side: 'home', shirt: '10' },
  { minute: 24, type: 'yellowCard', side: 'away', shirt: '4' },
  { minute: 33, type: 'goal', side: 'away', shirt: '9' },
  { minute: HALF, type: 'periodEnd' },
  { minute: SECOND_HALF, type: 'periodStart' },
  { minute: SECOND_HALF + 9, type: 'corner', side: 'home' },
  { minute: SECOND_HALF + 17, type: 'shotOnTarget', side: 'away', shirt: '7' },
  { minute: SECOND_HALF + 28, type: 'goal', side: 'home', shirt: '9' },
  { minute: SECOND_HALF + HALF, type: 'periodEnd' },
  { minute: SECOND_HALF + HALF, type: 'matchEnd' },
]

/** What the clock of the match shows at a minute of the script, in ms; null while it stands. */
export function clockAt(minute: number): number | null {
  if (minute > 0 && minute < HALF) return minute * 60_000
  const second = minute - SECOND_HALF
  return second > 0 && second < HALF ? (HALF + second) * 60_000 : null
}
