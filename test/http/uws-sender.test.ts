import { expect, test } from 'vitest'
import { Sender, type Sending } from '../../src/http/uws-sender.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a turn of the loop hands over a bounded number of bytes, whoever waits, and everybody has a turn', async () => {
  const sender = new Sender()
  const sent: number[] = []
  const perTurn: number[] = []
  const readers = Array.from({ length: 100 }, (_, id): Sending => {
    let left = 5
    return {
      sendSlice() {
        sent.push(id)
        if (--left > 0) sender.join(this)
        return 65_536
      },
    }
  })
  for (const reader of readers) sender.join(reader)
  while (sent.length < 500) {
    const before = sent.length
    await turn()
    perTurn.push(sent.length - before)
  }
  expect(Math.max(...perTurn)).toBe(4)
  // nobody has a second slice before all had their first
  expect(new Set(sent.slice(0, 100)).size).toBe(100)
  await turn()
  expect(sent).toHaveLength(500)
})

test('who has nothing at hand costs no turn', async () => {
  const sender = new Sender()
  let sent = 0
  for (let index = 0; index < 50; index++) sender.join({ sendSlice: () => (sent++ > 48 ? 10 : 0) })
  await turn()
  expect(sent).toBe(50)
})
