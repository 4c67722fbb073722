import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { produceOverlays } from '../../../bench/production.ts'
import { seeded } from '../../support/random.ts'
import { redisIsInstalled } from '../../support/redis.ts'
import { openAudience } from './audience.ts'
import { balancerIsInstalled } from './balancer.ts'
import { check } from './checker.ts'
import { type Attempt, Operators } from './operators.ts'
import { PostgresPair, postgresIsInstalled } from './postgres-pair.ts'
import { NodesRig } from './rig.ts'

const WITHIN_MS = 10_000
const OLD_IS_BACK_MS = 2_000
/** Longer than any timeout of a statement. */
const ALONE_MS = 8_000
/** Done, refused as there is no such preset, or to be sent again. */
const RIGHT = new Set([200, 503])

// biome-ignore lint/style/noProcessEnv: to play the history of a failed run again, or for a shorter one
const { NODES_SEED, NODES_TIMES, NODES_TURNS } = process.env
const seed = Number(NODES_SEED ?? Date.now() % 1_000_000_000)
const turns = Number(NODES_TURNS ?? 8)

describe.runIf(redisIsInstalled && balancerIsInstalled && postgresIsInstalled)('PostgreSQL fails over', () => {
  test(`nothing acknowledged is lost with a synchronous standby, and everything goes on by itself; seed ${seed}`, {
    timeout: 900_000,
    retry: 0,
  }, async () => {
    const pair = await PostgresPair.start()
    const rig = await NodesRig.start([0, 30_000, -30_000], (server) => produceOverlays(server, 9), { given: pair })
    const ids = rig.production.overlays.map(({ id }) => id)
    const audience = await openAudience(rig)
    const operators = new Operators(rig, { pauseMs: 40 })
    onTestFinished(() => operators.stop())
    const random = seeded(seed)
    const times: number[] = []
    const wrong: Attempt[] = []
    const old: object[] = []
    for (let turn = 0; turn < turns; turn++) {
      await pause(random.next() * 2_000)
      const from = performance.now()
      // pulled out, or stopped in order: then it sends what it has to the standby first
      await pair.end(random.chance(0.7) ? 'SIGKILL' : 'SIGINT')
      await pause(random.next() * 4_000)
      await pair.promote()
      times.push(Math.round(await operators.probe([rig.balancer], ids, 30_000)))
      wrong.push(
        ...(await operators.since(from)).filter(
          ({ status, isBad }) => !RIGHT.has(status) && !(isBad && status === 400),
        ),
      )
      old.push(await pair.oldComesBack(OLD_IS_BACK_MS))
      await pair.follow()
      await rig.shared()
      process.stdout.write(`PostgreSQL failed over: commands after ${times.at(-1)} ms\n`)
    }
    // nothing that only the primary has is acknowledged, however long that takes
    await pair.loseStandby()
    const alone = performance.now()
    await pause(ALONE_MS)
    const acknowledged = (await operators.since(alone)).filter(({ changes, status }) => changes && status === 200)
    await pair.follow()
    const aloneEndsAfterMs = Math.round(await operators.probe([rig.balancer], ids, 30_000))
    process.stdout.write(`without a standby for ${ALONE_MS} ms; on again after ${aloneEndsAfterMs} ms\n`)
    await operators.stop()
    await check(rig, operators.attempts, audience)
    process.stdout.write(
      `${operators.attempts.length} commands, ${times.length} fail-overs; on again after ${times.join(', ')} ms\n`,
    )
    expect(wrong.slice(0, 5), 'answers meanwhile').toEqual([])
    expect(acknowledged, 'commands that were acknowledged without a standby').toEqual([])
    expect(old, 'what the nodes did on the old primary').toEqual(times.map(() => ({ connections: 0, written: 0 })))
    if (NODES_TIMES !== 'off') for (const ms of [...times, aloneEndsAfterMs]) expect(ms).toBeLessThan(WITHIN_MS)
  })
})
