import { expect, test } from 'vitest'
import { readOptions } from '../../bench/options.ts'
import { page } from '../../bench/page.ts'
import type { MaximumRun, PushRun } from '../../bench/push.ts'
import { type Found, findDoubts, findProblems, judge, machine } from '../../bench/results.ts'
import { distribution } from '../../bench/stats.ts'
import { table } from '../../bench/table.ts'

const cost = (serverMicros: number, postgresMicros: number) => ({
  serverMicros,
  postgresMicros,
  machineBusy: 1,
  othersBusy: 0,
  serverMb: 100,
})
const delivery = { expected: 10, frames: 10, frameBytes: 100, backwards: 0, paints: 0, closed: 0, statuses: { 200: 1 } }
const all = (ms: number) => distribution(new Float32Array(1000).fill(ms))

const paced = (pushMs: number, server: number, postgres = 0): PushRun => ({
  ...{ ...delivery, rate: 1000, seconds: 5, accepted: 1, failed: [] },
  ...{ push: all(pushMs), rest: all(pushMs), lag: all(0), timeline: { sliceMs: 250, p50: [1], p99: [1] } },
  cost: cost(server, postgres),
  disk: all(0.5),
})
const closed = (inFlight: number, perSecond: number, micros: number): MaximumRun => ({
  ...{ ...delivery, inFlight, seconds: 3, perSecond, rest: all(1), cost: cost(micros, 10) },
})

function found(size: 'full' | 'smoke', slowestMs: number, inMemory = true): Found {
  const options = readOptions(size === 'smoke' ? ['--smoke'] : [])
  if (options.mode !== 'local') throw new Error('not the options of a bench')
  const pushes = new Float32Array(10_000).fill(1)
  pushes[0] = slowestMs
  return {
    ...{ format: 1, at: '2026-11-01T10:00:00.000Z', machine: machine(), size, plan: options.plan, warnings: [] },
    trigger: {
      paced: { tally: [paced(1, 60, 30)], committing: [paced(0.5, 20)], fastify: [paced(0.4, 100)] },
      inFlight: [
        { inFlight: 32, tally: [closed(32, 6000, 50)], keyed: [], fastify: [closed(32, 7000, 40)] },
        {
          inFlight: 128,
          tally: [closed(128, 6600, 30)],
          keyed: [closed(128, 5280, 60)],
          fastify: [closed(128, 7000, 90)],
        },
        { inFlight: 512, tally: [closed(512, 5400, 30)], keyed: [], fastify: [closed(512, 7000, 90)] },
      ],
    },
    steady: { run: { ...paced(1, 300, 200), push: distribution(pushes) }, inMemory },
  }
}

const rowOf = (results: Found, id: string) => judge(results).find((row) => row.id === id)

test('the cost of a trigger is told as ratios within a run, against their aims', () => {
  const results = found('full', 51)
  const told = (id: string) => {
    const row = rowOf(results, id)
    return [row?.value.median, row?.limit?.value, row?.met]
  }
  expect(told('trigger.cpu')).toEqual([0.9, 1, true])
  expect(told('trigger.p50')).toEqual([2, 1.4, false])
  expect(told('trigger.p99')).toEqual([2, 1.5, false])
  expect(told('trigger.32.cpu')).toEqual([1.2, 1, false])
  expect(told('trigger.128.cpu')).toEqual([0.4, 1, true])
  expect(told('trigger.128.keyed')).toEqual([0.8, 0.9, false])
  expect(rowOf(results, 'trigger.32.keyed')).toBeUndefined()
  expect(told('trigger.kept')).toEqual([0.9, 1, false])
  expect(told('steady.p99.9')).toEqual([1, 16.7, true])
  expect(told('steady.max')).toEqual([51, 50, false])
  expect(told('disk.p50')).toEqual([0.5, undefined, undefined])
})

test('the smallest run is held against no aim', () => {
  expect(judge(found('smoke', 51)).filter(({ met }) => met !== undefined)).toEqual([])
})

test('a disk is no place to judge the tail of the server by', () => {
  const onDisk = found('full', 51, false)
  expect(rowOf(onDisk, 'steady.max')?.met).toBeUndefined()
  expect(findDoubts(onDisk).join()).toContain('on disk')
})

test('the table and the page say which ratios were met', () => {
  const measured = found('full', 20)
  const results = { ...measured, verdicts: judge(measured), problems: findProblems(measured), doubts: [] }
  const line = table(results)
    .split('\n')
    .find((text) => text.includes('CPU per trigger to fastify + ws, 1,000/s'))
  expect(line).toMatch(/0\.9\s+×.*≤ 1\s+met/)
  const text = page(results)
  expect(text).toContain('What a trigger costs')
  expect(text).toContain('fastify + ws')
  expect(text).toContain('CPU per trigger to fastify + ws')
})

test('a frame that is missing in any part of the trigger scenario is a problem', () => {
  const results = found('full', 20)
  const [first] = results.trigger?.inFlight ?? []
  const [run] = first?.tally ?? []
  if (!run) throw new Error('no run')
  expect(findProblems(results)).toEqual([])
  run.frames = 9
  expect(findProblems(results)).toEqual(['trigger at 32: 1 of 10 frames missing'])
})

test('deliveries that do not come, and signatures that are wrong, are problems of the webhooks', () => {
  const run = { expected: 10, arrival: distribution(new Float32Array(10).fill(40)), unverified: 0, serverMicros: 500 }
  const results: Found = { ...found('full', 20), webhooks: { one: [run], all: [run], dead: [run] } }
  expect(rowOf(results, 'webhooks.all.p50')).toMatchObject({ value: { median: 40 }, limit: { value: 50 }, met: true })
  expect(findProblems(results)).toEqual([])
  const bad = { ...run, expected: 12, unverified: 1 }
  expect(findProblems({ ...results, webhooks: { one: [run], all: [bad], dead: [run] } })).toEqual([
    'webhooks: 10 deliveries in place of 12',
    'webhooks: 1 signatures are wrong',
  ])
})
