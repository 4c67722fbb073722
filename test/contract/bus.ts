import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { Bus } from '../../src/nodes/bus.ts'

export type BusUnderTest = {
  /** Opens the bus of one more node of a service; another service on the same carrier where it is named. */
  open(service?: string): Bus
}

/** Resolves when the bus is up and what it publishes reaches itself. */
export async function ready(...buses: Bus[]): Promise<void> {
  for (const bus of buses) {
    await expect.poll(() => bus.isUp(), { timeout: 10_000 }).toBe(true)
    await heard(bus, bus, `ready/${Math.random()}`)
  }
}

/** Publishes until the listener hears of it: a subscription takes a moment. */
async function heard(from: Bus, to: Bus, topic: string): Promise<void> {
  let count = 0
  const leave = to.subscribe(topic, () => count++)
  await expect
    .poll(
      () => {
        from.publish(topic, '')
        return count
      },
      { timeout: 10_000, interval: 10 },
    )
    .toBeGreaterThan(0)
  leave()
}

/** The texts of a topic, once it is surely subscribed. */
export async function listen(bus: Bus, topic: string): Promise<{ texts: string[]; leave(): void }> {
  const texts: string[] = []
  const leave = bus.subscribe(topic, (text) => texts.push(text))
  // of one connection, subscriptions are made in order
  await heard(bus, bus, `after/${Math.random()}`)
  return { texts, leave }
}

/** What every bus does. */
export function busContract(name: string, { open }: BusUnderTest) {
  describe(`the bus on ${name}`, () => {
    const buses: Bus[] = []
    const node = (service?: string) => {
      const bus = open(service)
      buses.push(bus)
      return bus
    }
    afterEach(async () => {
      await Promise.all(buses.splice(0).map((bus) => bus.close()))
    })

    test('a text reaches every node that subscribed, also the one that published, once and whole', async () => {
      const [one, two, three] = [node(), node(), node()]
      await ready(one, two, three)
      const listening = await Promise.all([one, two, three].map((bus) => listen(bus, 'overlay/1')))
      const texts = ['', '{"seq":1}', 'ä€😀\r\n\0', 'x'.repeat(300_000)]
      for (const text of texts) one.publish('overlay/1', text)
      for (const { texts: told } of listening) await expect.poll(() => told, { timeout: 10_000 }).toEqual(texts)
      await pause(20)
      for (const { texts: told } of listening) expect(told).toHaveLength(texts.length)
    })

    test('texts of one publisher arrive in its order, over all topics', async () => {
      const [one, two] = [node(), node()]
      await ready(one, two)
      const told: string[] = []
      for (const topic of ['overlay/1', 'overlay/2', 'records']) two.subscribe(topic, (text) => told.push(text))
      await listen(two, 'last')
      const sent: string[] = []
      for (let i = 0; i < 3_000; i++) {
        const text = `text ${i}`
        sent.push(text)
        one.publish(['overlay/1', 'overlay/2', 'records'][i % 3] ?? '', text)
        if (i % 100 === 0) await pause(1)
      }
      await expect.poll(() => told.length, { timeout: 10_000 }).toBe(sent.length)
      expect(told).toEqual(sent)
    })

    test('nobody hears inside the call that publishes', async () => {
      const bus = node()
      await ready(bus)
      const { texts } = await listen(bus, 'a')
      bus.publish('a', '1')
      expect(texts).toEqual([])
      await expect.poll(() => texts).toEqual(['1'])
    })

    test('only subscribed topics are heard, and by each listener until it leaves', async () => {
      const [one, two] = [node(), node()]
      await ready(one, two)
      const first = await listen(two, 'overlay/1')
      const second = await listen(two, 'overlay/1')
      const other = await listen(two, 'overlay/2')
      const last = await listen(two, 'end')
      one.publish('overlay/1', 'a')
      one.publish('overlay/11', 'b')
      one.publish('end', '1')
      await expect.poll(() => last.texts).toEqual(['1'])
      first.leave()
      first.leave()
      one.publish('overlay/1', 'c')
      one.publish('end', '2')
      await expect.poll(() => last.texts).toEqual(['1', '2'])
      second.leave()
      await listen(two, 'anything')
      one.publish('overlay/1', 'd')
      one.publish('end', '3')
      await expect.poll(() => last.texts).toEqual(['1', '2', '3'])
      expect([first.texts, second.texts, other.texts]).toEqual([['a'], ['a', 'c'], []])
    })

    test('a topic that is left and taken up again is heard', async () => {
      const [one, two] = [node(), node()]
      await ready(one, two)
      for (let i = 0; i < 20; i++) two.subscribe('overlay/1', () => {})()
      const { texts } = await listen(two, 'overlay/1')
      one.publish('overlay/1', 'a')
      await expect.poll(() => texts).toEqual(['a'])
    })

    test('a listener that fails hurts no other', async () => {
      const bus = node()
      await ready(bus)
      bus.subscribe('a', () => {
        throw new Error('broken')
      })
      const { texts } = await listen(bus, 'a')
      bus.publish('a', '1')
      await expect.poll(() => texts).toEqual(['1'])
    })

    test('two services hear nothing of each other', async () => {
      const [one, two] = [node('one'), node('two')]
      await ready(one, two)
      const [mine, theirs] = [await listen(one, 'a'), await listen(two, 'a')]
      one.publish('a', '1')
      two.publish('a', '2')
      await expect.poll(() => [mine.texts, theirs.texts]).toEqual([['1'], ['2']])
    })

    test('a closed one is down, hears nothing, and what it is told does no harm', async () => {
      const [one, two] = [node(), node()]
      await ready(one, two)
      const { texts } = await listen(two, 'a')
      const { texts: others } = await listen(one, 'a')
      one.publish('a', 'last')
      await one.close()
      await one.close()
      expect(one.isUp()).toBe(false)
      one.publish('a', 'too late')
      const leave = one.subscribe('a', () => {})
      leave()
      two.publish('a', '2')
      await expect.poll(() => texts).toEqual(['last', '2'])
      expect(others).not.toContain('2')
    })
  })
}
