import { expect, onTestFinished, test } from 'vitest'
import { HANDED_AT_ONCE } from '../../src/nodes/shares.ts'
import { ownersOf, slotOf } from '../../src/nodes/slots.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { type TestDatabase, testDatabaseOfOneTest } from '../support/database.ts'
import { allSlots, startMember, type TestMember } from '../support/member.ts'
import { proxyTo } from '../support/proxy.ts'

const takeovers = (database: TestDatabase) =>
  database.sql`select from_node, to_node, reason, sum(slots)::int as slots from takeover group by 1, 2, 3 order by min(id)`

/** Each of them owns its whole share, and nothing else, within a moment. */
async function shared(...members: TestMember[]) {
  const shares = ownersOf(members.map(({ member }) => member.id))
  const owners = () => {
    const owned = members.map((one) => [one.member.id, new Set(one.owned())] as const)
    return allSlots.map((slot) => owned.flatMap(([id, slots]) => (slots.has(slot) ? [id] : [])).join())
  }
  await expect.poll(owners, { interval: 10 }).toEqual(shares)
}

/** How many slots it was told that it gave up, took or lost, at a time. */
const atOnce = ({ told }: TestMember, what: 'release' | 'taken' | 'lost') =>
  told.flatMap((text) => (text.startsWith(what) ? [Number(text.split(' ')[1])] : []))
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

test('[issue 17.1] the first node owns everything, a second one takes its share within a moment, and both know who owns what', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url, { id: 'one', url: 'tls://one:1' })
  expect(one.owned()).toEqual(allSlots)
  expect(one.member.isLive).toBe(true)
  const began = performance.now()
  const two = await startMember(database.url, { id: 'two', url: 'tls://two:1' })
  await shared(one, two)
  expect(performance.now() - began).toBeLessThan(5_000)
  const moved = two.owned().length
  // a few at a time, each when those before are taken: a process that has just started answers its first commands slowly
  expect(Math.max(...atOnce(one, 'release'))).toBe(HANDED_AT_ONCE)
  expect(Math.max(...atOnce(two, 'taken'))).toBeLessThanOrEqual(HANDED_AT_ONCE)
  expect([sum(atOnce(one, 'release')), sum(atOnce(two, 'taken'))]).toEqual([moved, moved])
  expect(await takeovers(database)).toEqual([{ from_node: 'one', to_node: 'two', reason: 'join', slots: moved }])
  expect(two.member.figures).toEqual({ slotsOwned: moved, takeovers: atOnce(two, 'taken').length })

  for (const ref of ['overlay/1', 'overlay/2', 'stream/3', 'match/4']) {
    const owner = two.member.ownsSlot(slotOf(ref)) ? 'two' : 'one'
    expect([one.member.owns(ref), two.member.owns(ref)]).toEqual([owner === 'one', owner === 'two'])
    for (const { member } of [one, two])
      await expect.poll(() => member.ownerOf(ref)).toEqual({ id: owner, url: `tls://${owner}:1` })
  }
})

test('[cluster An added node] a node gets ready for its share while others own it still, and joins also when it cannot', async () => {
  const database = await testDatabaseOfOneTest()
  const prepared: (readonly number[])[] = []
  const prepare = async (slots: readonly number[]) => {
    prepared.push(slots)
    // the others do not know of it yet
    expect(await database.sql`select from node`).toHaveLength(1)
    expect(one.owned()).toEqual(allSlots)
    throw new Error('the database is busy')
  }
  // where nobody serves, commands wait: there is no time to get ready
  const one = await startMember(database.url, { prepare })
  expect(prepared).toEqual([])
  const two = await startMember(database.url, { prepare })
  await shared(one, two)
  expect(prepared).toEqual([two.owned()])
})

test('[cluster An added node] a node that answers slowly is handed the rest of its share when it does not any more', async () => {
  const database = await testDatabaseOfOneTest()
  const handed: number[] = []
  let keepsUp = false
  const one = await startMember(database.url, {
    onRelease: async (slots) => void handed.push(slots.length),
    isSlow: () => handed.length > 0 && !keepsUp,
  })
  const two = await startMember(database.url)
  await expect.poll(() => two.owned().length).toBe(HANDED_AT_ONCE)
  // each look would hand over the next ones
  for (let look = 0; look < 3; look++) await one.member.refresh()
  expect(handed).toEqual([HANDED_AT_ONCE])
  keepsUp = true
  await shared(one, two)
})

test('a third node leaves the first two with what it does not take', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url)
  const two = await startMember(database.url)
  await shared(one, two)
  const before = [one.owned(), two.owned()]
  const three = await startMember(database.url)
  await shared(one, two, three)
  for (const [index, member] of [one, two].entries())
    for (const slot of member.owned()) expect(before[index]).toContain(slot)
})

test('a node that starts while the database does not answer for a moment joins all the same', async () => {
  const database = await testDatabaseOfOneTest()
  const way = await proxyTo(database.url)
  way.freeze()
  // longer than a statement may take
  setTimeout(() => way.mend(), 1_500)
  const began = performance.now()
  const one = await startMember(database.url, { connect: () => connectDatabase(way.url, { connections: 1 }).sql })
  expect(performance.now() - began).toBeGreaterThan(1_400)
  expect(one.owned()).toEqual(allSlots)
})

test('[cluster SIGTERM] a node that leaves finishes what it accepted, and the others own its slots a moment later', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url)
  let finish = () => {}
  let leftWith: number[] = []
  const two: TestMember = await startMember(database.url, {
    onRelease: (slots) => {
      leftWith = two.owned()
      two.told.push(`release ${slots.length}`)
      return new Promise((resolve) => {
        finish = resolve
      })
    },
  })
  await shared(one, two)
  const moved = two.owned().length
  const left = two.member.leave()
  await expect.poll(() => two.told.at(-1)).toBe(`release ${moved}`)
  // out of hand before the host is asked, and nobody else's until it is done
  expect(leftWith).toEqual([])
  expect(one.owned()).toHaveLength(256 - moved)
  const began = performance.now()
  finish()
  await expect.poll(() => one.owned().length, { interval: 5 }).toBe(256)
  // by a notification: the next beat would come up to a second later
  expect(performance.now() - began).toBeLessThan(500)
  await left
  expect((await database.sql`select id from node`).map(({ id }) => id)).toEqual([one.member.id])
  expect((await takeovers(database)).at(-1)).toMatchObject({ to_node: one.member.id, reason: 'leave', slots: moved })
})

test('a node that has left knows who owns what, and nothing of it is its own', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url, { id: 'one' })
  const two = await startMember(database.url, { id: 'two' })
  await shared(one, two)
  await two.member.leave()
  const refs = Array.from({ length: 50 }, (_, id) => `overlay/${id}`)
  const owners = () => {
    void two.member.refresh()
    return new Set(refs.map((ref) => two.member.ownerOf(ref)?.id))
  }
  await expect.poll(owners, { interval: 20 }).toEqual(new Set(['one']))
  expect(two.owned()).toEqual([])
  expect((await database.sql`select id from node`).map(({ id }) => id)).toEqual(['one'])
})

test('a host that does not finish is not waited for longer than a second', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url)
  const two = await startMember(database.url, { onRelease: () => new Promise(() => {}) })
  await shared(one, two)
  const began = performance.now()
  await two.member.leave()
  const took = performance.now() - began
  expect(took).toBeGreaterThan(990)
  expect(took).toBeLessThan(2_500)
  await expect.poll(() => one.owned().length).toBe(256)
})

test('[cluster freeze] a node without its database owns nothing after three seconds; others have its slots', async () => {
  const database = await testDatabaseOfOneTest()
  const proxy = await proxyTo(database.url)
  const one = await startMember(database.url)
  const two = await startMember(proxy.url, { id: 'two' })
  await shared(one, two)
  const moved = two.owned().length
  const began = performance.now()
  proxy.freeze()
  let silentSince = 0
  await expect
    .poll(
      () => {
        const both = new Set([...one.owned(), ...two.owned()])
        // never a slot with two owners
        expect(both.size).toBe(one.owned().length + two.owned().length)
        if (two.owned().length === 0) silentSince ||= performance.now() - began
        return one.owned().length
      },
      { timeout: 4_500, interval: 5 },
    )
    .toBe(256)
  const took = performance.now() - began
  expect(silentSince).toBeLessThanOrEqual(3_000)
  expect(took).toBeLessThan(4_000)
  expect(sum(atOnce(two, 'lost'))).toBe(moved)
  expect((await takeovers(database)).at(-1)).toMatchObject({ from_node: 'two', reason: 'expired', slots: moved })
})

test('a connection that hangs is given up for a new one before anything is lost', async () => {
  const database = await testDatabaseOfOneTest()
  const proxy = await proxyTo(database.url)
  const one = await startMember(proxy.url)
  const beats = () => database.sql`select beat_at::text as at from node`
  proxy.hang()
  const [before] = await beats()
  await expect.poll(async () => (await beats())[0]?.at, { timeout: 3_000 }).not.toBe(before?.at)
  expect(one.owned()).toEqual(allSlots)
  expect(one.told).toEqual(['taken 256'])
})

test('[cluster freeze] a process that was frozen owns nothing when it wakes, before it has asked anybody', async () => {
  const database = await testDatabaseOfOneTest()
  const clock = { leadMs: 0 }
  const one = await startMember(database.url, {}, clock)
  expect(one.member.owns('overlay/1')).toBe(true)
  clock.leadMs = 2_950
  expect(one.member.owns('overlay/1')).toBe(false)
  expect(one.member.isLive).toBe(false)
  expect(one.owned()).toEqual([])
  // nobody took them: they are its own again, in a new term
  await one.member.refresh()
  expect(one.told).toEqual(['taken 256', 'lost 256', 'taken 256'])
  expect(await database.sql`select distinct term from slot`).toEqual([{ term: 2 }])
  expect(await takeovers(database)).toEqual([])
})

test('a wall clock that is 30 s off does no harm', async () => {
  const database = await testDatabaseOfOneTest()
  const right = Date.now
  onTestFinished(() => {
    Date.now = right
  })
  Date.now = () => right() + 30_000
  const one = await startMember(database.url)
  Date.now = () => right() - 30_000
  const two = await startMember(database.url)
  await shared(one, two)
})

test('however many commands wait for an owner that is gone, they ask the database ten times a second', async () => {
  const database = await testDatabaseOfOneTest()
  let beats = 0
  const counts = () => {
    beats++
    return { actors: 0, renderers: 0, followers: 0 }
  }
  const one = await startMember(database.url, { counts })
  const before = beats
  const from = performance.now()
  await expect
    .poll(
      () => {
        for (let command = 0; command < 50; command++) one.member.refreshSoon()
        return performance.now() - from
      },
      { interval: 1 },
    )
    .toBeGreaterThan(1_000)
  const took = performance.now() - from
  expect(beats - before).toBeGreaterThan(2)
  expect(beats - before).toBeLessThanOrEqual(took / 100 + 1)
})

test('a node whose row is dead or gone joins anew, and a drained one is still drained then', async () => {
  const database = await testDatabaseOfOneTest()
  const { sql } = database
  const one = await startMember(database.url, { id: 'one' })
  await sql`delete from node`
  await one.member.refresh()
  expect(await sql`select id from node`).toEqual([{ id: 'one' }])
  expect(one.owned()).toEqual(allSlots)
  await startMember(database.url, { id: 'two' })
  await sql`update node set beat_at = beat_at - interval '6 seconds', draining_at = clock_timestamp() where id = 'one'`
  await one.member.refresh()
  const [row] =
    await sql`select beat_at > clock_timestamp() - interval '1 second' as live, draining_at from node where id = 'one'`
  expect(row).toEqual({ live: true, draining_at: expect.any(Date) })
  await expect.poll(() => one.owned().length).toBe(0)
})

test('an answer that was lost is found out: slots that are ours without our knowing are taken anew, or given up', async () => {
  const database = await testDatabaseOfOneTest()
  const { sql } = database
  const one = await startMember(database.url, { id: 'one' })
  const two = await startMember(database.url, { id: 'two' })
  await shared(one, two)
  const [mine = 0] = one.owned()
  const [theirs = 0] = two.owned()
  // as if a late statement of the first node had been carried out
  await sql`update slot set node = 'one', term = term + 1, until = clock_timestamp() + interval '3 s' where id in ${sql([mine, theirs])}`
  await one.member.refresh()
  await two.member.refresh()
  await shared(one, two)
  expect(one.owned()).toContain(mine)
  expect(two.owned()).toContain(theirs)
  expect(one.told).toContain('lost 1')
  expect(two.told).toContain('lost 1')
})

test('a node that newer ones have left behind gives everything up, and says so in one line', async () => {
  const database = await testDatabaseOfOneTest()
  const old = { knows: '0040_nodes.sql', worksBeside: '0040_nodes.sql' }
  const one = await startMember(database.url, old)
  await startMember(database.url, { knows: '0042_b.sql', worksBeside: '0040_nodes.sql' })
  await expect(startMember(database.url, { knows: '0043_c.sql', worksBeside: '0041_a.sql' })).rejects.toThrow(
    /^The node \w+ at tls:\S+ is more than one version behind: it knows migrations up to 0040_nodes.sql/,
  )
  // nobody asked first
  await database.sql`update service set needs = '0041_a.sql'`
  await one.member.refresh()
  await expect.poll(() => one.told.at(-1)).toMatch(/^This version of Tally is too old/)
  expect(one.owned()).toEqual([])
  await expect(startMember(database.url, old)).rejects.toThrow(/^This version of Tally is too old/)
  expect(await database.sql`select from node`).toHaveLength(1)
})

test('a node that has left and still answers goes on beating, and knows who owns what', async () => {
  const database = await testDatabaseOfOneTest()
  const one = await startMember(database.url, { id: 'one' })
  const clock = { leadMs: 0 }
  const two = await startMember(database.url, { id: 'two' }, clock)
  await shared(one, two)
  await two.member.leave()
  clock.leadMs = 3_500
  await expect.poll(() => two.member.isLive, { timeout: 3_000 }).toBe(true)
  await expect.poll(() => two.member.ownerOf('overlay/1')?.id).toBe('one')
  expect(two.owned()).toEqual([])
  expect(two.member.nodes.map(({ id }) => id)).toEqual(['one'])
})
