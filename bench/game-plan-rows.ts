import { type GamePlansResult, type GoalsRun, NAMES, SIMULATED_FACTS } from './game-plans.ts'
import type { Plan } from './options.ts'
import { percentile } from './stats.ts'
import { type AddRow, most } from './verdict.ts'

/** ms, by percentile. */
export const AIMS = { 50: 30, 99: 120 } as const
/** ms. game-plan: Game plan */
const SIMULATION_AIM = 200
export const kinds = ['each', 'one'] as const
export const at = (of: 'first' | 'last', percent: 50 | 99) => (run: GoalsRun) => percentile(run[of], percent)

/** From a goal to its graphic, with the aims of automatic overlays. */
export function gamePlansRows(
  add: AddRow,
  { each, one, simulations = [] }: GamePlansResult,
  { gamePlans }: Plan,
): void {
  const { overlays, rate, crowdRate } = gamePlans
  const load = `${rate} goals/s, ${overlays} overlays, ${NAMES.each}`
  add('plans.first.p50', `first frame of a goal, p50, ${load}`, 'ms', each.map(at('first', 50)), most(AIMS[50]))
  add('plans.first.p99', 'first frame of a goal, p99', 'ms', each.map(at('first', 99)), most(AIMS[99]))
  const crowd = `${crowdRate}/s, ${NAMES.one}`
  add('plans.one.p50', `first frame, p50, ${crowd}`, 'ms', one.map(at('first', 50)))
  add('plans.one.p99', 'first frame, p99', 'ms', one.map(at('first', 99)))
  add('plans.one.last', 'last of all frames, p99', 'ms', one.map(at('last', 99)))
  // results of earlier versions have none
  if (simulations.length > 0)
    add(
      'plans.simulate',
      `a match of ${SIMULATED_FACTS} facts simulated, the demo's plan`,
      'ms',
      simulations,
      most(SIMULATION_AIM),
    )
}

/** Goals that were refused, and those that nobody saw. */
export const gamePlansProblems = (found: GamePlansResult): string[] =>
  kinds.flatMap((kind) =>
    found[kind].flatMap(({ goals, statuses, first }) => [
      ...Object.entries(statuses).flatMap(([status, count]) =>
        status === '201' ? [] : [`plans: ${count} answers of status ${status}`],
      ),
      ...(first.count < goals ? [`plans: ${goals - first.count} of ${goals} goals were not shown`] : []),
    ]),
  )
