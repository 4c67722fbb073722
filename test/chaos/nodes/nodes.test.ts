import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { seeded } from '../../support/random.ts'
import { redisIsInstalled } from '../../support/redis.ts'
import { full } from '../full.ts'
import { balancerIsInstalled } from './balancer.ts'
import { check } from './checker.ts'
import { type Durations, Faults, type Figure } from './faults.ts'
import { Operators } from './operators.ts'
import { NodesRig } from './rig.ts'
import { Watcher } from './watcher.ts'

/** The second node is ahead and the third behind: nothing may go by the clock of a node. */
const CLOCKS_OFF_BY = [0, 30_000, -30_000]

// biome-ignore lint/style/noProcessEnv: to play the history of a failed run again, or for a shorter one
const { NODES_SEED, NODES_FAULTS, NODES_COMMANDS } = process.env
const seed = Number(NODES_SEED ?? (full ? Date.now() % 1_000_000_000 : 17))
const size = full
  ? {
      overlays: 12,
      pauseMs: 0,
      pairs: 3,
      faults: Number(NODES_FAULTS ?? 200),
      commands: Number(NODES_COMMANDS ?? 1_000_000),
    }
  : { overlays: 9, pauseMs: 250, pairs: 1, faults: 0, commands: 0 }
const durations: Durations = full
  ? { aloneMs: [1_000, 20_000], outMs: [500, 10_000] }
  : { aloneMs: undefined, outMs: [700, 700] }

function print(figures: readonly Figure[]): void {
  const worst = new Map<string, Figure & { times: number }>()
  for (const figure of figures) {
    const before = worst.get(figure.what)
    worst.set(figure.what, { ...figure, ms: Math.max(figure.ms, before?.ms ?? 0), times: (before?.times ?? 0) + 1 })
  }
  for (const { what, ms, withinMs, times } of worst.values())
    process.stdout.write(`${what}: ${ms} ms at most of ${times}, promised ${withinMs} ms\n`)
}

describe.runIf(redisIsInstalled && balancerIsInstalled)('several nodes', () => {
  test(
    `nothing is lost and every promise is kept through every kind of fault; seed ${seed}`,
    async () => {
      const rig = await NodesRig.start(CLOCKS_OFF_BY, size.overlays)
      const { overlays } = rig.production
      const watchers = overlays.flatMap((overlay, index) => [
        new Watcher(overlay, rig.balancer),
        new Watcher(overlay, rig.nodes[index % rig.nodes.length]?.url ?? ''),
      ])
      onTestFinished(() => {
        for (const watcher of watchers) watcher.close()
      })
      await until('every renderer', 30_000, 20, () => watchers.every(({ renderer }) => renderer.connected))
      const operators = new Operators(rig, size)
      onTestFinished(() => operators.stop())
      const random = seeded(seed)
      const faults = new Faults(rig, operators, random, durations)
      const run = async (name: string) => {
        const from = performance.now()
        await faults.kinds[name]?.()
        await faults.renderersFollow(watchers)
        process.stdout.write(`${name}: ${Math.round(performance.now() - from)} ms\n`)
      }
      const names = Object.keys(faults.kinds) as [string, ...string[]]
      for (const name of names) await run(name)
      for (let fault = names.length; fault < size.faults || operators.attempts.length < size.commands; fault++)
        await run(random.pick(names))
      await operators.stop()
      print(faults.figures)
      await check(rig, operators.attempts, watchers)
      // one sample of each, among other tests on the same cores: the promise itself is held in test:chaos
      const patience = full ? 1 : 3
      for (const { what, ms, withinMs } of faults.figures) expect(ms, what).toBeLessThan(patience * withinMs)
      process.stdout.write(`${operators.attempts.length} commands\n`)
    },
    full ? 3 * 3_600_000 : 120_000,
  )
})
