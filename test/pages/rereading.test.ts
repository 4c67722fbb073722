import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRereading } from '../../src/pages/ui/rereading.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Readings that take so long; `again` is what each answers. */
function readings({ takesMs = 10, again = 0, soonMs = 250 } = {}) {
  const signals: AbortSignal[] = []
  const rereading = createRereading(async (signal) => {
    signals.push(signal)
    await new Promise((resolve) => setTimeout(resolve, takesMs))
    return again
  }, soonMs)
  return { ...rereading, signals }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('[issue 6.3] what changes all the time is read all the time, and not only when the changes end', async () => {
  const { changed, signals } = readings()
  for (let change = 0; change < 100; change++) {
    changed()
    await pass(50)
  }
  // 5 s: each reading 250 ms after the first change that it does not know of
  expect(signals.length).toBeGreaterThan(12)
  expect(signals.length).toBeLessThan(22)
  const before = signals.length
  await pass(1_000)
  // and once more for the last one
  expect(signals.length).toBe(before + 1)
})

test('[issue 6.3] a reading that takes its time is not begun anew by each change, one on a dead line is', async () => {
  const slow = readings({ takesMs: 1_500, soonMs: 0 })
  slow.now()
  await pass(100)
  for (let change = 0; change < 10; change++) {
    slow.changed()
    await pass(100)
  }
  expect(slow.signals).toHaveLength(1)
  await pass(500)
  expect(slow.signals.map(({ aborted }) => aborted)).toEqual([false, false])

  const dead = readings({ takesMs: 60_000, soonMs: 0 })
  dead.now()
  await pass(2_500)
  dead.changed()
  await pass(1)
  expect(dead.signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('[issue 6.3] on a line that is only slow a reading comes to its end, whatever changes meanwhile', async () => {
  const { now, changed, signals } = readings({ takesMs: 5_000, soonMs: 0 })
  now()
  for (let change = 0; change < 60; change++) {
    await pass(500)
    changed()
  }
  expect(signals.filter(({ aborted }) => !aborted).length).toBeGreaterThan(2)
})

test('[issue 6.3] it is read again when its time comes, and never after the end', async () => {
  const { now, changed, close, signals } = readings({ again: 5_000 })
  now()
  now()
  await pass(10)
  expect(signals).toHaveLength(1)
  await pass(5_005)
  expect(signals).toHaveLength(2)
  close()
  expect(signals[1]?.aborted).toBe(true)
  changed()
  now()
  await pass(60_000)
  expect(signals).toHaveLength(2)
})
