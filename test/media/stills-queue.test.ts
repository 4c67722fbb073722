import { describe, expect, test } from 'vitest'
import { QueueFull, StillQueue } from '../../src/media/stills/queue.ts'

const wanted = (organizationId: number, key: string) => ({ organizationId, key, payload: `"${key}"` })
const png = (text: string) => Buffer.from(text)
/** All that wait, in the order in which they are made. */
function madeOf(queue: StillQueue): string[] {
  const made: string[] = []
  for (let one = queue.next(); one; one = queue.next()) {
    made.push(one.key)
    one.resolve(png(one.key))
  }
  return made
}

describe('[show-control: Pictures] stills that wait', () => {
  test('organizations take turns, however many one asks for', () => {
    const queue = new StillQueue(1_000)
    for (let n = 0; n < 500; n++) void queue.add(wanted(1, `a${n}`))
    void queue.add(wanted(2, 'b0'))
    void queue.add(wanted(2, 'b1'))
    void queue.add(wanted(3, 'c0'))
    expect(madeOf(queue).slice(0, 6)).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
  })

  test('one that is asked for again is made once, also while it is being made; afterwards anew', async () => {
    const queue = new StillQueue(10)
    const first = queue.add(wanted(1, 'a'))
    expect(queue.add(wanted(1, 'a'))).toBe(first)
    const making = queue.next()
    expect(queue.add(wanted(1, 'a'))).toBe(first)
    expect(queue.next()).toBeUndefined()
    making?.resolve(png('a'))
    expect(String(await first)).toBe('a')
    expect(queue.size).toBe(0)
    expect(queue.add(wanted(1, 'a'))).not.toBe(first)
    madeOf(queue)
  })

  test('an organization may have so many waiting, which takes nothing from another', async () => {
    const queue = new StillQueue(2)
    void queue.add(wanted(1, 'a'))
    void queue.add(wanted(1, 'b'))
    await expect(queue.add(wanted(1, 'c'))).rejects.toThrow(QueueFull)
    void queue.add(wanted(2, 'd'))
    expect(madeOf(queue)).toEqual(['a', 'd', 'b'])
  })

  test('with the end of the server none is made, and all who wait hear of it', async () => {
    const queue = new StillQueue(10)
    const all = [queue.add(wanted(1, 'a')), queue.add(wanted(2, 'b'))]
    queue.refuse('over')
    expect(await Promise.allSettled(all)).toMatchObject([
      { reason: { message: 'over' } },
      { reason: { message: 'over' } },
    ])
    expect(queue.next()).toBeUndefined()
  })
})
