import { expect, test } from 'vitest'
import { Pace } from '../../src/nodes/pace.ts'

test('[cluster An added node] a node is slow while an ask waits for it, and for no longer than it may be kept waiting for its share', () => {
  let now = 1_000
  const waits = new Map<string, number>()
  const pace = new Pace(
    (node) => waits.get(node) ?? 0,
    () => now,
  )
  expect(pace.isSlow('b')).toBe(false)
  waits.set('b', 400)
  expect(pace.isSlow('b')).toBe(true)
  expect(pace.isSlow('c')).toBe(false)
  waits.set('b', 20)
  expect(pace.isSlow('b')).toBe(false)
  waits.set('b', 2_000)
  now += 1_400
  expect(pace.isSlow('b')).toBe(true)
  now += 200
  expect(pace.isSlow('b')).toBe(false)
  // the next process has an id of its own
  expect(pace.isSlow('d')).toBe(false)
  waits.set('d', 400)
  expect(pace.isSlow('d')).toBe(true)
  pace.keep([{ id: 'd' }])
  expect(pace.isSlow('b')).toBe(true)
})
