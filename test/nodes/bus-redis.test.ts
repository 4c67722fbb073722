import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Bus } from '../../src/nodes/bus.ts'
import { openRedisBus } from '../../src/nodes/bus-redis.ts'
import { busContract, listen, ready } from '../contract/bus.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'

const log = pino({ enabled: false })
let redis: TestRedis
const buses: Bus[] = []

const open = (service = 'service') => {
  const bus = openRedisBus({ url: redis.url, serviceId: service, log })
  buses.push(bus)
  return bus
}

const changes = (bus: Bus) => {
  const told: string[] = []
  bus.onUp(() => told.push('up'))
  bus.onDown(() => told.push('down'))
  return told
}

describe.runIf(redisIsInstalled)('on Redis', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterEach(async () => {
    redis.thaw()
    await Promise.all(buses.splice(0).map((bus) => bus.close()))
  })
  afterAll(() => redis.stop())

  busContract('Redis', { open })

  test('a Redis that dies and comes back is noticed at once, and every topic is heard again before it says so', async () => {
    const [one, two] = [open(), open()]
    await ready(one, two)
    const told = changes(two)
    const listening = await Promise.all(['a', 'b', 'c'].map((topic) => listen(two, topic)))
    await redis.die()
    await expect.poll(() => told).toEqual(['down'])
    await expect.poll(() => one.isUp()).toBe(false)
    one.publish('a', 'stale')
    const late = await new Promise<string[]>((resolve) => {
      const texts: string[] = []
      two.subscribe('late', (text) => texts.push(text))
      two.onUp(() => {
        two.publish('late', 'own')
        resolve(texts)
      })
      void redis.restart()
    })
    await expect.poll(() => one.isUp(), { timeout: 10_000 }).toBe(true)
    one.publish('a', '1')
    one.publish('b', '2')
    one.publish('c', '3')
    await expect.poll(() => listening.map(({ texts }) => texts), { timeout: 10_000 }).toEqual([['1'], ['2'], ['3']])
    expect(late).toEqual(['own'])
    expect(told).toEqual(['down', 'up'])
  })

  test('a frozen Redis is noticed within two seconds, and nothing that was published meanwhile is sent later', async () => {
    const [one, two] = [open(), open()]
    await ready(one, two)
    const told = changes(one)
    const { texts } = await listen(two, 'a')
    redis.freeze()
    const since = performance.now()
    await expect.poll(() => told, { timeout: 10_000, interval: 5 }).toEqual(['down'])
    expect(performance.now() - since).toBeLessThan(2_000)
    await expect.poll(() => two.isUp(), { timeout: 2_000 }).toBe(false)
    one.publish('a', 'stale')
    // longer than one try to connect takes
    await pause(2_500)
    expect(told).toEqual(['down'])
    redis.thaw()
    await expect.poll(() => [one.isUp(), two.isUp()], { timeout: 10_000 }).toEqual([true, true])
    one.publish('a', '1')
    await expect.poll(() => texts).toEqual(['1'])
  })

  test('a freeze of a moment goes unnoticed', async () => {
    const bus = open()
    await ready(bus)
    const told = changes(bus)
    const { texts } = await listen(bus, 'a')
    redis.freeze()
    bus.publish('a', '1')
    await pause(500)
    redis.thaw()
    await expect.poll(() => texts).toEqual(['1'])
    expect(told).toEqual([])
  })

  test('a process that was busy does not take its own silence for that of Redis', async () => {
    const bus = open()
    await ready(bus)
    const told = changes(bus)
    for (let i = 0; i < 3; i++) {
      for (const until = performance.now() + 2_500; performance.now() < until; );
      await pause(50)
    }
    expect(told).toEqual([])
  })

  test('a connection that Redis ends takes the other one with it, and both come back', async () => {
    const [one, two] = [open(), open()]
    await ready(one, two)
    const { texts } = await listen(two, 'a')
    for (const kind of ['pubsub', 'normal']) {
      const told = [changes(one), changes(two)]
      await redis.say('client', 'kill', 'type', kind, 'skipme', 'yes')
      for (const each of told) await expect.poll(() => each, { timeout: 10_000 }).toEqual(['down', 'up'])
      one.publish('a', kind)
      await expect.poll(() => texts.splice(0)).toEqual([kind])
    }
  })

  test('one that is opened while Redis is away or frozen comes up with it, and can be closed before', async () => {
    redis.freeze()
    const [early, frozen] = [open(), open()]
    const told = changes(early)
    const heard: string[] = []
    early.subscribe('a', (text) => heard.push(text))
    await pause(2_300)
    const since = performance.now()
    await frozen.close()
    expect(performance.now() - since).toBeLessThan(500)
    await redis.die()
    const away = open()
    await pause(300)
    await away.close()
    await redis.restart()
    await expect.poll(() => told, { timeout: 10_000 }).toEqual(['up'])
    early.publish('a', '1')
    await expect.poll(() => heard).toEqual(['1'])
    // those that were closed do not try any more: two connections of the open one, and that of the test
    await pause(700)
    expect(
      String(await redis.say('client', 'list'))
        .trim()
        .split('\n'),
    ).toHaveLength(3)
  })

  test('closing while it is up or Redis is frozen leaves no connection', async () => {
    const [one, two] = [open(), open()]
    await ready(one, two)
    await one.close()
    redis.freeze()
    const since = performance.now()
    await two.close()
    expect(performance.now() - since).toBeLessThan(1_000)
    redis.thaw()
    await expect
      .poll(
        async () =>
          String(await redis.say('client', 'list'))
            .trim()
            .split('\n'),
        { timeout: 5_000 },
      )
      .toHaveLength(1)
  })
})
