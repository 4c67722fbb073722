import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLimiter, type Limiter } from '../../src/http/rate-limit.ts'
import { createLocalWire } from '../../src/nodes/bus-local.ts'
import { openRedisBus } from '../../src/nodes/bus-redis.ts'
import { redisIsInstalled, startRedis } from '../support/redis.ts'

const limits = { enforced: true, perSecond: 100, burst: 300 }
const turn = () => new Promise((resolve) => setImmediate(resolve))

const isLetIn = async (limiter: Limiter, key = 'key/1') => {
  try {
    await limiter.charge(key, 'default', 1)
    return true
  } catch {
    return false
  }
}

/** How many were let in of so many at once. */
const charge = async (limiter: Limiter, count: number, key?: string) =>
  (await Promise.all(Array.from({ length: count }, () => isLetIn(limiter, key)))).filter(Boolean).length

const onNodes = (count: number) => {
  const wire = createLocalWire()
  return Array.from({ length: count }, (_, node) => createLimiter(limits, { node: `${node}`, wire: wire.open() }))
}

/** For counts: what is less than something is taken for a time that was measured, and tried again. */
const atMost = (most: number) => (count: number) => count <= most

describe('over a bus in one process', () => {
  afterEach(() => void vi.useRealTimers())
  const fakeClock = () => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })

  test('[issue 17.4] whatever comes by which node, all together let in what one would, within a tenth', async () => {
    fakeClock()
    // per 10 ms: how many come by each of three nodes
    const step = fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: 0, max: 8 })))
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 40, maxLength: 60 }),
        fc.integer({ min: 2, max: 3 }),
        async (steps, nodes) => {
          const limiters = onNodes(nodes)
          const alone = createLimiter(limits)
          const letIn = { together: 0, alone: 0 }
          for (let tick = 0; tick < 600; tick++) {
            const asked = (steps[tick % steps.length] ?? []).slice(0, nodes)
            for (const [node, count] of asked.entries()) {
              letIn.together += await charge(limiters[node] as Limiter, count)
              letIn.alone += await charge(alone, count)
            }
            await turn()
            vi.advanceTimersByTime(10)
          }
          expect(letIn.together).toSatisfy(atMost(letIn.alone * 1.1))
          expect(letIn.together).toBeGreaterThanOrEqual(letIn.alone * 0.9)
        },
      ),
      { numRuns: 15 },
    )
  })

  test('what all let in before they heard of each other is owed by the next second', async () => {
    fakeClock()
    const limiters = onNodes(3)
    let letIn = 0
    // all that a second has before any node hears another
    for (let second = 0; second < 12; second++) {
      for (let n = 0; n < 20; n++) for (const limiter of limiters) letIn += await charge(limiter, 5)
      await turn()
      vi.advanceTimersByTime(1_001)
      await turn()
    }
    expect(letIn).toSatisfy(atMost(1.1 * (12 * 100 + 4 * 200)))
  })

  test('what is spent slowly is heard too, and each key has its own', async () => {
    fakeClock()
    const [one, other] = onNodes(2) as [Limiter, Limiter]
    expect(await isLetIn(one)).toBe(true)
    vi.advanceTimersByTime(50)
    await turn()
    expect((await other.charge('key/1', 'default', 0)).RateLimit).toContain('r=299;')
    expect((await other.charge('key/2', 'default', 0)).RateLimit).toContain('r=300;')
    await charge(one, 299)
    await turn()
    // but for what is not told yet
    expect(await charge(other, 20)).toSatisfy(atMost(2))
    expect(await charge(other, 20, 'key/2')).toBe(20)
  })
})

test.runIf(redisIsInstalled)(
  '[issue 17.4] over Redis two nodes hold one limit within a tenth; while it is away each holds its own',
  async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const buses = ['a', 'b'].map(() =>
      openRedisBus({ url: redis.url, serviceId: 'limits', log: pino({ level: 'silent' }) }),
    )
    onTestFinished(async () => void (await Promise.all(buses.map((bus) => bus.close()))))
    await expect.poll(() => buses.every((bus) => bus.isUp()), { timeout: 10_000 }).toBe(true)
    const limiters = buses.map((wire, node) => createLimiter(limits, { node: `${node}`, wire }))
    /** Far more than is let in, by both, for so long. */
    const press = async (key: string, ms: number) => {
      let letIn = 0
      const end = performance.now() + ms
      while (performance.now() < end) {
        for (const limiter of limiters) letIn += await charge(limiter, 5, key)
        await new Promise((resolve) => setTimeout(resolve, 4))
      }
      return letIn
    }
    const together = await press('key/1', 2_900)
    expect(together).toBeGreaterThanOrEqual(0.9 * 500)
    expect(together).toSatisfy(atMost(1.1 * 500))
    await redis.die()
    await expect.poll(() => buses.some((bus) => bus.isUp()), { timeout: 10_000 }).toBe(false)
    const apart = await press('key/2', 2_900)
    expect(apart).toBeGreaterThanOrEqual(0.9 * 1_000)
    expect(apart).toSatisfy(atMost(1_000))
  },
  40_000,
)
