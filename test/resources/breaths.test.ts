import { expect, test } from 'vitest'
import { createBreaths, mapInBreaths } from '../../src/resources/breaths.ts'

/** Keeps the processor for so long. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Counts the turns that others get while `long` runs. */
async function turnsDuring(long: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let running = true
  const turn = () => {
    if (!running) return
    turns++
    setImmediate(turn)
  }
  setImmediate(turn)
  await long()
  running = false
  return turns
}

test('others get their turns between the items of long work', async () => {
  const items = Array.from({ length: 320 }, (_, nth) => nth)
  let made: number[] = []
  const turns = await turnsDuring(async () => {
    made = await mapInBreaths(createBreaths(), items, (nth) => {
      work(0.5)
      return nth * 2
    })
  })
  expect(made).toEqual(items.map((nth) => nth * 2))
  // a look at the clock every 32 items, 16 ms here
  expect(turns).toBeGreaterThanOrEqual(9)
})

test('short work is done in one turn', async () => {
  const turns = await turnsDuring(() => mapInBreaths(createBreaths(), [1, 2, 3], (one) => one))
  expect(turns).toBe(0)
})
