/** What separates teams with equal points, in the order in which a table names it. */
export const TIE_BREAKERS = [
  'difference',
  'for',
  'against',
  'ratio',
  'wins',
  'awayFor',
  'awayWins',
  'netRunRate',
  'headToHead',
  'name',
] as const
export type TieBreaker = (typeof TIE_BREAKERS)[number]

/** Points of a result. Those that are left out are worth what `win`, `draw` or `loss` is. */
export type ResultPoints = {
  win: number
  draw: number
  loss: number
  /** In overtime: extra time, extra innings. */
  overtimeWin?: number | undefined
  overtimeLoss?: number | undefined
  /** A draw that a shoot-out or a super over decided. Left out, it stays a draw. */
  shootoutWin?: number | undefined
  shootoutLoss?: number | undefined
  /** By one set, in a match that the last possible set decided. */
  decidingSetWin?: number | undefined
  decidingSetLoss?: number | undefined
  /** Of each side, in a match that was abandoned. Left out, such a match does not count. */
  noResult?: number | undefined
}

/** Points beside those of the result: for a count of a statistic, a narrow loss, a clear win or a high score. */
export type Bonus =
  | { type: 'statistic'; statistic: string; atLeast: number; points: number }
  | { type: 'narrowLoss'; atMost: number; points: number }
  | { type: 'clearWin'; atLeast: number; points: number }
  | { type: 'score'; atLeast: number; points: number }

export type Group = { name: string; teamIds: readonly number[] }

export type StandingsRules = {
  points: ResultPoints
  bonus: readonly Bonus[]
  tieBreakers: readonly TieBreaker[]
  groups: readonly Group[]
  /** Matches between teams of different groups count, too, as between conferences. */
  betweenGroups: boolean
}

/** Won, drawn, lost, or no result. */
export type Outcome = 'W' | 'D' | 'L' | 'N'

/** One side of a match that counts. */
export type ResultSide = {
  teamId: number
  score: number
  statistics?: Readonly<Record<string, number>> | undefined
  /** What it scored in limited overs. */
  batted?: Batted | undefined
}

/** Runs and the balls that they took; of a side that was all out the balls that it might have had. */
export type Batted = { runs: number; balls: number }

/** A match of two teams that counts. */
export type Result = {
  home: ResultSide
  away: ResultSide
  /** How it was decided beside its regular time. */
  decidedBy?: 'overtime' | 'shootout' | 'decidingSet' | undefined
  /** Who won the shoot-out. */
  shootoutWinner?: 'home' | 'away' | undefined
  /** It was abandoned: played, and neither won, drawn nor lost. */
  noResult?: boolean | undefined
}

export type Standing = {
  teamId: number
  /** Name of its group; null without groups, and for a team that is in none. */
  group: string | null
  /** From 1, within the group. */
  position: number
  played: number
  won: number
  drawn: number
  lost: number
  noResult: number
  for: number
  against: number
  difference: number
  /** With bonus points and adjustments. */
  points: number
  bonus: number
  adjustment: number
  /** Cricket: runs per over scored less those conceded, in limited overs; null before any. */
  netRunRate: number | null
  /** The last five results, the latest last. */
  form: Outcome[]
}

export type StandingsInput = {
  /** Every team of the competition. */
  teams: readonly { id: number; name: string }[]
  /** In the order in which they were played. */
  results: readonly Result[]
  rules: StandingsRules
  adjustments: readonly { teamId: number; points: number }[]
}
