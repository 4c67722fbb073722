import { expect, test } from 'vitest'
import type { LiveNode } from '../../src/nodes/leases.ts'
import { cutOff, HANDED_AT_ONCE, planOf, sharing } from '../../src/nodes/shares.ts'
import { ownersOf, SLOTS } from '../../src/nodes/slots.ts'

const node = (id: string, more: Partial<LiveNode> = {}): LiveNode => ({
  id,
  url: `tls://${id}:1`,
  knows: '0040_nodes.sql',
  draining: false,
  leaving: false,
  ageMs: 100,
  cutOffFrom: [],
  ...more,
})

test('a node that nobody reaches is put out, whoever noticed it, and not those that it does not reach', () => {
  const silent = [node('a', { cutOffFrom: ['b', 'c'] }), node('b'), node('c')]
  expect([...cutOff(silent)]).toEqual(['a'])
  const noticed = [node('a'), node('b', { cutOffFrom: ['a'] }), node('c', { cutOffFrom: ['a'] })]
  expect([...cutOff(noticed)]).toEqual(['a'])
})

test('of two nodes that do not reach each other one stays, and both think of the same one', () => {
  expect([...cutOff([node('a', { cutOffFrom: ['b'] }), node('b', { cutOffFrom: ['a'] })])]).toEqual(['b'])
  // the one that can be asked
  expect([...cutOff([node('b', { cutOffFrom: ['a'] }), node('a')])]).toEqual(['a'])
  expect([...cutOff([node('b'), node('a', { cutOffFrom: ['b'] })])]).toEqual(['b'])
  expect([...cutOff([node('a', { draining: true }), node('b', { cutOffFrom: ['a'] })])]).toEqual(['a'])
})

test('whichever of the others notices first that one cannot be reached, it is that one that goes', () => {
  for (const noticed of ['a', 'c'])
    expect([...cutOff(['a', 'b', 'c'].map((id) => node(id, { cutOffFrom: id === noticed ? ['b'] : [] })))]).toEqual([
      'b',
    ])
})

test('a node that is gone cuts nobody off', () => {
  expect(cutOff([node('a', { cutOffFrom: ['gone'] }), node('b')]).size).toBe(0)
  expect(sharing([node('a', { cutOffFrom: ['b'], ageMs: 3_000 }), node('b'), node('c')])).toEqual(['b', 'c'])
})

test('who leaves, is drained, or has not beaten for a lease, has no share; drained nodes go on when nobody else is left', () => {
  const leaving = node('l', { leaving: true })
  const drained = node('d', { draining: true })
  expect(sharing([node('a'), leaving, drained, node('s', { ageMs: 3_000 })])).toEqual(['a'])
  expect(sharing([leaving, drained])).toEqual(['d'])
  expect(sharing([leaving])).toEqual([])
})

const plan = (nodes: LiveNode[], owners: (string | null)[], held: number[], busy: number[] = []) =>
  planOf({ me: 'a', nodes, owners, isHeld: (slot) => held.includes(slot), isBusy: (slot) => busy.includes(slot) })

const slots = Array.from({ length: SLOTS }, (_, slot) => slot)
const shares = ownersOf(['a', 'b'])
const share = (of: string) => slots.filter((slot) => shares[slot] === of)

test('a node takes what is free of its share, and gives up the rest of what it holds, but what it is giving up already', () => {
  const two = [node('a'), node('b')]
  const free = slots.map(() => null)
  expect(plan(two, free, [])).toMatchObject({ take: share('a'), giveUp: [], forgotten: [] })
  const mine = slots.map(() => 'a')
  const theirShare = share('b')
  const few = theirShare.slice(0, HANDED_AT_ONCE)
  expect(plan(two, mine, slots)).toMatchObject({ take: [], giveUp: few, forgotten: [], reason: 'join' })
  // the next ones when those are taken
  const [first = 0, second = 0] = few
  expect(plan(two, mine, slots, [first]).giveUp).toEqual(theirShare.slice(1, HANDED_AT_ONCE))
  const nobodys = mine.map((owner, slot) => (few.includes(slot) ? null : owner))
  expect(plan(two, nobodys, slots, [])).toMatchObject({ take: [], giveUp: [] })
  const taken = mine.map((owner, slot) => (slot === first || slot === second ? 'b' : owner))
  const held = slots.filter((slot) => slot !== first && slot !== second)
  expect(plan(two, taken, held).giveUp).toEqual(theirShare.slice(2, 2 + HANDED_AT_ONCE))
  const theirs = slots.map(() => 'b')
  expect(plan(two, theirs, [])).toMatchObject({ take: [], giveUp: [], forgotten: [], awaited: false })
})

test('[cluster An added node] a node that answers slowly is handed nothing until it does not; others are, and one that goes hands over all the same', () => {
  const mine = slots.map(() => 'a')
  const ofThree = ownersOf(['a', 'b', 'c'])
  const planned = (nodes: LiveNode[], ...slow: string[]) =>
    planOf({
      ...{ me: 'a', nodes, owners: mine, isHeld: () => true, isBusy: () => false },
      isSlow: (id) => slow.includes(id),
    })
  const three = [node('a'), node('b'), node('c')]
  expect(planned(three, 'b', 'c')).toMatchObject({ giveUp: [], keptBack: true })
  const some = planned(three, 'b')
  expect(some.giveUp).toEqual(slots.filter((slot) => ofThree[slot] === 'c').slice(0, HANDED_AT_ONCE))
  expect(some.keptBack).toBe(true)
  expect(planned(three)).toMatchObject({ keptBack: false })
  const going = [node('a', { draining: true }), node('b')]
  expect(planned(going, 'b')).toMatchObject({ giveUp: slots, keptBack: false })
})

test('what the database says is ours and we do not hold is taken anew, or given up', () => {
  const mine = slots.map(() => 'a')
  expect(plan([node('a'), node('b')], mine, [])).toMatchObject({ take: share('a'), forgotten: share('b') })
})

test('a drained node gives up everything and says why', () => {
  const mine = slots.map(() => 'a')
  expect(plan([node('a', { draining: true }), node('b')], mine, slots)).toMatchObject({
    giveUp: slots,
    reason: 'drain',
  })
  const cut = [node('a', { cutOffFrom: ['b', 'c'] }), node('b'), node('c')]
  expect(plan(cut, mine, slots)).toMatchObject({ giveUp: slots, reason: 'cut off' })
})

test('the end of the leases of a silent node is awaited', () => {
  const theirs = slots.map(() => 'b')
  expect(plan([node('a'), node('b', { ageMs: 3_000 })], theirs, [])).toMatchObject({ take: [], awaited: true })
  expect(plan([node('a')], theirs, [])).toMatchObject({ take: [], awaited: true })
})
