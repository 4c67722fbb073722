import { AIMS, at, kinds } from './game-plan-rows.ts'
import { NAMES } from './game-plans.ts'
import { color } from './page-style.ts'
import type { Results } from './results.ts'
import { spread } from './stats.ts'
import { barChart } from './svg.ts'

/** How long goals take to the air where nobody presses anything. */
export function gamePlansSection({ gamePlans, plan }: Results): string {
  if (!gamePlans) return ''
  const bars = kinds.flatMap((kind) =>
    ([50, 99] as const).map((percent) => {
      const runs = gamePlans[kind].map(at('first', percent))
      return { name: `${NAMES[kind]}, p${percent}`, color: color.push, value: spread(runs).median, runs }
    }),
  )
  const title = `From a goal to its first frame, ${plan.gamePlans.overlays} automatic overlays`
  const chart = barChart(title, 'ms', bars, { at: AIMS[99], text: `aim for p99: ${AIMS[99]}` })
  return `<section><h2>Matches that run their own graphics</h2><div class="charts">${chart}</div></section>`
}
