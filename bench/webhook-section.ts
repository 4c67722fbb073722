import { color } from './page-style.ts'
import type { Results } from './results.ts'
import { spread } from './stats.ts'
import { barChart } from './svg.ts'
import { arrivalAt, WEBHOOKS_AIM } from './webhook-rows.ts'
import { WEBHOOKS_NAMES } from './webhooks.ts'

/** How long a goal takes to the servers that are told of it. */
export function webhooksSection({ webhooks, plan }: Results): string {
  if (!webhooks) return ''
  const bars = (['one', 'all', 'dead'] as const).flatMap((kind) =>
    ([50, 99] as const).map((percent) => {
      const runs = webhooks[kind].map(arrivalAt(percent))
      return { name: `${WEBHOOKS_NAMES[kind]}, p${percent}`, color: color.push, value: spread(runs).median, runs }
    }),
  )
  const title = `From a goal to its receivers, ${plan.webhooks.endpoints} webhooks`
  const chart = barChart(title, 'ms', bars, { at: WEBHOOKS_AIM, text: `aim for p50: ${WEBHOOKS_AIM}` })
  return `<section><h2>Webhooks</h2><div class="charts">${chart}</div></section>`
}
