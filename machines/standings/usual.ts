import type { Bonus, ResultPoints, StandingsRules, TieBreaker } from './model.ts'

const league = (win: number, draw: number, loss = 0, more: Partial<ResultPoints> = {}): ResultPoints => ({
  win,
  draw,
  loss,
  ...more,
})
const RUGBY_BONUS: readonly Bonus[] = [
  { type: 'statistic', statistic: 'tries', atLeast: 4, points: 1 },
  { type: 'narrowLoss', atMost: 7, points: 1 },
]
type Defaults = Pick<StandingsRules, 'points' | 'bonus' | 'tieBreakers'>
const table = (
  points: ResultPoints,
  tieBreakers: readonly TieBreaker[] = ['difference', 'for', 'headToHead', 'name'],
  bonus: readonly Bonus[] = [],
): Defaults => ({ points, bonus, tieBreakers })

const USUAL = table(league(2, 1))
const DEFAULTS: Readonly<Record<string, Defaults>> = {
  football: table(league(3, 1)),
  futsal: table(league(3, 1)),
  rugbyUnion: table(league(4, 2), ['wins', 'difference', 'for', 'headToHead', 'name'], RUGBY_BONUS),
  rugbySevens: table(league(3, 2, 1)),
  ausRules: table(league(4, 2), ['ratio', 'for', 'name']),
  // a side has a point where rain decides
  cricket: table(league(2, 1, 0, { noResult: 1 }), ['wins', 'netRunRate', 'headToHead', 'name']),
  basketball: table(league(2, 1, 1), ['headToHead', 'difference', 'for', 'name']),
  netball: table(league(4, 2), ['ratio', 'difference', 'for', 'name']),
  fieldHockey: table(league(3, 1), ['wins', 'difference', 'for', 'headToHead', 'name']),
  iceHockey: table(league(3, 1, 0, { overtimeWin: 2, overtimeLoss: 1, shootoutWin: 2, shootoutLoss: 1 }), [
    'headToHead',
    'difference',
    'for',
    'name',
  ]),
  handBall: table(league(2, 1), ['headToHead', 'difference', 'for', 'name']),
  waterPolo: table(league(3, 1, 0, { shootoutWin: 2, shootoutLoss: 1 }), ['headToHead', 'difference', 'for', 'name']),
  volleyball: table(league(3, 0, 0, { decidingSetWin: 2, decidingSetLoss: 1 }), [
    'wins',
    'ratio',
    'headToHead',
    'name',
  ]),
  tennis: table(league(1, 0), ['difference', 'for', 'headToHead', 'name']),
}

/** The rules that are usual in a sport, until somebody sets others. */
export const usualRules = (sport: string): StandingsRules => ({
  ...((Object.hasOwn(DEFAULTS, sport) ? DEFAULTS[sport] : undefined) ?? USUAL),
  groups: [],
  betweenGroups: false,
})
