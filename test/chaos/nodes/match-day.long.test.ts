import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { noChromium, openWindows } from '../../browser/support/chromium.ts'
import { seeded } from '../../support/random.ts'
import { redisIsInstalled } from '../../support/redis.ts'
import { openAudience } from './audience.ts'
import { balancerIsInstalled } from './balancer.ts'
import { check, quiet } from './checker.ts'
import { Faults } from './faults.ts'
import { judge, print } from './figures.ts'
import { Operators } from './operators.ts'
import { PictureLog } from './picture-log.ts'
import { Players, produceMatchDay } from './players.ts'
import { NodesRig } from './rig.ts'

const FAULT_EVERY_MS = 20_000
const KINDS = [
  'kill -9',
  'SIGSTOP',
  'cut off from PostgreSQL',
  'SIGTERM',
  'cut off from the others',
  'cut off from Redis',
] as const
/** Of each of the two operators of an overlay, and of the facts of its match: a multiple of any match day that leaves two cores room for the faults. */
const OPERATOR_PAUSE_MS = 2_000
const FACT_EVERY_MS = 8_000
/** A page hears nothing for its patience, looks for another node, and that may have to wait for leases to end. */
const OLD_PICTURE_MS = 10_000

// biome-ignore lint/style/noProcessEnv: to play the history of a failed run again, or for a shorter one
const { NODES_SEED, NODES_TIMES, NODES_MINUTES } = process.env
const seed = Number(NODES_SEED ?? Date.now() % 1_000_000_000)
const minutes = Number(NODES_MINUTES ?? 10)
const overlayCount = minutes < 10 ? 12 : 50
const timesCount = NODES_TIMES !== 'off'

describe.runIf(redisIsInstalled && balancerIsInstalled && !noChromium)('a match day on several nodes', () => {
  test(`a node is lost every 20 s for ${minutes} minutes, and ${overlayCount} overlays and a browser are right; seed ${seed}`, {
    timeout: (minutes + 10) * 60_000,
    retry: 0,
  }, async () => {
    const rig = await NodesRig.start([0, 30_000, -30_000], (server) => produceMatchDay(server, overlayCount))
    const { overlays } = rig.production
    const players = new Players(rig, rig.production.matches, FACT_EVERY_MS)
    onTestFinished(() => players.stop())
    const audience = await openAudience(rig)
    const windows = await openWindows()
    onTestFinished(() => windows.close())
    const watched = overlays[0] ?? { id: 0, key: '' }
    const log = await PictureLog.open(await windows.newPage(), `${rig.balancer}/overlay/${watched.key}`)
    const operators = new Operators(rig, { pauseMs: OPERATOR_PAUSE_MS })
    onTestFinished(() => operators.stop())
    const random = seeded(seed)
    const durations = { aloneMs: [1_000, 8_000], outMs: [1_000, 8_000] } as const
    const faults = new Faults({ rig, operators, audience, random, durations, looksClosely: timesCount })
    const from = performance.now()
    for (let turn = 0; turn * FAULT_EVERY_MS < minutes * 60_000; turn++) {
      await pause(Math.max(0, from + turn * FAULT_EVERY_MS - performance.now()))
      await faults.run(KINDS[turn % KINDS.length] ?? 'kill -9')
    }
    await operators.stop()
    await players.stop()
    // also the last picture has been painted by then
    await quiet(rig)
    const { wrong, oldestMs, pictures } = await log.judge(rig, watched.id)
    process.stdout.write(
      `${operators.attempts.length} commands, ${JSON.stringify(players.facts)} facts, ${pictures} pictures\n`,
    )
    print([
      ...faults.figures,
      { what: 'the browser showed what was no more on air', ms: oldestMs, withinMs: OLD_PICTURE_MS },
    ])
    await check(rig, operators.attempts, audience)
    await players.check()
    expect(players.facts).toEqual({ recorded: expect.any(Number), refused: 0 })
    expect(wrong.slice(0, 5), 'pictures of the browser that the journal does not explain').toEqual([])
    expect(pictures).toBeGreaterThan(minutes * 20)
    expect(faults.broken).toEqual([])
    expect(oldestMs, 'how old a picture was').toBeLessThan(OLD_PICTURE_MS)
    if (timesCount) judge(faults.figures)
  })
})
