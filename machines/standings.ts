/** What separates teams with equal points, in the order in which a table names it. */
export const TIE_BREAKERS = [
  'difference',
  'for',
  'against',
  'ratio',
  'wins',
  'awayFor',
  'awayWins',
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

export type Outcome = 'W' | 'D' | 'L'

/** One side of a finished match. */
export type ResultSide = { teamId: number; score: number; statistics?: Readonly<Record<string, number>> | undefined }

/** A finished match of two teams. */
export type Result = {
  home: ResultSide
  away: ResultSide
  /** How it was decided beside its regular time. */
  decidedBy?: 'overtime' | 'shootout' | 'decidingSet' | undefined
  /** Who won the shoot-out. */
  shootoutWinner?: 'home' | 'away' | undefined
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
  for: number
  against: number
  difference: number
  /** With bonus points and adjustments. */
  points: number
  bonus: number
  adjustment: number
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

const FORM = 5

/** A row in the making, with what tie-breakers ask beside it. */
type Line = Standing & { name: string; awayFor: number; awayWins: number }

/**
 * The table of a competition, group by group in the order of the rules, teams in no group last. Pure: the order of the teams
 * does not matter, that of the results only for `form`. Two teams never share a position. show-control: Statistics and standings
 */
export function standingsOf({ teams, results, rules, adjustments }: StandingsInput): Standing[] {
  const groupOf = new Map(rules.groups.flatMap(({ name, teamIds }) => teamIds.map((id) => [id, name] as const)))
  const lines = new Map(teams.map(({ id, name }) => [id, blank(id, name, groupOf.get(id) ?? null)]))
  const counted = results.filter(
    ({ home, away }) =>
      lines.has(home.teamId) &&
      lines.has(away.teamId) &&
      (rules.betweenGroups || lines.get(home.teamId)?.group === lines.get(away.teamId)?.group),
  )
  for (const result of counted) take(lines, result, rules)
  for (const { teamId, points } of adjustments) {
    const line = lines.get(teamId)
    if (!line) continue
    line.adjustment = exact(line.adjustment + points)
    line.points = exact(line.points + points)
  }
  const all = [...lines.values()]
  return [...rules.groups.map(({ name }) => name), null].flatMap((group) =>
    ranked(
      all.filter((line) => line.group === group),
      rules,
      counted,
    ).map(({ name: _, awayFor: __, awayWins: ___, ...row }, index) => ({ ...row, position: index + 1 })),
  )
}

const blank = (teamId: number, name: string, group: string | null): Line => ({
  teamId,
  group,
  position: 0,
  played: 0,
  won: 0,
  drawn: 0,
  lost: 0,
  for: 0,
  against: 0,
  difference: 0,
  points: 0,
  bonus: 0,
  adjustment: 0,
  form: [],
  name,
  awayFor: 0,
  awayWins: 0,
})

/** Sums of halves and tenths without the traces of binary fractions. */
const exact = (value: number) => Math.round(value * 1_000) / 1_000

function take(lines: ReadonlyMap<number, Line>, result: Result, rules: StandingsRules): void {
  for (const side of ['home', 'away'] as const) {
    const line = lines.get(result[side].teamId)
    if (!line) continue
    const [mine, theirs] = [result[side], result[side === 'home' ? 'away' : 'home']]
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
  }
}

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

/** Larger is better. */
const KEYS: Readonly<Record<Exclude<TieBreaker, 'headToHead' | 'name'>, (line: Line) => number>> = {
  difference: (line) => line.difference,
  for: (line) => line.for,
  against: (line) => -line.against,
  ratio: (line) => (line.against === 0 ? (line.for === 0 ? 0 : Number.MAX_VALUE) : line.for / line.against),
  wins: (line) => line.won,
  awayFor: (line) => line.awayFor,
  awayWins: (line) => line.awayWins,
}

const byName = (one: Line, other: Line) => {
  const [a, b] = [one.name.toLowerCase(), other.name.toLowerCase()]
  return a < b ? -1 : a > b ? 1 : one.teamId - other.teamId
}

function ranked(lines: readonly Line[], rules: StandingsRules, results: readonly Result[]): Line[] {
  return split(lines, (line) => [line.points]).flatMap((tied) => settled(tied, rules.tieBreakers, rules, results))
}

/** Teams that are level, in the order that the tie-breakers give them; by name when nothing else separates them. */
function settled(
  tied: readonly Line[],
  [first, ...rest]: readonly TieBreaker[],
  rules: StandingsRules,
  results: readonly Result[],
): Line[] {
  if (tied.length < 2) return [...tied]
  if (first === undefined || first === 'name') return [...tied].sort(byName)
  if (first !== 'headToHead')
    return split(tied, (line) => [KEYS[first](line)]).flatMap((level) => settled(level, rest, rules, results))
  const parts = headToHead(tied, rules, results)
  // among those who are still level their matches with each other count anew
  return parts.length === 1
    ? settled(tied, rest, rules, results)
    : parts.flatMap((level) => settled(level, [first, ...rest], rules, results))
}

/** A table of only the matches that the tied teams played with each other: points, difference, then scored. */
function headToHead(tied: readonly Line[], rules: StandingsRules, results: readonly Result[]): Line[][] {
  const among = new Map(tied.map(({ teamId, name, group }) => [teamId, blank(teamId, name, group)]))
  for (const result of results)
    if (among.has(result.home.teamId) && among.has(result.away.teamId)) take(among, result, rules)
  return split(tied, ({ teamId }) => {
    const line = among.get(teamId)
    return line ? [line.points, line.difference, line.for] : []
  })
}

/** Parts of equal keys, those with the larger keys first. */
function split(lines: readonly Line[], keysOf: (line: Line) => readonly number[]): Line[][] {
  const keyed = lines.map((line) => ({ line, keys: keysOf(line) }))
  const compare = (one: readonly number[], other: readonly number[]) => {
    const at = one.findIndex((key, index) => key !== other[index])
    return at < 0 ? 0 : (other[at] ?? 0) > (one[at] ?? 0) ? 1 : -1
  }
  keyed.sort((one, other) => compare(one.keys, other.keys))
  const parts: Line[][] = []
  let before: readonly number[] | undefined
  for (const { line, keys } of keyed) {
    if (before && compare(before, keys) === 0) parts.at(-1)?.push(line)
    else parts.push([line])
    before = keys
  }
  return parts
}

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
