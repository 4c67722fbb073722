import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { gamePlansProblems, gamePlansRows } from './game-plan-rows.ts'
import type { GamePlansResult } from './game-plans.ts'
import type { NodesResult } from './nodes/nodes.ts'
import { nodesProblems, nodesRows } from './nodes/rows.ts'
import type { Plan } from './options.ts'
import type { MaximumRun, PushRun } from './push.ts'
import type { SeasonResult } from './season.ts'
import { percentile, round, spread } from './stats.ts'
import type { SteadyResult } from './steady.ts'
import type { StreamsResult } from './streams.ts'
import type { TriggerResult } from './trigger.ts'
import { diskRows, steadyRows, triggerRows } from './trigger-rows.ts'
import { type AddRow, least, most, type Verdict } from './verdict.ts'
import { webhooksProblems, webhooksRows } from './webhook-rows.ts'
import type { WebhooksResult } from './webhooks.ts'

/** The same load on Tally, on the bare server, and on a bare server that commits: a run of each, then the next. */
export type Compared<Run> = { tally: Run[]; reference: Run[]; committing?: Run[] }

export type MaximumResult = Compared<MaximumRun> & { inFlight: number; idempotent: MaximumRun[] }

export type IdleResult = {
  renderers: number
  beforeMb: number
  afterMb: number
  postgresMb: number
  connectSeconds: number
}

export type StartResult = { emptyMs: number[]; initializedMs: number[] }

/** All that one `npm run bench` found, as in `bench/results/<time>.json`. */
export type Results = {
  format: 1
  at: string
  machine: { cores: number; cpu: string; memoryGb: number; node: string; platform: string }
  size: string
  plan: Plan
  trigger?: TriggerResult
  push?: Compared<PushRun>
  crowd?: Compared<PushRun>
  maximum?: MaximumResult[]
  steady?: SteadyResult
  idle?: IdleResult
  start?: StartResult
  season?: SeasonResult
  streams?: StreamsResult
  gamePlans?: GamePlansResult
  webhooks?: WebhooksResult
  nodes?: NodesResult
  /** Log lines of the server, warnings and worse. */
  warnings: string[]
  verdicts: Verdict[]
  /** Faults at any speed: refusals, lost frames, closed renderers. */
  problems: string[]
  /** Doubts about the numbers: a bench that was itself late, warnings of the server. */
  doubts: string[]
}

/** The measured part of the results. */
export type Found = Omit<Results, 'verdicts' | 'problems' | 'doubts'>

export const machine = (): Results['machine'] => ({
  cores: availableParallelism(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: round(totalmem() / 2 ** 30, 1),
  node: process.version,
  platform: `${process.platform} ${process.arch}`,
})

/** The rows of the table, with the aims of the project where there are any. */
export function judge(results: Found): Verdict[] {
  const rows: Verdict[] = []
  const {
    trigger,
    push,
    crowd,
    maximum,
    steady,
    idle,
    start,
    season,
    streams,
    gamePlans,
    webhooks,
    nodes,
    plan,
    size,
  } = results
  const add: AddRow = (id, name, unit, runs, limit) => {
    if (runs.length === 0) return
    const value = spread(runs)
    // the aims are for the whole load, not for the smallest one
    if (!limit || size === 'smoke') rows.push({ id, name, unit, value })
    else {
      const met = limit.at === 'most' ? value.median <= limit.value : value.median >= limit.value
      rows.push({ id, name, unit, value, limit, met })
    }
  }
  if (trigger) triggerRows(add, trigger, plan)
  if (push) {
    const { tally, reference, committing = [] } = push
    const at = `${plan.rate.toLocaleString('en-US')}/s`
    const of = (runs: PushRun[], part: 'push' | 'rest', percent: 50 | 99) =>
      runs.map((run) => percentile(run[part], percent))
    add('push.p50', `push p50 at ${at}`, 'ms', of(tally, 'push', 50), most(0.8))
    add('push.p99', `push p99 at ${at}`, 'ms', of(tally, 'push', 99), most(3))
    add('rest.p99', `REST p99 at ${at}`, 'ms', of(tally, 'rest', 99), most(3))
    add('push.bare.p50', 'bare server: push p50', 'ms', of(reference, 'push', 50))
    add('push.bare.p99', 'bare server: push p99', 'ms', of(reference, 'push', 99))
    add('push.committing.p50', 'bare server that commits: push p50', 'ms', of(committing, 'push', 50))
    add('push.committing.p99', 'bare server that commits: push p99', 'ms', of(committing, 'push', 99))
  }
  if (crowd) {
    const { renderers, rate } = plan.crowd
    const p99 = (runs: PushRun[]) => runs.map((run) => percentile(run.push, 99))
    add('crowd.p99', `push p99, ${renderers} renderers at ${rate}/s`, 'ms', p99(crowd.tally), most(8))
    add('crowd.bare.p99', 'bare server: push p99', 'ms', p99(crowd.reference))
  }
  maximum?.forEach(({ inFlight, tally, reference, idempotent }, index) => {
    const rates = tally.map(({ perSecond }) => perSecond)
    const bare = reference.map(({ perSecond }) => perSecond)
    const ratio = rates.map((rate, i) => round(rate / (bare[i] ?? Number.NaN)))
    const first = index === 0
    const name = `durable triggers, ${inFlight} in flight`
    add(`maximum.${inFlight}`, name, '/s', rates, first ? least(12_000) : undefined)
    add(`maximum.${inFlight}.bare`, 'bare server', '/s', bare)
    add(`maximum.${inFlight}.ratio`, 'ratio to the bare server', '×', ratio, first ? least(0.2) : undefined)
    const keyed = idempotent.map((run, i) => round(run.perSecond / (rates[i] ?? Number.NaN)))
    add(`maximum.${inFlight}.idempotent`, 'ratio with an Idempotency-Key each', '×', keyed)
    const micros = (part: 'serverMicros' | 'postgresMicros') => tally.map(({ cost }) => cost[part])
    add(`maximum.${inFlight}.server`, 'CPU of the server per trigger', 'µs', micros('serverMicros'))
    add(`maximum.${inFlight}.postgres`, 'CPU of PostgreSQL per trigger', 'µs', micros('postgresMicros'))
  })
  if (steady) steadyRows(add, steady, plan)
  diskRows(add, results)
  if (idle) {
    const grown = round(idle.afterMb - idle.beforeMb, 1)
    add('idle', `memory of ${idle.renderers.toLocaleString('en-US')} idle renderers`, 'MB', [grown], most(60))
    add('idle.server', 'memory of the server before them, just started', 'MB', [idle.beforeMb])
    add('idle.postgres', 'memory of PostgreSQL with them', 'MB', [idle.postgresMb])
  }
  if (start) {
    add('start.initialized', 'start on initialized data', 'ms', start.initializedMs, most(1500))
    add('start.empty', 'start on an empty directory', 'ms', start.emptyMs, most(5000))
  }
  if (season) {
    const { teams, players, matches } = plan.season
    const name = `import of ${teams} teams, ${players.toLocaleString('en-US')} players, ${matches.toLocaleString('en-US')} matches`
    add('season.seconds', name, 's', [round(season.seconds, 1)])
    add('season.rate', 'requests of the import', '/s', [round(season.requests / season.seconds, 1)])
    for (const { path, total, runs } of season.lists) {
      const at = (percent: 50 | 99) => runs.map((run) => percentile(run, percent))
      add(`season.${path}.p50`, `GET ${path} of ${total.toLocaleString('en-US')}, p50`, 'ms', at(50))
      add(`season.${path}.p99`, `GET ${path} of ${total.toLocaleString('en-US')}, p99`, 'ms', at(99), most(20))
    }
  }
  if (streams) {
    const { connectMs, retryMs, relay, burned, destinations } = streams
    const part = (of: 'cpuPercent' | 'mb', runs: StreamsResult['relay']) => runs.map((run) => run[of])
    add('streams.connect', `video in to all ${destinations} destinations connected`, 'ms', connectMs, most(2_000))
    add('streams.retry', 'far end dead to retrying', 'ms', retryMs, most(100))
    add('streams.relay.cpu', 'CPU of a destination, passed on', '% of a core', part('cpuPercent', relay), most(0.6))
    add('streams.relay.mb', 'memory of a destination', 'MB', part('mb', relay), most(57))
    add(
      'streams.burned.cpu',
      'CPU of a stream with graphics, 720p25',
      '% of a core',
      part('cpuPercent', burned),
      most(62),
    )
    add('streams.burned.mb', 'memory of a stream with graphics', 'MB', part('mb', burned))
  }
  if (gamePlans) gamePlansRows(add, gamePlans, plan)
  if (webhooks) webhooksRows(add, webhooks, plan)
  if (nodes) nodesRows(add, nodes, plan)
  return rows
}

/** The faults in the runs, as sentences. */
export function findProblems({
  trigger,
  push,
  crowd,
  maximum,
  steady,
  season,
  gamePlans,
  webhooks,
  nodes,
  plan,
}: Found): string[] {
  const problems: string[] = (season?.failures ?? []).slice(0, 10).map((text) => `season: ${text}`)
  for (const { path, total } of season?.lists ?? []) {
    const [name] = path.split('/').slice(-1)
    const made = name === 'teams' || name === 'players' || name === 'matches' ? plan.season[name] : total
    if (total !== made) problems.push(`season: ${path} counts ${total} of ${made}`)
  }
  const check = (name: string, run: PushRun | MaximumRun, slack: number) => {
    const bad = Object.entries(run.statuses).filter(([status]) => status !== '200')
    for (const [status, count] of bad)
      problems.push(`${name}: ${count} answers of ${status === '0' ? 'no' : status} status`)
    if (run.frames < run.expected)
      problems.push(`${name}: ${run.expected - run.frames} of ${run.expected} frames missing`)
    if (run.frames > run.expected + slack) problems.push(`${name}: ${run.frames - run.expected} frames too many`)
    if (run.backwards > 0) problems.push(`${name}: seq fell ${run.backwards} times`)
    if (run.closed > 0) problems.push(`${name}: ${run.closed} renderers were closed`)
    if ('failed' in run) problems.push(...run.failed.map((text) => `${name}: ${text}`))
  }
  for (const run of trigger?.paced.tally ?? []) check('trigger', run, 0)
  for (const { inFlight, tally, keyed } of trigger?.inFlight ?? [])
    for (const run of [...tally, ...keyed]) check(`trigger at ${inFlight}`, run, 0)
  if (steady) check('steady', steady.run, 0)
  for (const run of push?.tally ?? []) check('push', run, 0)
  for (const run of crowd?.tally ?? []) check('crowd', run, 0)
  // requests that autocannon cut off at the end of a run are carried out but not counted
  for (const { inFlight, tally, idempotent } of maximum ?? [])
    for (const run of [...tally, ...idempotent]) check(`maximum at ${inFlight}`, run, (inFlight * run.frames) / 100)
  if (gamePlans) problems.push(...gamePlansProblems(gamePlans))
  if (webhooks) problems.push(...webhooksProblems(webhooks))
  if (nodes) problems.push(...nodesProblems(nodes))
  return problems
}

const lateMs = 2
const busyCores = 0.2

/** The doubts to know before the numbers are believed, as sentences. */
export function findDoubts({
  trigger,
  push,
  crowd,
  maximum,
  steady,
  streams,
  gamePlans,
  nodes,
  warnings,
}: Found): string[] {
  const late = (name: string, runs: readonly Pick<PushRun, 'lag'>[] = []) => {
    const most = Math.max(0, ...runs.map(({ lag }) => percentile(lag, 99)))
    return most > lateMs
      ? [`${name}: the bench itself sent late, p99 up to ${most} ms, so the machine was not free`]
      : []
  }
  const paced = [...(trigger?.paced.tally ?? []), ...(push?.tally ?? []), ...(crowd?.tally ?? [])]
  const closed = [...(trigger?.inFlight ?? []), ...(maximum ?? [])].flatMap(({ tally }) => tally)
  const runs = [...paced, ...closed]
  const others = runs.length > 0 ? spread(runs.map(({ cost }) => cost.othersBusy)).median : 0
  const busy = others > busyCores ? [`other processes kept ${others} cores busy, so the numbers are theirs too`] : []
  const logged = warnings.slice(0, 10).map((line) => `the server logged ${line.slice(0, 300)}`)
  const lacking = (streams?.lacking ?? []).map((text) => `streams were not measured in full: ${text}`)
  const sentLate = [
    ...late('trigger', trigger?.paced.tally),
    ...late('push', push?.tally),
    ...late('crowd', crowd?.tally),
    ...late('steady', steady && [steady.run]),
    ...late('plans', gamePlans && [...gamePlans.each, ...gamePlans.one]),
    ...late(
      'nodes',
      Object.values(nodes?.ways?.ways ?? {}).flatMap(({ paced: runs }) => runs),
    ),
  ]
  const onDisk = steady && !steady.inMemory ? ['steady: no memory to put the data directory in, so it was on disk'] : []
  return [...sentLate, ...busy, ...onDisk, ...lacking, ...logged]
}

export const readResults = (path: string): Results => JSON.parse(readFileSync(path, 'utf8')) as Results
