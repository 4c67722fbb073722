import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownersOf, SLOTS, slotOf } from '../../src/nodes/slots.ts'

test('the slot of an actor never changes: rows and nodes of other versions know it', () => {
  const refs = ['overlay/1', 'overlay/2', 'stream/12', 'match/4711', 'graphic-lock/7/ticker', 'destination/9']
  expect(refs.map(slotOf)).toEqual([116, 146, 76, 22, 125, 137])
  expect(ownersOf(['a', 'b', 'c']).slice(0, 12).join('')).toBe('bbbbabcabcab')
})

test('actors are spread over all slots', () => {
  const counts = Array.from({ length: SLOTS }, () => 0)
  for (let id = 1; id <= 256 * SLOTS; id++) {
    const slot = slotOf(`overlay/${id}`)
    counts[slot] = (counts[slot] ?? 0) + 1
  }
  // a fair draw has a deviation of 16
  expect(Math.min(...counts)).toBeGreaterThan(256 - 5 * 16)
  expect(Math.max(...counts)).toBeLessThan(256 + 5 * 16)
})

const nodes = (max = 8) => fc.uniqueArray(fc.stringMatching(/^[0-9a-f]{10}$/), { minLength: 2, maxLength: max })

test('[issue 17.1] whatever the order of the nodes, each slot has one of them, and each node about its share', () => {
  fc.assert(
    fc.property(nodes(), fc.gen(), (ids, gen) => {
      const owners = ownersOf(ids)
      expect(owners).toHaveLength(SLOTS)
      expect(ownersOf(gen(fc.shuffledSubarray, ids, { minLength: ids.length }))).toEqual(owners)
      const share = SLOTS / ids.length
      // five times the deviation of a fair draw
      const slack = 5 * Math.sqrt(share * (1 - 1 / ids.length))
      for (const id of ids) {
        const owned = owners.filter((owner) => owner === id).length
        expect(Math.abs(owned - share)).toBeLessThan(slack)
      }
    }),
  )
})

test('[issue 17.1] a node that comes takes its share and moves nothing else; one that goes leaves the others what they have', () => {
  fc.assert(
    fc.property(nodes(), ([comer = '', ...others]) => {
      const before = ownersOf(others)
      const after = ownersOf([comer, ...others])
      for (const [slot, owner] of after.entries()) if (owner !== comer) expect(owner).toBe(before[slot])
    }),
  )
})

test('without nodes nobody owns anything', () => {
  expect(new Set(ownersOf([]))).toEqual(new Set([undefined]))
})
