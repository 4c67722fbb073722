import { expect, test } from 'vitest'
import { createReread } from '../../src/realtime/reread.ts'

test('[live-path 22] an older reading never comes last', async () => {
  let stored = 5
  const applied: number[] = []
  const answers: (() => void)[] = []
  const changed = createReread<number>({
    async read() {
      const seen = stored
      await new Promise<void>((resolve) => answers.push(resolve))
      applied.push(seen)
    },
    failed: () => {},
  })
  changed(1)
  stored = 0
  changed(1)
  changed(1)
  // the newest answer first, as two connections may give them
  while (applied.at(-1) !== 0) {
    answers.pop()?.()
    await new Promise(setImmediate)
  }
  while (answers.length > 0) answers.pop()?.()
  await new Promise(setImmediate)
  expect(applied).toEqual([5, 0])
})

test('[P8] what cannot be read is read until it can', async () => {
  let failures = 3
  const read: number[] = []
  const changed = createReread<number>({
    async read(key) {
      if (failures-- > 0) throw new Error('down')
      read.push(key)
    },
    failed: () => {},
    retryMs: 1,
  })
  changed(7)
  await expect.poll(() => read).toEqual([7])
  changed(7)
  await expect.poll(() => read).toEqual([7, 7])
})
