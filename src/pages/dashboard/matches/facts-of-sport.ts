import { periodOf } from '../../../../machines/play/periods.ts'
import { sportOf } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import type { Fact, Match } from '../shapes.ts'

/** A fact that one press records. */
export type Press = { type: string; label: string; points?: number }

/** The scoring facts of a sport; where the points are open, one press for each. */
export function scoringOf(sport: string): Press[] {
  return Object.entries(sportOf(sport).factTypes)
    .filter(([, { scoring, structural }]) => scoring && !structural)
    .flatMap(([type, { points }]) => {
      if (typeof points === 'number' || points.default !== undefined) return [{ type, label: worded(type) }]
      const { min, max } = points
      return Array.from({ length: max - min + 1 }, (_, index) => ({
        type,
        label: `${worded(type)} ${min + index}`,
        points: min + index,
      }))
    })
}

/** The other facts of a side in a sport: cards, corners, substitutions. */
export const notedOf = (sport: string): string[] =>
  Object.entries(sportOf(sport).factTypes)
    .filter(([type, { scoring, structural }]) => !scoring && (!structural || type === 'timeout'))
    .map(([type]) => type)

/** `1st half started`, `Penalty goal`. */
export function factWords({ sport, config }: Match, { type, period, periodType }: Fact): string {
  if (type !== 'periodStart' && type !== 'periodEnd') return worded(type)
  const { name } = periodOf(sportOf(sport), config, period, periodType === 'shootout' ? period : 0)
  return `${name} ${type === 'periodStart' ? 'started' : 'ended'}`
}

/** The facts that may come next in the course of the match, the likeliest first. */
export function courseOf({ sport, state, period, config, clock }: Match): Press[] {
  const nameOf = (number: number) => periodOf(sportOf(sport), config, number, 0).name
  const clocks: Press[] = !config.useClock
    ? []
    : clock.running
      ? [{ type: 'clockStop', label: 'Stop the clock' }]
      : [{ type: 'clockStart', label: 'Start the clock' }]
  const end: Press = { type: 'matchEnd', label: 'End the match' }
  const start: Press = { type: 'periodStart', label: `Start ${nameOf((period?.number ?? 0) + 1)}` }
  if (state === 'scheduled' || state === 'delayed' || state === 'postponed') return [start]
  if (state === 'break') return period && period.number >= config.periodCount ? [end, start] : [start, end]
  if (state !== 'live' || !period) return []
  const endPeriod: Press = { type: 'periodEnd', label: `End ${period.name}` }
  return period.number >= config.periodCount ? [end, ...clocks, endPeriod] : [endPeriod, ...clocks]
}
