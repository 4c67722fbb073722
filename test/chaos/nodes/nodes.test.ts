import { describe, expect, onTestFinished, test } from 'vitest'
import { produceOverlays } from '../../../bench/production.ts'
import { seeded } from '../../support/random.ts'
import { redisIsInstalled } from '../../support/redis.ts'
import { full } from '../full.ts'
import { openAudience } from './audience.ts'
import { balancerIsInstalled } from './balancer.ts'
import { check } from './checker.ts'
import { type Durations, Faults } from './faults.ts'
import { judge, print } from './figures.ts'
import { Operators } from './operators.ts'
import { NodesRig } from './rig.ts'

/** The second node is ahead and the third behind: nothing may go by the clock of a node. */
const CLOCKS_OFF_BY = [0, 30_000, -30_000]

// biome-ignore lint/style/noProcessEnv: to play the history of a failed run again, or for a shorter one
const { NODES_SEED, NODES_FAULTS, NODES_COMMANDS, NODES_TIMES, NODES_KINDS, NODES_PAIRS } = process.env
/** Times prove nothing on a machine that does other things, too. */
const timesCount = NODES_TIMES !== 'off'
const seed = Number(NODES_SEED ?? (full ? Date.now() % 1_000_000_000 : 17))
const size = full
  ? {
      overlays: 12,
      pauseMs: 30,
      pairs: Number(NODES_PAIRS ?? 4),
      faults: Number(NODES_FAULTS ?? 200),
      commands: Number(NODES_COMMANDS ?? 1_000_000),
    }
  : { overlays: 9, pauseMs: 250, pairs: 1, faults: 0, commands: 0 }
const durations: Durations = full
  ? { aloneMs: [1_000, 20_000], outMs: [500, 10_000] }
  : { aloneMs: undefined, outMs: [700, 700] }

describe.runIf(redisIsInstalled && balancerIsInstalled)('several nodes', () => {
  test(
    `nothing is lost and every promise is kept through every kind of fault; seed ${seed}`,
    // half an hour is not tried again for a time
    full ? { timeout: 3 * 3_600_000, retry: 0 } : { timeout: 120_000 },
    async () => {
      const rig = await NodesRig.start(CLOCKS_OFF_BY, (server) => produceOverlays(server, size.overlays))
      const audience = await openAudience(rig)
      const operators = new Operators(rig, size)
      onTestFinished(() => operators.stop())
      const random = seeded(seed)
      const faults = new Faults({ rig, operators, audience, random, durations, looksClosely: full && timesCount })
      // also of a run that fails
      onTestFinished(() => {
        process.stdout.write(`${operators.attempts.length} commands\n`)
        print(faults.figures)
      })
      const run = async (name: string) => {
        const from = performance.now()
        await faults.run(name)
        process.stdout.write(`${name}: ${Math.round(performance.now() - from)} ms\n`)
      }
      const names = (NODES_KINDS?.split(',') ?? Object.keys(faults.kinds)) as [string, ...string[]]
      for (const name of names) await run(name)
      for (let fault = names.length; fault < size.faults || operators.attempts.length < size.commands; fault++)
        await run(random.pick(names))
      await operators.stop()
      await check(rig, operators.attempts, audience)
      // a command that waits for its owner longer than a caller does is late, as the times below are
      expect(faults.broken.length, `that failed: ${JSON.stringify(faults.broken)}`).toBeLessThan(1)
      // one sample of each, among other tests on the same cores: the promise itself is held in test:chaos
      const patience = full ? 1 : 3
      if (timesCount) judge(faults.figures, patience)
    },
  )
})
