import { expect, test } from 'vitest'
import { createTurns } from '../../src/http/turns.ts'

test('between two that take their turn the loop serves others', async () => {
  const turn = createTurns(60_000)
  let loops = 0
  let counting = true
  const count = () => {
    loops++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const seen = await Promise.all(Array.from({ length: 5 }, () => turn().then(() => loops)))
  counting = false
  expect(new Set(seen).size).toBe(5)
  expect(seen).toEqual([...seen].sort((one, other) => one - other))
})

test('who waited too long is told to come again, and those after go on', async () => {
  const turn = createTurns(-1)
  const refused = await Promise.allSettled([turn(), turn()])
  for (const answer of refused) expect(answer).toMatchObject({ status: 'rejected', reason: { status: 503 } })
})
