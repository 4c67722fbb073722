import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { redisIsInstalled } from '../../support/redis.ts'
import { openAudience } from './audience.ts'
import { balancerIsInstalled } from './balancer.ts'
import { check } from './checker.ts'
import { type Figure, failed, judge, print } from './figures.ts'
import { Operators } from './operators.ts'
import { Players, produceMatchDay } from './players.ts'
import { percentile } from './pushes.ts'
import { NodesRig } from './rig.ts'

// biome-ignore lint/style/noProcessEnv: for a shorter run, or a machine that does other things, too
const { NODES_JOINS, NODES_OVERLAYS, NODES_PAUSE, NODES_TIMES } = process.env
const joins = Number(NODES_JOINS ?? 9)

/** As on the match day. */
const OVERLAYS = Number(NODES_OVERLAYS ?? 50)
const OPERATOR_PAUSE_MS = Number(NODES_PAUSE ?? 2_000)
const FACT_EVERY_MS = 8_000
/** Before and after each join. */
const CALM_MS = 2_000

describe.runIf(redisIsInstalled && balancerIsInstalled)('a node that joins', () => {
  test(`${joins} times, one of three nodes stops and comes back without a failed command`, {
    timeout: (joins * 30 + 120) * 1_000,
    retry: 0,
  }, async () => {
    const rig = await NodesRig.start([0, 30_000, -30_000], (server) => produceMatchDay(server, OVERLAYS))
    const audience = await openAudience(rig)
    const players = new Players(rig, rig.production.matches, FACT_EVERY_MS)
    onTestFinished(() => players.stop())
    const operators = new Operators(rig, { pauseMs: OPERATOR_PAUSE_MS })
    onTestFinished(() => operators.stop())
    const figures: Figure[] = []
    onTestFinished(() => print(figures))
    const broken: object[] = []
    await pause(CALM_MS)
    for (let turn = 0; turn < joins; turn++) {
      const node = rig.nodes[turn % rig.nodes.length]
      if (!node) throw new Error('there is no such node')
      await node.stop()
      await pause(CALM_MS)
      const from = performance.now()
      await node.start()
      const readyMs = performance.now() - from
      const shareMs = await rig.shared()
      await pause(CALM_MS)
      const attempts = await operators.since(from)
      const wrong = failed(attempts)
      const times = attempts.map(({ tookMs }) => tookMs)
      process.stdout.write(
        `join ${turn + 1}: ready ${Math.round(readyMs)} ms, share ${Math.round(shareMs)} ms, ${attempts.length} commands, ${wrong.length} failed, p99 ${Math.round(percentile(times, 99))} ms, slowest ${Math.round(percentile(times, 100))} ms\n`,
      )
      figures.push({ what: 'an added node has its share', ms: shareMs, withinMs: 5_000 })
      figures.push({ what: 'the slowest command meanwhile', ms: percentile(times, 100), withinMs: undefined })
      if (wrong.length > 0) broken.push({ turn, of: attempts.length, failed: wrong.length, first: wrong.slice(0, 3) })
    }
    await operators.stop()
    await players.stop()
    await check(rig, operators.attempts, audience)
    await players.check()
    if (NODES_TIMES === 'off') return
    expect(broken).toEqual([])
    judge(figures)
  })
})
