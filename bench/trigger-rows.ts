import type { Plan } from './options.ts'
import type { MaximumRun, PushRun } from './push.ts'
import { percentile, round, spread } from './stats.ts'
import type { SteadyResult } from './steady.ts'
import type { TriggerResult } from './trigger.ts'
import { type AddRow, least, most } from './verdict.ts'

/** One frame of 60 a second. */
const frameMs = 16.7

export const cpuMicros = ({ cost }: PushRun | MaximumRun): number => round(cost.serverMicros + cost.postgresMicros, 1)

/** Run by run, since each pair ran under the same conditions. */
export const ratios = <Run>(of: readonly Run[], to: readonly Run[], value: (run: Run) => number): number[] =>
  of.flatMap((run, i) => {
    const other = to[i]
    return other === undefined ? [] : [round(value(run) / value(other))]
  })

/** The cost of a trigger as ratios within one run. */
export function triggerRows(add: AddRow, { paced, inFlight }: TriggerResult, plan: Plan): void {
  const { tally, committing, fastify } = paced
  const at = `${plan.rate.toLocaleString('en-US')}/s on one overlay`
  const push = (percent: 50 | 99) => (run: PushRun) => percentile(run.push, percent)
  add('trigger.cpu', `CPU per trigger to fastify + ws, ${at}`, '×', ratios(tally, fastify, cpuMicros), most(1))
  add('trigger.p50', 'push p50 to the bare server that commits', '×', ratios(tally, committing, push(50)), most(1.4))
  add('trigger.p99', 'push p99 to the bare server that commits', '×', ratios(tally, committing, push(99)), most(1.5))
  add('trigger.cpu.tally', 'CPU per trigger, server and PostgreSQL', 'µs', tally.map(cpuMicros))
  const postgres = tally.map(({ cost }) => cost.postgresMicros)
  add('trigger.cpu.postgres', 'of that PostgreSQL', 'µs', postgres)
  add('trigger.cpu.fastify', 'fastify + ws', 'µs', fastify.map(cpuMicros))
  for (const [name, runs] of [
    ['Tally', tally],
    ['bare server that commits', committing],
    ['fastify + ws', fastify],
  ] as const) {
    add(`trigger.${name}.p50`, `${name}: push p50`, 'ms', runs.map(push(50)))
    add(`trigger.${name}.p99`, `${name}: push p99`, 'ms', runs.map(push(99)))
  }
  for (const { inFlight: many, ...runs } of inFlight) {
    const rate = (run: MaximumRun) => run.perSecond
    add(`trigger.${many}`, `triggers on one overlay, ${many} in flight`, '/s', runs.tally.map(rate))
    const cpu = ratios(runs.tally, runs.fastify, cpuMicros)
    add(`trigger.${many}.cpu`, 'CPU per trigger to fastify + ws', '×', cpu, most(1))
    add(`trigger.${many}.keyed`, 'with an Idempotency-Key each', '×', ratios(runs.keyed, runs.tally, rate), least(0.9))
  }
  const [fewest, ...more] = inFlight
  const kept = fewest?.tally.map((run, i) =>
    round(Math.min(...more.map(({ tally: many }) => many[i]?.perSecond ?? 0)) / run.perSecond),
  )
  const flights = inFlight.map(({ inFlight: many }) => many)
  const name = `slowest of ${flights.slice(1).join(' and ')} in flight to ${flights[0]}`
  add('trigger.kept', name, '×', kept ?? [], least(1))
}

/** The tail over minutes at the pace of people. */
export function steadyRows(add: AddRow, { run, inMemory }: SteadyResult, { steady }: Plan): void {
  const { rate, overlays, renderers, seconds } = steady
  const where = inMemory ? 'data in memory' : 'data on disk'
  const load = `${rate}/s over ${overlays} × ${renderers} for ${seconds} s, ${where}`
  const only = <T>(limit: T) => (inMemory ? limit : undefined)
  add('steady.p50', `push p50, ${load}`, 'ms', [percentile(run.push, 50)])
  add('steady.p99', 'push p99', 'ms', [percentile(run.push, 99)])
  add('steady.p99.9', 'push p99.9', 'ms', [percentile(run.push, 99.9)], only(most(frameMs)))
  add('steady.max', 'slowest push', 'ms', [percentile(run.push, 100)], only(most(50)))
}

type OnDisk = {
  trigger?: TriggerResult
  push?: { tally: PushRun[] }
  crowd?: { tally: PushRun[] }
  maximum?: { tally: MaximumRun[] }[]
  steady?: SteadyResult
}

/** The disk's own times meanwhile: over all runs on it, the slowest write of all included. */
export function diskRows(add: AddRow, { trigger, push, crowd, maximum, steady }: OnDisk): void {
  const closed = [...(trigger?.inFlight ?? []), ...(maximum ?? [])].flatMap(({ tally }) => tally)
  const paced = [...(trigger?.paced.tally ?? []), ...(push?.tally ?? []), ...(crowd?.tally ?? [])]
  const disks = [...paced, ...closed, ...(steady ? [steady.run] : [])].flatMap(({ disk }) => disk ?? [])
  if (disks.length === 0) return
  const at = (percent: 50 | 99 | 100) => disks.map((disk) => percentile(disk, percent))
  add('disk.p50', 'the disk itself: fdatasync p50', 'ms', at(50))
  add('disk.p99', 'fdatasync p99', 'ms', at(99))
  add('disk.max', 'slowest fdatasync before any run', 'ms', [spread(at(100)).max])
}
