import { blank, type Line, take } from './lines.ts'
import type { Result, StandingsRules, TieBreaker } from './model.ts'

/** Larger is better. */
const KEYS: Readonly<Record<Exclude<TieBreaker, 'headToHead' | 'name'>, (line: Line) => number>> = {
  difference: (line) => line.difference,
  for: (line) => line.for,
  against: (line) => -line.against,
  ratio: (line) => (line.against === 0 ? (line.for === 0 ? 0 : Number.MAX_VALUE) : line.for / line.against),
  wins: (line) => line.won,
  awayFor: (line) => line.awayFor,
  awayWins: (line) => line.awayWins,
  netRunRate: (line) => line.netRunRate ?? 0,
}

const byName = (one: Line, other: Line) => {
  const [a, b] = [one.name.toLowerCase(), other.name.toLowerCase()]
  return a < b ? -1 : a > b ? 1 : one.teamId - other.teamId
}

/** Teams by points, those that are level by the tie-breakers. */
export function ranked(lines: readonly Line[], rules: StandingsRules, results: readonly Result[]): Line[] {
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
