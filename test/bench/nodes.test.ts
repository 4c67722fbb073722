import { expect, test } from 'vitest'
import type { NodesResult } from '../../bench/nodes/nodes.ts'
import { type WayName, wayNames } from '../../bench/nodes/ways.ts'
import { readOptions } from '../../bench/options.ts'
import { page } from '../../bench/page.ts'
import type { PushRun } from '../../bench/push.ts'
import { type Found, findProblems, judge, machine } from '../../bench/results.ts'
import { distribution } from '../../bench/stats.ts'

const planOf = (...args: string[]) => {
  const options = readOptions(args)
  if (options.mode !== 'local') throw new Error('not the options of a bench')
  return options.plan
}

const all = (ms: number) => distribution(new Float32Array(100).fill(ms))

/** Four seconds with its lead of a quarter, at 1,000 triggers: what a part takes at rest, in ms a second, is four µs of each. */
const run = (pushMs: number, restMs: number, parts: Record<string, number>): PushRun => ({
  ...{ expected: 10, frames: 10, frameBytes: 100, backwards: 0, paints: 0, closed: 0, statuses: { 200: 1000 } },
  ...{
    rate: 250,
    seconds: 3.75,
    accepted: 1000,
    failed: [],
    lag: all(0),
    timeline: { sliceMs: 250, p50: [1], p99: [1] },
  },
  ...{ push: all(pushMs), rest: all(restMs) },
  cost: { serverMicros: 300, postgresMicros: 100, machineBusy: 1, othersBusy: 0, serverMb: 100, parts },
})

function found(): Found & { nodes: NodesResult } {
  const traffic = { transactions: 1, walBytes: 2_000, messages: 1 }
  const ways = Object.fromEntries(
    wayNames.map((name) => [name, { paced: [run(1, 1, {})], busy: [{ run: run(1, 1, { owner: 140 }), traffic }] }]),
  ) as unknown as Record<WayName, NonNullable<NodesResult['ways']>['ways']['one']>
  ways.push.paced = [run(1.25, 1, {})]
  ways.forwarded.paced = [run(1, 2, {})]
  ways.all.busy = [{ run: run(1, 1, { owner: 140, asked: 120 }), traffic }]
  const outage = { longestMs: 800, refused: 0, commands: 50 }
  return {
    ...{ format: 1, at: '2026-11-01T10:00:00.000Z', machine: machine(), size: 'full', warnings: [] },
    plan: planOf('--nodes', '3'),
    nodes: {
      count: 3,
      ways: {
        ways,
        rest: { one: { owner: 10 }, several: { owner: 10, asked: 5 } },
        traffic: { one: traffic, several: traffic },
      },
      takeover: {
        faults: { SIGTERM: [outage], SIGKILL: [{ ...outage, longestMs: 3_000, refused: 9 }], SIGSTOP: [outage] },
        joins: [{ ...outage, readyMs: 1_000, sharedMs: 1_400 }],
        redisBack: [700],
        redisAway: [{ p50: 500, slowest: 1_100, lost: 0 }],
      },
    },
  }
}

const told = (results: Found, id: string) => {
  const row = judge(results).find((one) => one.id === id)
  return [row?.value.median, row?.limit?.value, row?.met]
}

test('[issue 17.9] several nodes are measured only when they are asked for, and then alone', () => {
  expect(planOf().scenarios).not.toContain('nodes')
  expect(planOf('--smoke').scenarios).not.toContain('nodes')
  expect(planOf('--nodes', '4').scenarios).toEqual(['nodes'])
  expect(planOf('--nodes', '4', '--part', 'alone,ways').nodes).toMatchObject({ count: 4, parts: ['ways', 'alone'] })
  expect(() => readOptions(['--nodes', '1'])).toThrow('--nodes: two or more')
  expect(() => readOptions(['--nodes', '3', '--part', 'way'])).toThrow('--part: way is none of')
})

test('[issue 17.9] the way to another node is told beyond the way at the owner, its CPU without what rest takes', () => {
  const results = found()
  expect(told(results, 'nodes.push')).toEqual([0.25, 0.5, true])
  expect(told(results, 'nodes.forwarded')).toEqual([1, 0.7, false])
  // 140 - 10 × 4 of one node; 140 - 10 × 4 and 120 - 5 × 4 of several
  expect(told(results, 'nodes.cpu')).toEqual([2, 1.5, false])
  expect(told(results, 'nodes.cpu.gross')[0]).toBeCloseTo(260 / 140, 2)
  expect(told(results, 'nodes.SIGKILL')).toEqual([3_000, 4_000, true])
  expect(told(results, 'nodes.join')).toEqual([400, 5_000, true])
  const text = page({ ...results, verdicts: judge(results), problems: [], doubts: [] })
  expect(text).toContain('<h2>Several nodes</h2>')
  expect(text).toContain('the node that is asked')
})

test('[issue 17.9] what breaks a promise in any run is a problem, whatever the median', () => {
  const results = found()
  expect(findProblems(results)).toEqual([])
  results.nodes.takeover?.faults.SIGTERM.push({ longestMs: 1_200, refused: 1, commands: 50 })
  const [lossy] = results.nodes.ways?.ways.all.busy ?? []
  if (lossy) lossy.run.frames = 9
  expect(findProblems(results)).toEqual([
    'nodes: a node was stopped, and a command waited 1200 ms',
    'nodes: commands were refused while a node came or went',
    expect.stringContaining('asked and shown elsewhere: 9 of 10 frames'),
  ])
})
