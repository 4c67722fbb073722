import { expect, test } from 'vitest'
import { Reach } from '../../src/nodes/reach.ts'

const SECOND = 1_000
const other = { id: 'other', url: '127.0.0.1:1' }

/** Ten seconds: it answers and beats each second until then; answers what a node thinks of it at the end of each second. */
async function seconds({ answersUntil, beatsUntil }: { answersUntil: number; beatsUntil: number }): Promise<boolean[]> {
  let now = 0
  const ping = async () => {
    if (now >= answersUntil * SECOND) throw new Error('no answer')
  }
  const reach = new Reach(ping, () => now)
  const thought: boolean[] = []
  for (let second = 0; second < 10; second++) {
    now = second * SECOND
    reach.look([other])
    await Promise.resolve()
    now += 999
    const beatenAt = Math.min(now, beatsUntil * SECOND) - 10
    thought.push(reach.cutOffFrom(new Map([[other.id, beatenAt]])).length > 0)
  }
  return thought
}

test('a node that beats on and does not answer for two seconds and a half is cut off', async () => {
  const thought = await seconds({ answersUntil: 3, beatsUntil: 10 })
  expect(thought).toEqual([false, false, false, false, true, true, true, true, true, true])
})

test('[issue 17] one that was killed is not, whenever it answered and beat last', async () => {
  for (const beatsUntil of [2.1, 2.5, 3])
    expect(await seconds({ answersUntil: 3, beatsUntil })).toEqual(Array.from({ length: 10 }, () => false))
})

test('one that answers is not', async () => {
  expect(await seconds({ answersUntil: 10, beatsUntil: 10 })).toEqual(Array.from({ length: 10 }, () => false))
})
