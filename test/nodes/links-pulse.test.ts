import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pulse } from '../../src/nodes/links/pulse.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

test('it ticks twice a second, and beats each second', () => {
  const pulse = new Pulse(() => 0)
  const ticks: boolean[] = []
  const member = { tick: (isBeat: boolean) => void ticks.push(isBeat) }
  pulse.add(member)
  vi.advanceTimersByTime(2_000)
  expect(ticks).toEqual([false, true, false, true])
  pulse.delete(member)
  vi.advanceTimersByTime(2_000)
  pulse.stop()
  expect(ticks.length).toBe(4)
})

test('a standstill is seen by whichever comes first, what was said meanwhile or the timer, and once', () => {
  let now = 0
  const pulse = new Pulse(() => now)
  const go = (ms: number) => {
    now += ms
    vi.advanceTimersByTime(500)
  }
  go(500)
  go(1_900)
  expect(pulse.standstills).toBe(0)
  now += 2_100
  expect([pulse.standstills, pulse.standstills]).toEqual([1, 1])
  go(0)
  expect(pulse.standstills).toBe(1)
  go(2_100)
  expect(pulse.standstills).toBe(2)
  pulse.stop()
})
