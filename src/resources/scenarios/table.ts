import { type Result, standingsOf, usualRules } from '../../../machines/standings.ts'
import type { SportKey } from '../../schema/sport.ts'
import type { SportData } from '../matches/sport-data.schema.ts'

type Club = { name: string; gfxName: string; abbreviation: string; colours: readonly [string, string, ...string[]] }
type Season = { clubs?: Readonly<Record<'home' | 'away', Club>>; date: string }

/** Name, graphics name, abbreviation, ground and text. */
const OTHERS = [
  ['Saltmarsh Rovers', 'Saltmarsh', 'SAL', '#0f766e', '#ffffff'],
  ['Königsfurt Union', 'Königsfurt', 'KÖN', '#7c2d12', '#ffffff'],
  ['Port Merrow Athletic', 'Port Merrow', 'PME', '#1d4ed8', '#ffffff'],
  ['Weststrand Wanderers', 'Weststrand', 'WES', '#facc15', '#111827'],
  ['São Tomé do Vale', 'São Tomé', 'STV', '#15803d', '#ffffff'],
  ['Glenfirth Academicals', 'Glenfirth', 'GLE', '#4c1d95', '#ffffff'],
  ['Ashbourne Harbour City', 'Ashbourne', 'ASH', '#be123c', '#ffffff'],
  ['Tauranga Heights', 'Tauranga', 'TAU', '#111827', '#f9fafb'],
] as const

/** What a side of a sport scores: at least, and at most so much more. */
const SCORES: Readonly<Partial<Record<SportKey, readonly [least: number, more: number]>>> = {
  rugbyUnion: [9, 28],
  rugbySevens: [7, 26],
  rugbyLeague: [8, 26],
  touchFootball: [3, 9],
  ausRules: [62, 55],
  gridiron: [10, 28],
  basketball: [68, 34],
  netball: [44, 22],
  handBall: [22, 14],
  waterPolo: [6, 10],
  lacrosse: [7, 9],
  cricket: [128, 70],
  baseball: [1, 8],
}

/** The table of an invented season in which the two clubs of a cast play; nobody's where players compete without teams. */
export function tableOf(sport: SportKey, { clubs, date }: Season, base: number): SportData['standings'] {
  const updatedAt = new Date(Date.parse(date) - 86_400_000).toISOString()
  if (!clubs) return { rows: [], groups: [], updatedAt }
  const teams = [
    ...[clubs.home, clubs.away].map(({ name, gfxName, abbreviation, colours }, index) => ({
      id: base + 11 + index,
      name,
      shortName: gfxName,
      abbreviation,
      primaryBackgroundColor: colours[0],
      primaryTextColor: colours[1],
    })),
    ...OTHERS.map(([name, shortName, abbreviation, primaryBackgroundColor, primaryTextColor], index) => ({
      id: base + 13 + index,
      name,
      shortName,
      abbreviation,
      primaryBackgroundColor,
      primaryTextColor,
    })),
  ]
  const results = seasonOf(
    sport,
    teams.map(({ id }) => id),
  )
  const known = new Map(teams.map((team) => [team.id, team]))
  const rows = standingsOf({ teams, results, rules: usualRules(sport), adjustments: [] }).map(({ teamId, ...row }) => {
    const { id: _, ...team } = known.get(teamId) ?? { id: teamId, name: '', shortName: '' }
    return { teamId, ...team, ...row }
  })
  return { rows, groups: [], updatedAt }
}

/** Every team has met every other once. */
function seasonOf(sport: SportKey, ids: readonly number[]): Result[] {
  return ids.flatMap((home, index) =>
    ids.slice(index + 1).map((away, later): Result => {
      const seed = (index * 7 + later * 5 + sport.length) % 11
      const [one, other] = scoresOf(sport, seed, (index * 3 + later * 4) % 13)
      // an innings of twenty overs each
      const batted = (runs: number) => (sport === 'cricket' ? { runs, balls: 120 } : undefined)
      return {
        home: { teamId: home, score: one, batted: batted(one) },
        away: { teamId: away, score: other, batted: batted(other) },
      }
    }),
  )
}

function scoresOf(sport: SportKey, seed: number, other: number): readonly [number, number] {
  if (sport === 'volleyball') return seed > 4 ? [3, other % 3] : [other % 3, 3]
  const [least, more] = SCORES[sport] ?? [0, 4]
  return [least + Math.round((seed / 10) * more), least + Math.round((other / 12) * more * 0.9)]
}
