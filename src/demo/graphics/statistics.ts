import type { GraphicData } from './data.ts'

export type StatisticRow = {
  label: string
  home: number
  away: number
  shown: { home: string; away: string }
  /** Behind the number: `%`, `km`. */
  unit: string
}

const MOST = 8
/** The usual ones, most telling first; those that a match does not have are left out. */
const USUAL = [
  'possession',
  'shots',
  'shotsOnTarget',
  'expectedGoals',
  'passes',
  'passAccuracy',
  'corners',
  'fouls',
  'offsides',
  'yellowCards',
  'saves',
  'distance',
]
const PERCENT = /possession|accuracy|rate$|territory|pointsWon$/i
/** Of these names the end says otherwise. */
const NUMBERS: readonly string[] = ['runRate', 'breakPointsWon']
const LABELS: Readonly<Record<string, string>> = { expectedGoals: 'Expected goals (xG)', distance: 'Distance covered' }

/** Up to eight statistics of both sides: those that are named, else the usual ones, else whatever the match has. */
export function chosen({ statistics }: Partial<GraphicData>, named: string | undefined): StatisticRow[] {
  const { home = {}, away = {} } = statistics ?? {}
  const known = Object.keys({ ...home, ...away })
  const asked = named?.split(',').map((name) => name.trim())
  const usual = [...USUAL.filter((name) => known.includes(name)), ...known.filter((name) => !USUAL.includes(name))]
  const names = asked?.filter((name) => name !== '') ?? usual
  return names.slice(0, MOST).map((name) => rowOf(name, home[name] ?? 0, away[name] ?? 0))
}

function rowOf(name: string, home: number, away: number): StatisticRow {
  const unit = PERCENT.test(name) && !NUMBERS.includes(name) ? '%' : name === 'distance' ? ' km' : ''
  const digits = name === 'expectedGoals' ? 2 : Number.isInteger(home) && Number.isInteger(away) ? 0 : 1
  const text = (value: number) =>
    value.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return { label: LABELS[name] ?? worded(name), home, away, shown: { home: text(home), away: text(away) }, unit }
}

/** `shotsOnTarget` is `Shots on target`, `x_hard_runs` is `Hard runs`. */
function worded(name: string): string {
  const words = name
    .replace(/^x_/, '')
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(\p{Lu}|\d)/gu, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
