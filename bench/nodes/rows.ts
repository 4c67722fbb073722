import type { NodesPlan, Plan } from '../options.ts'
import type { MaximumRun, PushRun } from '../push.ts'
import { percentile, round } from '../stats.ts'
import { ratios } from '../trigger-rows.ts'
import { type AddRow, least, most } from '../verdict.ts'
import type { AloneName, AloneResult } from './alone.ts'
import type { NodesResult } from './nodes.ts'
import type { Idle, RestResult } from './rest.ts'
import { faultNames, type Outage, type TakeoverResult } from './takeover.ts'
import { type Traffic, type WayName, type WayResult, type WaysResult, wayNames } from './ways.ts'

/** Before the load begins, and after it ended, in the window of the CPU time. */
const LEAD_SECONDS = 0.25

/** How long commands may wait for each fault, ms. */
export const outageLimits = { SIGTERM: 1_000, SIGKILL: 4_000, SIGSTOP: 5_000 } as const
export const joinLimitMs = 5_000
export const redisLimitMs = 10_000
export const awayLimitMs = 1_500

export const faultTexts = { SIGTERM: 'stopped', SIGKILL: 'killed', SIGSTOP: 'frozen' } as const

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** CPU time per trigger by part, in µs, without what the same processes take at rest. */
export function triggerParts({ cost, seconds, accepted }: PushRun, rest: Record<string, number>): [string, number][] {
  const restMicros = (name: string) => ((rest[name] ?? 0) * 1000 * (seconds + LEAD_SECONDS)) / Math.max(1, accepted)
  return Object.entries(cost.parts ?? {}).map(([name, micros]) => [name, Math.max(0, micros - restMicros(name))])
}

export const triggerMicros = (run: PushRun, rest: Record<string, number>): number =>
  round(sum(triggerParts(run, rest).map(([, micros]) => micros)), 1)

const differences = (of: readonly PushRun[], to: readonly PushRun[], value: (run: PushRun) => number) =>
  of.flatMap((run, i) => {
    const other = to[i]
    return other === undefined ? [] : [round(value(run) - value(other))]
  })

export const pushP50 = ({ push }: PushRun): number => percentile(push, 50)
export const restP50 = ({ rest }: PushRun): number => percentile(rest, 50)

/** The cost of several nodes, and the time they take to stand in for each other. */
export function nodesRows(
  add: AddRow,
  { count, ways, rest, alone, takeover }: NodesResult,
  { nodes: plan }: Plan,
): void {
  if (ways) waysRows(add, ways, count, plan)
  if (alone) aloneRows(add, alone)
  if (rest) restRows(add, rest)
  if (takeover) takeoverRows(add, takeover)
}

function waysRows(add: AddRow, { ways, rest, traffic }: WaysResult, count: number, plan: NodesPlan): void {
  const { one, own, push, forwarded, all } = ways
  const at = `${plan.rate}/s`
  const shown = `push p50 to a renderer on another node, more than at the owner, ${at}`
  add('nodes.push', shown, 'ms', differences(push.paced, own.paced, pushP50), most(0.5))
  const asked = `REST p50 of a forwarded command, more than at the owner, ${at}`
  add('nodes.forwarded', asked, 'ms', differences(forwarded.paced, own.paced, restP50), most(0.7))
  const micros = (of: WayResult, atRest: Record<string, number>) => of.busy.map(({ run }) => triggerMicros(run, atRest))
  const gross = (of: WayResult) => of.busy.map(({ run }) => round(sum(Object.values(run.cost.parts ?? {})), 1))
  const toOne = (of: readonly number[], to: readonly number[]) => ratios(of, to, (value) => value)
  const [ofOne, ofAll] = [micros(one, rest.one), micros(all, rest.several)]
  add('nodes.cpu', 'CPU per trigger, asked and shown elsewhere, to one node', '×', toOne(ofAll, ofOne), most(1.5))
  add('nodes.cpu.gross', `the same with what ${count} nodes take at rest`, '×', toOne(gross(all), gross(one)))
  add('nodes.cpu.one', `CPU per trigger, one node, ${plan.busyRate}/s`, 'µs', ofOne)
  add('nodes.cpu.own', 'of several, all at the owner', 'µs', micros(own, rest.several))
  add('nodes.cpu.all', 'of several, asked and shown elsewhere', 'µs', ofAll)
  for (const name of wayNames) {
    const { paced } = ways[name]
    add(`nodes.${name}.push`, `${wayTexts[name]}: push p50`, 'ms', paced.map(pushP50))
    const p99 = paced.map((run) => percentile(run.push, 99))
    add(`nodes.${name}.push.p99`, `${wayTexts[name]}: push p99`, 'ms', p99)
    add(`nodes.${name}.rest`, `${wayTexts[name]}: REST p50`, 'ms', paced.map(restP50))
  }
  const each = (part: keyof Traffic) => all.busy.map((busy) => busy.traffic[part])
  add('nodes.transactions', 'transactions of PostgreSQL per trigger', '', each('transactions'))
  add('nodes.wal', 'WAL per trigger', 'B', each('walBytes'))
  add('nodes.messages', 'messages of Redis per trigger', '', each('messages'))
  add('nodes.rest.wal', 'WAL of two services at rest, a second', 'B', [traffic.several.walBytes])
  add('nodes.rest.messages', `messages of Redis at rest, ${count + 1} nodes, a second`, '', [traffic.several.messages])
}

function takeoverRows(add: AddRow, takeover: TakeoverResult): void {
  for (const fault of faultNames) {
    const waits = takeover.faults[fault].map(({ longestMs }) => longestMs)
    const name = `a node is ${faultTexts[fault]}: longest wait of a command for its overlays`
    add(`nodes.${fault}`, name, 'ms', waits, most(outageLimits[fault]))
  }
  const joins = (part: 'sharedMs' | 'longestMs') => takeover.joins.map((join) => join[part])
  const share = takeover.joins.map(({ sharedMs, readyMs }) => sharedMs - readyMs)
  add('nodes.join', 'a node is added: from ready to its share', 'ms', share, most(joinLimitMs))
  add('nodes.join.start', 'from its start to its share', 'ms', joins('sharedMs'))
  add('nodes.join.wait', 'longest wait of a command meanwhile', 'ms', joins('longestMs'))
  add('nodes.redis', 'Redis is back: until pushes take milliseconds', 'ms', takeover.redisBack, most(redisLimitMs))
  const away = takeover.redisAway.map(({ slowest }) => slowest)
  add('nodes.redis.away', 'Redis is away: slowest push to another node', 'ms', away, most(awayLimitMs))
}

export const wayTexts: Record<WayName, string> = {
  one: 'one node',
  own: 'at the owner',
  push: 'shown elsewhere',
  forwarded: 'asked elsewhere',
  all: 'asked and shown elsewhere',
}

function aloneRows(add: AddRow, { alone, member, before }: AloneResult): void {
  if (!alone) return
  const cpu = ({ cost }: PushRun | MaximumRun) => cost.serverMicros + cost.postgresMicros
  const rate = ({ perSecond }: MaximumRun) => perSecond
  const names: Record<Exclude<AloneName, 'alone'>, string> = {
    member: 'the same as a member',
    before: 'the other version',
  }
  for (const [id, other] of [
    ['member', member],
    ['before', before],
  ] as const) {
    if (!other) continue
    const to = `one node alone to ${names[id]}`
    const [slowest, fastest] = [most(1.03), least(0.97)]
    add(`nodes.alone.${id}.cpu`, `${to}: CPU per trigger`, '×', ratios(alone.paced, other.paced, cpu), slowest)
    add(`nodes.alone.${id}.p50`, `${to}: push p50`, '×', ratios(alone.paced, other.paced, pushP50), slowest)
    add(`nodes.alone.${id}.rate`, `${to}: triggers a second`, '×', ratios(alone.closed, other.closed, rate), fastest)
    add(`nodes.alone.${id}.busy`, `${to}: CPU at that`, '×', ratios(alone.closed, other.closed, cpu), slowest)
  }
}

/** The part that the sockets of an overlay cost a service of one, too, is no cost of others. */
export const openMicros = ({ idle, open, openOverlays }: RestResult, of: 'one' | 'several'): number[] =>
  open[of].map((after, i) => {
    const before = idle[of][i]
    const ms = (at: Idle | undefined) => (at ? at.nodeMs + at.postgresMs : 0)
    return round(((ms(after) - ms(before)) * 1000) / openOverlays, 2)
  })

function restRows(add: AddRow, rest: RestResult): void {
  const { idle, open, openOverlays, nodes, compared } = rest
  const of = (who: 'one' | 'several', part: keyof Idle) => idle[who].map((at) => at[part])
  add('nodes.rest.node', `at rest, one of ${nodes.several} nodes: CPU a second`, 'ms', of('several', 'nodeMs'))
  add('nodes.rest.node.one', 'the only node of a service', 'ms', of('one', 'nodeMs'))
  add('nodes.rest.postgres', `PostgreSQL for ${nodes.several} nodes`, 'ms', of('several', 'postgresMs'))
  add('nodes.rest.postgres.one', 'for one', 'ms', of('one', 'postgresMs'))
  add('nodes.rest.transactions', `transactions of ${nodes.several} nodes a second`, '', of('several', 'transactions'))
  add('nodes.rest.transactions.one', 'of one', '', of('one', 'transactions'))
  const opened = `${openOverlays} open overlays at one node, with a renderer each: CPU a second for each`
  add('nodes.open', opened, 'µs', openMicros(rest, 'several'))
  add('nodes.open.one', 'the same in a service of one', 'µs', openMicros(rest, 'one'))
  // nothing else was fired at this one, which would be collected meanwhile
  const memory = open.one.map((at, i) => round(((at.memoryMb - (idle.one[i]?.memoryMb ?? 0)) * 1024) / openOverlays, 1))
  add('nodes.open.memory', 'memory for each there', 'kB', memory)
  for (const { overlays, ms } of compared)
    add(`nodes.compared.${overlays}`, `the comparison of ${overlays} overlays with the database`, 'ms', ms.runs)
}

/** Faults that must not be, however slow the machine. */
export function nodesProblems({ takeover, ways }: NodesResult): string[] {
  return [...(takeover ? takeoverProblems(takeover) : []), ...(ways ? waysProblems(ways) : [])]
}

function takeoverProblems({ faults, joins, redisAway }: TakeoverResult): string[] {
  const problems: string[] = []
  const over = (what: string, outages: readonly Outage[], limitMs: number) => {
    for (const { longestMs } of outages)
      if (longestMs > limitMs) problems.push(`nodes: ${what}, and a command waited ${longestMs} ms`)
  }
  for (const fault of faultNames) over(`a node was ${faultTexts[fault]}`, faults[fault], outageLimits[fault])
  over('a node was added', joins, joinLimitMs)
  if ([...joins, ...faults.SIGTERM].some(({ refused }) => refused > 0))
    problems.push('nodes: commands were refused while a node came or went')
  if (redisAway.some(({ lost }) => lost > 0)) problems.push('nodes: pushes were lost while Redis was away')
  return problems
}

function waysProblems({ ways }: WaysResult): string[] {
  return wayNames.flatMap((name) => {
    const runs = [...ways[name].paced, ...ways[name].busy.map(({ run }) => run)]
    return runs.flatMap(({ frames, expected, backwards, closed, failed }) =>
      frames === expected && backwards === 0 && closed === 0 && failed.length === 0
        ? []
        : [
            `nodes, ${wayTexts[name]}: ${frames} of ${expected} frames, ${backwards} backwards, ${closed} closed ${failed.join()}`,
          ],
    )
  })
}
