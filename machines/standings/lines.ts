import type { Batted, Bonus, Result, ResultPoints, ResultSide, Standing, StandingsRules } from './model.ts'

const FORM = 5

/** A row in the making, with what tie-breakers ask beside it. */
export type Line = Standing & { name: string; awayFor: number; awayWins: number; batted: Batted; bowled: Batted }

/** The row of a team before any match. */
export const blank = (teamId: number, name: string, group: string | null): Line => ({
  teamId,
  group,
  position: 0,
  played: 0,
  won: 0,
  drawn: 0,
  lost: 0,
  noResult: 0,
  for: 0,
  against: 0,
  difference: 0,
  points: 0,
  bonus: 0,
  adjustment: 0,
  netRunRate: null,
  form: [],
  name,
  awayFor: 0,
  awayWins: 0,
  batted: { runs: 0, balls: 0 },
  bowled: { runs: 0, balls: 0 },
})

/** Sums of halves and tenths without the traces of binary fractions. */
export const exact = (value: number) => Math.round(value * 1_000) / 1_000

/** Counts a match for both of its teams, those that have a row. */
export function take(lines: ReadonlyMap<number, Line>, result: Result, rules: StandingsRules): void {
  for (const side of ['home', 'away'] as const) {
    const line = lines.get(result[side].teamId)
    if (!line) continue
    const [mine, theirs] = [result[side], result[side === 'home' ? 'away' : 'home']]
    if (result.noResult) {
      line.played += 1
      line.noResult += 1
      line.points = exact(line.points + (rules.points.noResult ?? 0))
      line.form = [...line.form, 'N' as const].slice(-FORM)
      continue
    }
    const { outcome, points } = worth(result, side, rules.points)
    const bonus = bonusOf(mine, theirs, rules.bonus)
    line.played += 1
    line.for = exact(line.for + mine.score)
    line.against = exact(line.against + theirs.score)
    line.difference = exact(line.for - line.against)
    line.points = exact(line.points + points + bonus)
    line.bonus = exact(line.bonus + bonus)
    if (outcome === 'W') line.won += 1
    else if (outcome === 'L') line.lost += 1
    else line.drawn += 1
    if (side === 'away') {
      line.awayFor = exact(line.awayFor + mine.score)
      if (outcome === 'W') line.awayWins += 1
    }
    line.form = [...line.form, outcome].slice(-FORM)
    if (mine.batted && theirs.batted) {
      add(line.batted, mine.batted)
      add(line.bowled, theirs.batted)
      line.netRunRate = runRate(line.batted, line.bowled)
    }
  }
}

function add(sum: Batted, { runs, balls }: Batted): void {
  sum.runs += runs
  sum.balls += balls
}

const perOver = ({ runs, balls }: Batted) => (balls === 0 ? 0 : (6 * runs) / balls)

const runRate = (batted: Batted, bowled: Batted) =>
  batted.balls + bowled.balls === 0 ? null : exact(perOver(batted) - perOver(bowled))

/** The outcome of a match for one side, and its points. */
function worth({ home, away, decidedBy, shootoutWinner }: Result, side: 'home' | 'away', points: ResultPoints) {
  const lead = side === 'home' ? home.score - away.score : away.score - home.score
  const drawn = lead === 0
  if (drawn && shootoutWinner !== undefined && (points.shootoutWin ?? points.shootoutLoss) !== undefined)
    return shootoutWinner === side
      ? ({ outcome: 'W', points: points.shootoutWin ?? points.draw } as const)
      : ({ outcome: 'L', points: points.shootoutLoss ?? points.draw } as const)
  if (drawn) return { outcome: 'D', points: points.draw } as const
  const late = decidedBy === 'overtime' || decidedBy === 'decidingSet' ? decidedBy : undefined
  return lead > 0
    ? ({ outcome: 'W', points: (late && points[`${late}Win`]) ?? points.win } as const)
    : ({ outcome: 'L', points: (late && points[`${late}Loss`]) ?? points.loss } as const)
}

function bonusOf(mine: ResultSide, theirs: ResultSide, bonus: readonly Bonus[]): number {
  const lead = mine.score - theirs.score
  const earned = (one: Bonus) => {
    switch (one.type) {
      case 'statistic':
        return (mine.statistics?.[one.statistic] ?? 0) >= one.atLeast
      case 'narrowLoss':
        return lead < 0 && -lead <= one.atMost
      case 'clearWin':
        return lead > 0 && lead >= one.atLeast
      case 'score':
        return mine.score >= one.atLeast
    }
  }
  return bonus.reduce((sum, one) => sum + (earned(one) ? one.points : 0), 0)
}
