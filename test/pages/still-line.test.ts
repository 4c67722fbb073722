import { expect, test } from 'vitest'
import { type StillAnswer, stillLine } from '../../src/pages/ui/still-line.ts'

/** A line whose pictures are answered by the test. */
function line(answerOf: (url: string, time: number) => StillAnswer) {
  const asked: string[] = []
  const shown: string[] = []
  const again: (() => void)[] = []
  const load = stillLine({
    async read(url) {
      asked.push(url)
      return answerOf(url, asked.filter((one) => one === url).length)
    },
    later: (run) => again.push(run),
    tries: 3,
  })
  return { asked, shown, again, load: (url: string, isFirst = false) => load(url, () => shown.push(url), { isFirst }) }
}

test('[issue 19.5] what somebody has just changed is asked for before what waits, also when it is being made', async () => {
  const { asked, shown, again, load } = line((url, time) => (url === 'changed' && time === 1 ? 'later' : undefined))
  for (const url of ['a', 'b', 'c']) load(url)
  load('d')()
  load('changed', true)
  await expect.poll(() => shown).toEqual(['a', 'b', 'c'])
  expect(asked).toEqual(['a', 'changed', 'b', 'c'])
  for (const url of ['e', 'f']) load(url)
  again[0]?.()
  await expect.poll(() => shown.slice(3)).toEqual(['e', 'changed', 'f'])
})

test('[issue 19.5] one that is never made is given up, and keeps nobody waiting', async () => {
  const { asked, shown, again, load } = line((url) => (url === 'slow' ? 'later' : undefined))
  load('slow')
  load('a')
  for (const time of [0, 1]) {
    await expect.poll(() => again.length).toBe(time + 1)
    again[time]?.()
  }
  await expect.poll(() => asked.length).toBe(4)
  expect([shown, again.length]).toEqual([['a'], 2])
})
