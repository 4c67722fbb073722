import { expect, test } from 'vitest'
import { createYield } from '../../src/http/yield.ts'

test('between two that take their turn the loop serves others', async () => {
  const yielded = createYield(60_000)
  let loops = 0
  let counting = true
  const count = () => {
    loops++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const seen = await Promise.all(Array.from({ length: 5 }, () => yielded().then(() => loops)))
  counting = false
  expect(new Set(seen).size).toBe(5)
  expect(seen).toEqual([...seen].sort((one, other) => one - other))
})

test('who waited too long is told to come again, and those after go on', async () => {
  const yielded = createYield(-1)
  const refused = await Promise.allSettled([yielded(), yielded()])
  for (const answer of refused) expect(answer).toMatchObject({ status: 'rejected', reason: { status: 503 } })
})
