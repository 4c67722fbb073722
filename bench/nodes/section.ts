import type { NodesPlan } from '../options.ts'
import { color } from '../page-style.ts'
import type { PushRun } from '../push.ts'
import type { Results } from '../results.ts'
import { spread } from '../stats.ts'
import { type Bar, barChart, html, type StackedBar, stackedChart } from '../svg.ts'
import { readable } from '../table.ts'
import type { AloneResult } from './alone.ts'
import type { Idle, RestResult } from './rest.ts'
import {
  awayLimitMs,
  faultTexts,
  joinLimitMs,
  outageLimits,
  pushP50,
  redisLimitMs,
  restP50,
  triggerParts,
  wayTexts,
} from './rows.ts'
import { faultNames, type Outage, type TakeoverResult } from './takeover.ts'
import { type WayName, type WaysResult, wayNames } from './ways.ts'

/** The colour of each part of the service. */
const partColors: Record<string, string> = {
  owner: color.push,
  asked: color.rest,
  shown: color.keyed,
  postgres: color.postgres,
  writers: color.writers,
  redis: color.redis,
}
const partTexts: Record<string, string> = {
  owner: 'the owner',
  asked: 'the node that is asked',
  shown: 'the node of the renderers',
  postgres: 'PostgreSQL',
  writers: 'its writers',
  redis: 'Redis',
}

/** There is room for 24 letters before a bar. */
const barTexts: Record<WayName, string> = { ...wayTexts, all: 'both elsewhere' }

const bar = (name: string, fill: string, runs: readonly number[]): Bar => ({
  name,
  color: fill,
  value: spread(runs).median,
  runs,
})

/** Several nodes beside one: latencies, what it costs, and how long it takes them to stand in for each other. */
export function nodesSection({ nodes, plan }: Results): string {
  if (!nodes) return ''
  const { ways, rest, takeover, count, alone } = nodes
  const charts = [
    ...(ways ? waysCharts(ways, plan.nodes) : []),
    ...(takeover ? takeoverCharts(takeover) : []),
    ...(rest ? restCharts(rest, count) : []),
    ...(alone?.alone ? [aloneChart(alone, plan.nodes)] : []),
  ]
  const text = `${count} nodes, one PostgreSQL and one Redis share the cores with the clients, so the rates are low: what is measured is the way, not the queue. Every run has its neighbours of the other ways a few seconds apart.`
  return `<section><h2>Several nodes</h2><p>${html(text)}</p><div class="charts">${charts.join('')}</div></section>`
}

function waysCharts(of: WaysResult, { rate, busyRate, overlays, renderers }: NodesPlan): string[] {
  const { ways } = of
  const latency = (value: (run: PushRun) => number, fill: string) =>
    wayNames.map((name) => bar(barTexts[name], name === 'one' ? color.bare : fill, ways[name].paced.map(value)))
  const at = `${rate}/s over ${overlays} overlays × ${renderers}`
  const above = (value: (run: PushRun) => number, ms: number) => ({
    at: spread(ways.own.paced.map(value)).median + ms,
    text: `owner + ${ms}`,
  })
  const costs = (['one', 'own', 'all'] as const).map((name) => stackOf(name, of))
  const micros = (costs[0]?.parts ?? []).reduce((sum, { value }) => sum + value, 0)
  return [
    barChart(`Push p50, ${at}`, 'ms', latency(pushP50, color.push), above(pushP50, 0.5)),
    barChart(`REST p50, ${at}`, 'ms', latency(restP50, color.rest), above(restP50, 0.7)),
    stackedChart(`CPU per trigger, ${busyRate}/s`, 'µs', costs, { at: 1.5 * micros, text: '1.5 × one node' }),
  ]
}

function takeoverCharts({ faults, joins, redisBack, redisAway }: TakeoverResult): string[] {
  const aimed = (name: string, ms: number) => `${name}, aim ${ms / 1000} s`
  const waits = (outages: readonly Outage[]) => outages.map(({ longestMs }) => longestMs)
  const share = joins.map(({ sharedMs, readyMs }) => sharedMs - readyMs)
  const away = redisAway.map(({ slowest }) => slowest)
  return [
    barChart('Commands for the overlays of a node: the longest wait', 'ms', [
      ...faultNames.map((fault) =>
        bar(aimed(`it is ${faultTexts[fault]}`, outageLimits[fault]), color.push, waits(faults[fault])),
      ),
      bar('another is added', color.push, waits(joins)),
    ]),
    barChart('How soon a new node has its share, and pushes without Redis', 'ms', [
      bar(aimed('new node', joinLimitMs), color.keyed, share),
      bar(aimed('Redis is back', redisLimitMs), color.keyed, redisBack),
      bar(aimed('slowest push', awayLimitMs), color.rest, away),
    ]),
  ]
}

function restCharts({ idle, compared }: RestResult, count: number): string[] {
  const each = (who: 'one' | 'several', part: keyof Idle) => idle[who].map((at) => at[part])
  return [
    barChart('At rest, CPU a second', 'ms', [
      bar(`one of ${count} nodes`, color.push, each('several', 'nodeMs')),
      bar('a node without others', color.bare, each('one', 'nodeMs')),
      bar(`PostgreSQL for ${count}`, color.postgres, each('several', 'postgresMs')),
      bar('PostgreSQL for one', color.bare, each('one', 'postgresMs')),
      bar('Redis for both', color.redis, each('several', 'redisMs')),
    ]),
    barChart(
      'Comparing open overlays with the database, once a second',
      'ms',
      compared.map(({ overlays, ms }) => ({
        name: `${readable(overlays)} overlays`,
        color: color.postgres,
        value: ms.median,
      })),
    ),
  ]
}

function aloneChart({ alone, member, before }: AloneResult, { busyRate }: NodesPlan): string {
  const micros = (runs: readonly PushRun[] = []) => runs.map(({ cost }) => cost.serverMicros + cost.postgresMicros)
  return barChart(`One server, CPU per trigger, ${busyRate}/s`, 'µs', [
    bar('alone', color.push, micros(alone?.paced)),
    ...(member ? [bar('the only member', color.keyed, micros(member.paced))] : []),
    ...(before ? [bar('the other version', color.bare, micros(before.paced))] : []),
  ])
}

function stackOf(name: 'one' | 'own' | 'all', { ways, rest }: WaysResult): StackedBar {
  const atRest = name === 'one' ? rest.one : rest.several
  const runs = ways[name].busy.map(({ run }) => new Map(triggerParts(run, atRest)))
  const parts = Array.from(runs[0]?.keys() ?? [], (part) => ({
    name: partTexts[part] ?? part,
    color: partColors[part] ?? color.bare,
    value: spread(runs.map((run) => run.get(part) ?? 0)).median,
  }))
  return { name: barTexts[name], parts }
}
