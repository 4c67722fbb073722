import type { MatchConfig, PeriodType, Play } from '../match-model.ts'
import type { Sport } from '../sports/sport.ts'

const NAMES: Readonly<Partial<Record<PeriodType, string>>> = { set: 'Set', overtime: 'Extra time' }

const ordinal = (number: number) => {
  const tens = number % 100
  const suffix = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')
  return `${number}${suffix}`
}

/** Number, type and name of a period: `1st half`, `Set 2`, `Extra time 1`; `shootout` is the number of the shoot-out, if any. */
export function periodOf(
  { periodType, overtime }: Sport,
  { periodCount }: MatchConfig,
  number: number,
  shootout: number,
): NonNullable<Play['period']> {
  if (number === shootout) return { number, type: 'shootout', name: 'Shoot-out' }
  const type = number > periodCount ? overtime.type : periodType
  const prefix = NAMES[type]
  const counted = type === 'overtime' ? number - periodCount : number
  return { number, type, name: prefix ? `${prefix} ${counted}` : `${ordinal(number)} ${type}` }
}
