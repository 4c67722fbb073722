import { blank, exact, take } from './standings/lines.ts'
import type { Standing, StandingsInput } from './standings/model.ts'
import { ranked } from './standings/ranking.ts'

export type { Batted, Outcome, Result, Standing, StandingsRules } from './standings/model.ts'
export { TIE_BREAKERS } from './standings/model.ts'
export { usualRules } from './standings/usual.ts'

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
    ).map(({ name: _, awayFor: __, awayWins: ___, batted: ____, bowled: _____, ...row }, index) => ({
      ...row,
      position: index + 1,
    })),
  )
}
