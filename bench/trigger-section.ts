import { color } from './page-style.ts'
import type { MaximumRun, PushRun } from './push.ts'
import type { Results } from './results.ts'
import { percentile, spread } from './stats.ts'
import { type Bar, barChart } from './svg.ts'
import { cpuMicros } from './trigger-rows.ts'

/** The cost of a trigger beside other servers, and the tail of many minutes. */
export function triggerSection({ trigger, steady, plan }: Results): string {
  const charts: string[] = []
  const bar = <Run>(name: string, fill: string, runs: readonly Run[], value: (run: Run) => number): Bar => {
    const values = runs.map(value)
    return { name, color: fill, value: spread(values).median, runs: values }
  }
  if (trigger) {
    const { tally, committing, fastify } = trigger.paced
    const at = `${plan.rate.toLocaleString('en-US')}/s on one overlay × ${plan.renderers}`
    const pushes = (percent: 50 | 99) => {
      const value = ({ push }: PushRun) => percentile(push, percent)
      return [
        bar(`Tally, p${percent}`, color.push, tally, value),
        bar(`bare, commits, p${percent}`, color.bare, committing, value),
        bar(`fastify + ws, p${percent}`, color.rest, fastify, value),
      ]
    }
    charts.push(
      barChart(`CPU per trigger, ${at}`, 'µs', [
        bar('Tally, server', color.push, tally, ({ cost }) => cost.serverMicros),
        bar('Tally, PostgreSQL', color.postgres, tally, ({ cost }) => cost.postgresMicros),
        bar('fastify + ws', color.rest, fastify, cpuMicros),
      ]),
      barChart(`Push, ${at}`, 'ms', [...pushes(50), ...pushes(99)]),
    )
    const rate = ({ perSecond }: MaximumRun) => perSecond
    const rates = trigger.inFlight.flatMap(({ inFlight, ...runs }) => [
      bar(`Tally, ${inFlight}`, color.push, runs.tally, rate),
      ...(runs.keyed.length > 0 ? [bar(`with a key, ${inFlight}`, color.keyed, runs.keyed, rate)] : []),
      bar(`fastify + ws, ${inFlight}`, color.rest, runs.fastify, rate),
    ])
    charts.push(barChart('Triggers a second on one overlay, by requests in flight', '/s', rates))
  }
  if (steady) {
    const { push } = steady.run
    const { rate, overlays, renderers, seconds } = plan.steady
    const bars = ([50, 99, 99.9, 100] as const).map((percent) => ({
      name: percent === 100 ? 'slowest' : `p${percent}`,
      color: color.push,
      value: percentile(push, percent),
    }))
    const title = `Push, ${rate}/s over ${overlays} overlays × ${renderers} for ${seconds} s, data ${steady.inMemory ? 'in memory' : 'on disk'}`
    charts.push(barChart(title, 'ms', bars, { at: 16.7, text: 'a frame' }))
  }
  return charts.length > 0
    ? `<section><h2>What a trigger costs</h2><div class="charts">${charts.join('')}</div></section>`
    : ''
}
