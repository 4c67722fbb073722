import { expect, test } from 'vitest'
import { Line } from '../../src/waiting/line.ts'

test('members leave from anywhere, once, and the others keep their order', () => {
  const line = new Line<string>()
  const places = ['a', 'b', 'c', 'd'].map((member) => line.join(member))
  expect([...line]).toEqual(['a', 'b', 'c', 'd'])
  for (const [index, left] of [
    [1, ['a', 'c', 'd']],
    [0, ['c', 'd']],
    [3, ['c']],
    [2, []],
  ] as const) {
    const place = places[index]
    if (!place) throw new Error('no place')
    expect(line.leave(place)).toBe(true)
    expect(line.leave(place)).toBe(false)
    expect([...line]).toEqual(left)
    expect(line.size).toBe(left.length)
    expect(line.first?.member).toBe(left[0])
  }
  line.join('e')
  expect([...line]).toEqual(['e'])
})

test('a member may leave while the line is looked through', () => {
  const line = new Line<number>()
  const places = [1, 2, 3].map((member) => line.join(member))
  const seen: number[] = []
  for (const member of line) {
    seen.push(member)
    const place = places[member - 1]
    if (place) line.leave(place)
  }
  expect(seen).toEqual([1, 2, 3])
  expect(line.size).toBe(0)
})
