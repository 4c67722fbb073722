import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DueDelivery } from '../../src/resources/webhooks/tell.ts'
import type { Attempt } from '../../src/webhooks/attempt.ts'
import type { Outcome } from '../../src/webhooks/outcome.ts'
import { createPump } from '../../src/webhooks/pump.ts'
import type { Endpoint } from '../../src/webhooks/registry.ts'

// the clock of the seats; what is awaited goes on by itself
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const delivery = (webhookId: number, place = 1, subject = 'overlay/1'): DueDelivery => ({
  ...{ webhookId, place, subject, eventId: `msg_${place}`, type: 'overlay.graphic_shown', body: '{}', tries: 0 },
})
const taken: Attempt = { at: 0, status: 204, ms: 1, error: null, retryAfterMs: 0 }

/** A pump whose attempts end when the test says so; webhooks are of organization 1, from 10,000 on of organization 2. */
function pumpOf() {
  const underWay = new Map<string, (attempt: Attempt | undefined) => void>()
  const begun: string[] = []
  const settled: Outcome[] = []
  const endpoint = (id: number): Endpoint => ({
    ...{ id, organizationId: id < 10_000 ? 1 : 2, url: 'http://127.0.0.1:1/', keys: [], isFailing: false },
  })
  const pump = createPump({
    rows: {
      due: async () => [],
      settle: async (outcomes) => void settled.push(...outcomes),
      overdue: async () => [],
    },
    registry: { has: () => true, isEmpty: false, find: endpoint, onRead() {}, async reread() {} },
    sender: {
      send: ({ id }, { eventId }) =>
        new Promise((resolve) => {
          begun.push(`${id} ${eventId}`)
          underWay.set(`${id} ${eventId}`, resolve)
        }),
      warm() {},
      close: async () => {},
    },
    owns: () => true,
    later() {},
    attempted() {},
    log: pino({ enabled: false }),
  })
  /** Ends an attempt; resolves when that is written. */
  const end = async (name: string, attempt = taken) => {
    const before = settled.length
    underWay.get(name)?.(attempt)
    await turns()
    expect(settled.length).toBe(before + 1)
  }
  return { pump, begun, end }
}

/** Attempts that end in one turn of the loop are written in the next. */
const turns = async () => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const many = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index)

describe('[issue 20.3] seats of attempts', () => {
  test('endpoints that never answer keep no others of their organization waiting longer than it takes to see that', async () => {
    const { pump, begun, end } = pumpOf()
    const dead = many(256)
    pump.offer([...dead, 1_000].map((id) => delivery(id)))
    expect(begun).toEqual(dead.map((id) => `${id} msg_1`))
    // another organization has seats of its own
    pump.offer([delivery(10_000)])
    expect(begun.at(-1)).toBe('10000 msg_1')
    await vi.advanceTimersByTimeAsync(300)
    expect(begun.at(-1)).toBe('1000 msg_1')
    // from then on they are known: the next event of theirs waits, and one of the others does not
    await end('1000 msg_1')
    pump.offer([...dead, 1_000].map((id) => delivery(id, 2)))
    await turns()
    expect(begun.at(-1)).toBe('1000 msg_2')
    expect(begun.length).toBe(dead.length + 3)
  })

  test('an endpoint that answers has four attempts under way, and one of each subject, in order', async () => {
    const { pump, begun, end } = pumpOf()
    pump.offer(many(6).map((place) => delivery(1, place, `overlay/${place < 3 ? 1 : place}`)))
    expect(begun).toEqual(['1 msg_1', '1 msg_3', '1 msg_4', '1 msg_5'])
    await end('1 msg_1')
    expect(begun.slice(4)).toEqual(['1 msg_2'])
    await end('1 msg_3')
    expect(begun.slice(5)).toEqual(['1 msg_6'])
  })

  test('one that refuses has one attempt under way until it takes one again', async () => {
    const { pump, begun, end } = pumpOf()
    pump.offer([delivery(1, 1, 'a')])
    await end('1 msg_1', { ...taken, status: 500, error: 'answered 500' })
    pump.offer([delivery(1, 2, 'b'), delivery(1, 3, 'c'), delivery(1, 4, 'd')])
    expect(begun.slice(1)).toEqual(['1 msg_2'])
    await end('1 msg_2')
    expect(begun.slice(2)).toEqual(['1 msg_3', '1 msg_4'])
  })
})
