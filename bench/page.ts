import { gamePlansSection } from './game-plan-section.ts'
import { nodesSection } from './nodes/section.ts'
import { color, pageStyle } from './page-style.ts'
import type { PushRun } from './push.ts'
import type { Results } from './results.ts'
import { type Distribution, percentile, percents, spread } from './stats.ts'
import { type Axis, barChart, html, type Line, lineChart } from './svg.ts'
import { aimOf, rangeOf, readable } from './table.ts'
import { triggerSection } from './trigger-section.ts'
import type { Verdict } from './verdict.ts'
import { webhooksSection } from './webhook-section.ts'

/** The results as one HTML page that needs nothing else. */
export function page(results: Results): string {
  const { machine, plan, at, size } = results
  const missed = results.verdicts.filter(({ met }) => met === false).length
  const aims = results.verdicts.filter(({ met }) => met !== undefined).length
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0
      ? `<section class="doubts"><h2>${title}</h2><ul>${lines.map((line) => `<li>${html(line)}</li>`).join('')}</ul></section>`
      : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tally bench ${html(at.slice(0, 16))}</title>
<style>${pageStyle}</style></head><body><main>
<header><h1>Tally bench</h1><p class="state ${missed > 0 ? 'bad' : 'good'}">${aims === 0 ? 'no aims measured' : missed > 0 ? `${missed} of ${aims} aims missed` : `all ${aims} aims met`}</p>
<dl><div><dt>when</dt><dd>${html(at.slice(0, 19).replace('T', ' '))} UTC</dd></div><div><dt>machine</dt><dd>${machine.cores} cores, ${html(machine.cpu)}, ${machine.memoryGb} GB</dd></div><div><dt>Node</dt><dd>${html(machine.node)}</dd></div><div><dt>load</dt><dd>${plan.overlays} overlays × ${plan.renderers} renderers, ${plan.runs} runs of ${plan.seconds} s (${size})</dd></div></dl></header>
${list('Wrong', results.problems)}${list('Doubtful', results.doubts)}
<section class="cards">${results.verdicts
    .filter(({ limit }) => limit)
    .map(card)
    .join('')}</section>
${triggerSection(results)}${latencySection(results)}${maximumSection(results)}${restSection(results)}${seasonSection(results)}${gamePlansSection(results)}${webhooksSection(results)}${nodesSection(results)}
<section><h2>Every number</h2><table><thead><tr><th></th><th>median</th><th></th><th>runs</th><th>aim</th></tr></thead><tbody>${results.verdicts.map(tableRow).join('')}</tbody></table></section>
<footer>Push: from the moment a trigger was meant to be sent to the read of its frame at a renderer. Client, server and PostgreSQL share the machine.</footer>
</main></body></html>
`
}

const state = ({ met }: Verdict) => (met === undefined ? '' : met ? 'good' : 'bad')

const card = (row: Verdict) =>
  `<article class="${state(row)}"><h3>${html(row.name)}</h3><p><b>${readable(row.value.median)}</b> ${html(row.unit)}</p><small>aim ${html(aimOf(row))}</small></article>`

const tableRow = (row: Verdict) =>
  `<tr class="${state(row)}"><td>${html(row.name)}</td><td>${readable(row.value.median)}</td><td>${html(row.unit)}</td><td>${html(rangeOf(row))}</td><td>${html(aimOf(row))}</td></tr>`

// the tail is what matters, so the axis counts nines: 90, 99, 99.9, 99.99
const nines = (percent: number) => -Math.log10(1 - Math.min(percent, 99.995) / 100)
const shown = percents.map((percent, i) => ({ percent, i })).filter(({ percent }) => percent >= 1 && percent < 100)

const percentAxis: Axis = {
  from: 0,
  to: nines(99.99),
  ticks: [0, 50, 90, 99, 99.9, 99.99].map(nines),
  label: (value) => `${Number((100 - 100 * 10 ** -value).toFixed(2))} %`,
  title: 'share of frames',
}

function millisecondAxis(values: readonly number[]): Axis {
  const most = Math.max(1, ...values)
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
  const to = ticks.find((tick) => tick >= most) ?? most
  const low = Math.min(...values.filter((value) => value > 0), 1)
  const from = ticks.findLast((tick) => tick <= low) ?? 0.1
  return { from, to, ticks: ticks.filter((tick) => tick >= from && tick <= to), label: String, title: 'ms', log: true }
}

const curve = (of: Distribution) => shown.map(({ percent, i }) => [nines(percent), of.at[i] ?? 0] as const)

/** The median of the runs at each percentile. */
const middle = (runs: readonly Distribution[]): Distribution => ({
  count: runs.reduce((sum, { count }) => sum + count, 0),
  at: percents.map((_, i) => spread(runs.map(({ at }) => at[i] ?? 0)).median),
})

function percentileChart(title: string, tally: readonly PushRun[], bare: readonly PushRun[], limit: number): string {
  const pushes = tally.map(({ push }) => push)
  const lines: Line[] = [
    ...pushes.map((push) => ({ name: 'run', color: color.push, points: curve(push), faint: true })),
    { name: 'bare server, push', color: color.bare, points: curve(middle(bare.map(({ push }) => push))), dashed: true },
    { name: 'Tally, REST answer', color: color.rest, points: curve(middle(tally.map(({ rest }) => rest))) },
    { name: 'Tally, push', color: color.push, points: curve(middle(pushes)) },
  ]
  const axis = millisecondAxis(lines.flatMap(({ points }) => points.map(([, y]) => y)))
  return lineChart(title, percentAxis, axis, lines, [{ at: limit, text: `aim for p99: ${limit} ms` }])
}

function timelineChart(title: string, runs: readonly PushRun[]): string {
  const seconds = Math.max(...runs.map(({ timeline }) => timeline.p50.length * timeline.sliceMs)) / 1000
  const points = (values: readonly number[], sliceMs: number) =>
    values.map((value, i) => [((i + 0.5) * sliceMs) / 1000, value] as const)
  const lines: Line[] = runs.flatMap(({ timeline: { p50, p99, sliceMs } }, i) => [
    { name: 'p99 of 250 ms', color: color.rest, points: points(p99, sliceMs), faint: i > 0 },
    { name: 'p50 of 250 ms', color: color.push, points: points(p50, sliceMs), faint: i > 0 },
  ])
  const ticks = Array.from({ length: Math.floor(seconds) + 1 }, (_, i) => i)
  const x: Axis = {
    from: 0,
    to: seconds,
    ticks,
    label: (value) => `${value} s`,
    title: 'time in the run; other runs faint',
  }
  return lineChart(title, x, millisecondAxis(lines.flatMap(({ points: all }) => all.map(([, y]) => y))), lines)
}

function latencySection({ push, crowd, plan }: Results): string {
  const charts = [
    ...(push
      ? [
          percentileChart(
            `${plan.rate.toLocaleString('en-US')}/s over ${plan.overlays} overlays × ${plan.renderers}`,
            push.tally,
            push.reference,
            3,
          ),
          timelineChart('The same over time: push', push.tally),
        ]
      : []),
    ...(crowd
      ? [
          percentileChart(
            `${plan.crowd.rate}/s on one overlay × ${plan.crowd.renderers}`,
            crowd.tally,
            crowd.reference,
            8,
          ),
          timelineChart('The same over time: push', crowd.tally),
        ]
      : []),
  ]
  return charts.length > 0
    ? `<section><h2>Latency at a fixed rate</h2><div class="charts">${charts.join('')}</div></section>`
    : ''
}

function maximumSection({ maximum }: Results): string {
  if (!maximum) return ''
  const charts = maximum.map(({ inFlight, tally, reference, idempotent }, index) => {
    const bar = (name: string, fill: string, runs: readonly { perSecond: number }[]) => {
      const rates = runs.map(({ perSecond }) => perSecond)
      return rates.length > 0 ? [{ name, color: fill, value: spread(rates).median, runs: rates }] : []
    }
    const bars = [
      ...bar('Tally, durable', color.push, tally),
      ...bar('with Idempotency-Key', color.keyed, idempotent),
      ...bar('bare server', color.bare, reference),
    ]
    const limit = index === 0 ? { at: 12_000, text: 'aim 12,000/s' } : undefined
    return barChart(`Triggers a second, ${inFlight} in flight`, '/s', bars, limit)
  })
  const costs = maximum.flatMap(({ inFlight, tally, reference }) => {
    const micros = (part: 'serverMicros' | 'postgresMicros', runs: typeof tally) =>
      spread(runs.map(({ cost }) => cost[part])).median
    return [
      { name: `server, ${inFlight}`, color: color.push, value: micros('serverMicros', tally) },
      { name: `PostgreSQL, ${inFlight}`, color: color.postgres, value: micros('postgresMicros', tally) },
      { name: `bare server, ${inFlight}`, color: color.bare, value: micros('serverMicros', reference) },
    ]
  })
  charts.push(barChart('CPU time per trigger', 'µs', costs))
  return `<section><h2>Maximum</h2><div class="charts">${charts.join('')}</div></section>`
}

function restSection({ idle, start }: Results): string {
  const charts: string[] = []
  if (idle)
    charts.push(
      barChart(
        'Resident memory of the server',
        'MB',
        [
          { name: 'just started', color: color.bare, value: idle.beforeMb },
          { name: `${idle.renderers.toLocaleString('en-US')} renderers`, color: color.push, value: idle.afterMb },
          { name: 'PostgreSQL', color: color.postgres, value: idle.postgresMb },
        ],
        { at: idle.beforeMb + 60, text: 'aim: 60 MB more' },
      ),
    )
  if (start) {
    const bar = (name: string, runs: readonly number[]) => ({
      name,
      color: color.push,
      value: spread(runs).median,
      runs,
    })
    charts.push(
      barChart('Start to ready, initialized data', 'ms', [bar('initialized', start.initializedMs)], {
        at: 1500,
        text: 'aim 1,500',
      }),
    )
    charts.push(
      barChart('Start to ready, empty directory', 'ms', [bar('empty', start.emptyMs)], { at: 5000, text: 'aim 5,000' }),
    )
  }
  return charts.length > 0
    ? `<section><h2>At rest and at the start</h2><div class="charts">${charts.join('')}</div></section>`
    : ''
}

function seasonSection({ season, plan }: Results): string {
  if (!season) return ''
  const bars = season.lists.map(({ path, total, runs }) => {
    const p99 = runs.map((run) => percentile(run, 99))
    const note = `p50 ${readable(spread(runs.map((run) => percentile(run, 50))).median)}`
    return {
      name: `${path.slice(1)}, ${readable(total)}`,
      color: color.rest,
      value: spread(p99).median,
      runs: p99,
      note,
    }
  })
  const chart = barChart('Lists of 100, one client, p99', 'ms', bars, { at: 20, text: 'aim 20' })
  const { teams, players, matches, clients } = plan.season
  const text = `${readable(teams)} teams, ${readable(players)} players and ${readable(matches)} matches in ${readable(season.seconds)} s by ${clients} clients: ${readable(season.requests / season.seconds)} requests/s, ${readable(season.deferred)} told to wait.`
  return `<section><h2>A season</h2><p>${text}</p><div class="charts">${chart}</div></section>`
}
