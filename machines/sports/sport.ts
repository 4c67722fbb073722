import type { MatchConfig, PeriodType } from '../match-model.ts'
import { type FactTypes, STRUCTURAL } from './fact-type.ts'
import type { Scoring } from './scoring.ts'
import { SumScoring } from './sum.ts'

export type Sport = {
  defaults: MatchConfig
  periodType: PeriodType
  /** With `extraTime`: how many periods more there may be, and the minutes of each (0: until it is decided). */
  overtime: { count: number; length: number; type: PeriodType }
  /** A time-out stops the clock. */
  clockStops: boolean
  /** By name, those shared by all sports included. */
  factTypes: FactTypes
  scoring: (config: MatchConfig) => Scoring
}

type Played = Pick<MatchConfig, 'periodCount' | 'periodLength' | 'breakLength'> & { periodType: PeriodType }

/** Lengths in minutes. */
export const periods = (
  periodType: PeriodType,
  periodCount: number,
  periodLength: number,
  breakLength: number,
): Played => ({ periodType, periodCount, periodLength, breakLength })

export const overtime = (count: number, length: number, type: PeriodType = 'overtime'): Sport['overtime'] => ({
  count,
  length,
  type,
})
/** As many periods as it takes. */
export const ANY = 99
export const noOvertime = overtime(0, 0)

type Clock = Pick<MatchConfig, 'useClock' | 'clockDirection' | 'cumulative' | 'endBehaviour'> & { stops: boolean }

/** Counts on through all periods and past their length. */
export const up: Clock = {
  useClock: true,
  clockDirection: 'up',
  cumulative: true,
  endBehaviour: 'tickUntilEnd',
  stops: false,
}
/** Counts each period down to nothing; stands whenever play does. */
export const down: Clock = {
  useClock: true,
  clockDirection: 'down',
  cumulative: false,
  endBehaviour: 'stopAtLength',
  stops: true,
}
export const untimed: Clock = { ...up, useClock: false, cumulative: false }

type Rest = {
  overtime?: Sport['overtime']
  facts: readonly FactTypes[]
  scoring?: Sport['scoring']
  /** Members that differ from those of most sports. */
  config?: Partial<MatchConfig>
}

/** A row of the table; `starting` and `bench` are the sizes of a line-up. */
export function sport(
  { periodType, ...lengths }: Played,
  { stops, ...clock }: Clock,
  [startingSize, benchSize]: readonly [starting: number, bench: number],
  { overtime = noOvertime, facts, scoring = (config) => new SumScoring(config), config }: Rest,
): Sport {
  return {
    defaults: {
      ...lengths,
      extraTime: false,
      goldenGoal: false,
      shootout: false,
      ...clock,
      injuryTime: false,
      statCoverage: 'standard',
      startingSize,
      benchSize,
      ...config,
    },
    periodType,
    overtime,
    clockStops: stops,
    factTypes: Object.assign({}, STRUCTURAL, ...facts),
    scoring,
  }
}
