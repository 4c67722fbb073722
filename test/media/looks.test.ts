import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLooks } from '../../src/media/looks.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[issue 5.1] one look at a time for each thing; whoever asks meanwhile shares one more that begins afterwards', async () => {
  const begun: string[] = []
  const open: (() => void)[] = []
  const looks = createLooks(
    (key) => {
      begun.push(key)
      return new Promise((resolve) => open.push(resolve))
    },
    () => {},
  )
  const over: string[] = []
  const ask = (name: string, key: string) => void looks.now(key).then(() => over.push(name))
  ask('first', 'stream/1')
  ask('second', 'stream/1')
  ask('third', 'stream/1')
  ask('other', 'stream/2')
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['stream/1', 'stream/2'])
  open.shift()?.()
  await vi.advanceTimersByTimeAsync(0)
  expect([begun, over]).toEqual([['stream/1', 'stream/2', 'stream/1'], ['first']])
  for (const end of open.splice(0)) end()
  await vi.advanceTimersByTimeAsync(0)
  expect([begun.length, over]).toEqual([3, ['first', 'other', 'second', 'third']])
})

test('a look that fails is told and comes again a second later, until it succeeds; none after the end', async () => {
  const failures: unknown[] = []
  let left = 2
  let looked = 0
  const looks = createLooks(
    async () => {
      looked += 1
      if (left-- > 0) throw new Error('no database')
    },
    (key) => failures.push(key),
  )
  await looks.now('input/1')
  expect([looked, failures]).toEqual([1, ['input/1']])
  await vi.advanceTimersByTimeAsync(999)
  expect(looked).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  expect([looked, failures.length]).toEqual([3, 2])
  looks.later('input/1', 500)
  await looks.close()
  await vi.advanceTimersByTimeAsync(10_000)
  await looks.now('input/1')
  expect(looked).toBe(3)
})
