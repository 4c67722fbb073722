import type { SportKey } from '../../schema/sport.ts'

/** Minutes are whole; a sport without a clock has `useClock` false. */
export type SportDefaults = {
  periodType: 'half' | 'quarter' | 'period' | 'set' | 'innings'
  periodCount: number
  periodLength: number
  breakLength: number
  useClock: boolean
  clockDirection: 'up' | 'down'
  cumulative: boolean
  startingSize: number
  benchSize: number
}

type Periods = Pick<SportDefaults, 'periodType' | 'periodCount' | 'periodLength' | 'breakLength'>

const periods = (
  periodType: SportDefaults['periodType'],
  periodCount: number,
  periodLength: number,
  breakLength: number,
): Periods => ({ periodType, periodCount, periodLength, breakLength })

const up = (shape: Periods, startingSize: number, benchSize: number): SportDefaults => ({
  ...shape,
  useClock: true,
  clockDirection: 'up',
  cumulative: true,
  startingSize,
  benchSize,
})

const down = (shape: Periods, startingSize: number, benchSize: number): SportDefaults => ({
  ...up(shape, startingSize, benchSize),
  clockDirection: 'down',
  cumulative: false,
})

const untimed = (shape: Periods, startingSize: number, benchSize: number): SportDefaults => ({
  ...up(shape, startingSize, benchSize),
  useClock: false,
  cumulative: false,
})

/** How a match of each sport is played when nobody says otherwise. */
export const SPORT_DEFAULTS: Readonly<Record<SportKey, SportDefaults>> = {
  football: up(periods('half', 2, 45, 15), 11, 9),
  futsal: down(periods('half', 2, 20, 10), 5, 9),
  rugbyUnion: up(periods('half', 2, 40, 12), 15, 8),
  rugbySevens: up(periods('half', 2, 7, 2), 7, 5),
  rugbyLeague: up(periods('half', 2, 40, 10), 13, 6),
  touchFootball: down(periods('half', 2, 20, 5), 6, 8),
  ausRules: down(periods('quarter', 4, 20, 6), 18, 5),
  gridiron: down(periods('quarter', 4, 15, 12), 11, 42),
  basketball: down(periods('quarter', 4, 10, 2), 5, 7),
  netball: down(periods('quarter', 4, 15, 4), 7, 5),
  fieldHockey: down(periods('quarter', 4, 15, 2), 11, 7),
  iceHockey: down(periods('period', 3, 20, 15), 6, 16),
  handBall: up(periods('half', 2, 30, 10), 7, 9),
  waterPolo: down(periods('quarter', 4, 8, 2), 7, 7),
  lacrosse: down(periods('quarter', 4, 15, 2), 10, 13),
  volleyball: untimed(periods('set', 5, 0, 3), 6, 8),
  tennis: untimed(periods('set', 3, 0, 2), 2, 0),
  cricket: untimed(periods('innings', 2, 0, 10), 11, 1),
  baseball: untimed(periods('innings', 9, 0, 2), 9, 17),
}
