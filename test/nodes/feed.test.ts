import { describe, expect, test } from 'vitest'
import { createLocalWire } from '../../src/nodes/bus-local.ts'
import { Feed } from '../../src/nodes/feed.ts'
import { startRepair } from '../../src/nodes/repair.ts'
import { seeded } from '../support/random.ts'
import { settle } from '../support/studio.ts'
import { type FeedNode, FeedWorld } from './feed-world.ts'

const OVERLAYS = [1, 2, 3] as const

const turns = async (count = 10) => {
  for (let i = 0; i < count; i++) await settle()
}

/** The repair's comparison, without its clock. */
const compare = async ({ feed }: FeedNode, world: FeedWorld) => {
  if (feed.isSuspended) await feed.resumed()
  await feed.reached(await world.seqs([...feed.positions().keys()]))
}

const world = (count = 2, seed = 1) => new FeedWorld(seeded(seed), count)
const two = (of: FeedWorld) => {
  const [owner, other] = of.nodes
  if (!owner || !other) throw new Error('two nodes')
  return [owner, other] as const
}
const handed = (node: FeedNode, overlayId = 1) => node.channels.get(overlayId)?.handed.map(({ seq }) => seq)

describe('the feed', () => {
  test.each(Array.from({ length: 150 }, (_, seed) => seed))(
    '[cluster 4] seed %i: whatever the bus loses, repeats or reorders, channels are handed the journal, in order',
    async (seed) => {
      const random = seeded(seed)
      const all = new FeedWorld(random, 3)
      const [first, ...others] = all.nodes
      if (!first) throw new Error('no node')
      const nodes = [first, ...others] as [FeedNode, ...FeedNode[]]
      for (let step = 0; step < 400; step++) {
        const [node, overlayId] = [random.pick(nodes), random.pick(OVERLAYS)]
        const what = random.below(100)
        // ownership moves as it likes
        if (what < 25) all.commit(node, overlayId)
        else if (what < 45) node.learns()
        else if (what < 75) all.deliver()
        else if (what < 80) node.open(overlayId)
        else if (what < 82) node.close(overlayId)
        else if (what < 84) all.journalFails = !all.journalFails
        else if (what < 85) node.isLive = !node.isLive
        else if (what < 86) all.pruned.set(overlayId, Math.max(0, all.seq(overlayId) - random.below(5)))
        else if (what < 88) await compare(node, all).catch(() => {})
        else await settle()
      }
      all.journalFails = false
      for (const node of nodes) {
        node.isLive = true
        for (const id of OVERLAYS) node.open(id)
      }
      await turns()
      // texts that come very late, after everything was repaired, too
      for (let round = 0; round < 3; round++) {
        for (const node of nodes) await compare(node, all)
        await turns()
        if (round === 1) while (all.sent.length > 0) all.deliver()
        await turns()
      }
      expect(all.faults).toEqual([])
      for (const node of nodes)
        for (const id of OVERLAYS) {
          const channel = node.channels.get(id)
          const rows = all.journal.get(id) ?? []
          expect(channel?.handed).toEqual(rows.filter(({ seq }) => seq > (channel?.from ?? 0)))
          expect(channel && node.stands(channel)).toBe(all.seq(id))
        }
    },
  )

  test('[cluster 4] one lost text costs one question to the journal and no reload', async () => {
    const all = world()
    const [owner, other] = two(all)
    for (const node of all.nodes) node.open(1)
    await turns()
    for (let i = 0; i < 5; i++) all.commit(owner, 1)
    for (let i = 0; i < 5; i++) owner.learns()
    let asked = 0
    const { missing } = all
    all.missing = (gaps) => {
      asked++
      return missing.call(all, gaps)
    }
    for (const sent of all.sent.filter(({ text }) => !/"seq":[123],"at"/.test(text))) sent.to.arrives(sent)
    await turns()
    expect(handed(other)).toEqual([1, 2, 3, 4, 5])
    expect([asked, other.reloads, other.feed.repaired]).toEqual([1, 0, 3])
  })

  test('[cluster 4] a node hears of overlays that it has open, and its own texts do nothing', async () => {
    const all = world()
    const [owner, other] = two(all)
    owner.open(1)
    other.open(2)
    await turns()
    all.commit(owner, 1)
    owner.learns()
    expect(handed(owner)).toEqual([1])
    for (const sent of all.sent) sent.to.arrives(sent)
    await turns()
    expect([handed(owner), handed(other, 2)]).toEqual([[1], []])
  })

  test('[cluster: one order] who comes from a node that was told more waits until this one was, also while the database is away', async () => {
    const all = world()
    const [owner, other] = two(all)
    for (const node of all.nodes) node.open(1)
    await turns()
    for (let i = 0; i < 3; i++) all.commit(owner, 1)
    for (let i = 0; i < 3; i++) owner.learns()
    // the bus brings nothing
    all.sent = []
    all.journalFails = true
    let stands: readonly number[] | undefined
    const current = other.feed.current(1).then(() => {
      stands = handed(other)
    })
    await turns()
    expect(stands).toBeUndefined()
    all.journalFails = false
    await current
    expect(stands).toEqual([1, 2, 3])
    // of a primary without the last commits, and of one that nobody looks at any more
    all.journal.set(1, [])
    await other.feed.current(1)
    const left = other.feed.current(1)
    other.close(1)
    await left
  })

  test('[cluster: one order] a question that is never answered is asked again', async () => {
    const all = world()
    const [, other] = two(all)
    other.open(1)
    await turns()
    const { seqs } = all
    let asked = 0
    all.seqs = (ids) => (++asked === 1 ? new Promise(() => {}) : seqs.call(all, ids))
    await other.feed.current(1)
    expect(asked).toBe(2)
  })

  test('[cluster: one order] a thousand renderers that come at once cost two statements', async () => {
    const all = world()
    const [, other] = two(all)
    other.open(1)
    await turns()
    let asked = 0
    const { seqs } = all
    all.seqs = (ids) => {
      asked++
      return seqs.call(all, ids)
    }
    await Promise.all(Array.from({ length: 1000 }, () => other.feed.current(1)))
    expect(asked).toBe(2)
  })

  test('[cluster 4] more than 500 missed commits, or rows that are gone, are a reload', async () => {
    const all = world()
    const [owner, other] = two(all)
    for (const id of [1, 2]) other.open(id)
    await turns()
    for (let i = 0; i < 501; i++) all.commit(owner, 1)
    for (let i = 0; i < 5; i++) all.commit(owner, 2)
    all.pruned.set(2, 3)
    await compare(other, all)
    await turns()
    expect(other.reloads).toBe(2)
    expect([1, 2].map((id) => other.feed.positions().get(id))).toEqual([501, 5])
    expect(all.faults).toEqual([])
  })

  test('[cluster] a node that is not live pushes and publishes nothing, and closes what it missed when it is again', async () => {
    const all = world()
    const [owner, other] = two(all)
    for (const id of [1, 2]) other.open(id)
    await turns()
    all.commit(other, 1)
    // frozen: its timers have told nobody yet
    other.isLive = false
    other.learns()
    expect([all.sent, handed(other)]).toEqual([[], []])
    all.commit(owner, 1)
    owner.learns()
    for (const sent of all.sent.splice(0)) sent.to.arrives(sent)
    await turns()
    expect([handed(other), other.feed.isSuspended]).toEqual([[], true])
    other.isLive = true
    all.journalFails = true
    await other.feed.resumed()
    expect([other.feed.isSuspended, other.missed]).toEqual([true, []])
    all.journalFails = false
    await other.feed.resumed()
    expect([other.feed.isSuspended, other.missed]).toEqual([false, [1]])
    all.commit(owner, 2)
    owner.learns()
    for (const sent of all.sent.splice(0)) sent.to.arrives(sent)
    expect(handed(other, 2)).toEqual([1])
  })

  test('[live-path 14] a refresh drops what is cached before it is handed on, once for each revision', async () => {
    const all = world()
    const [owner, other] = two(all)
    for (const id of [1, 2]) other.open(id)
    await turns()
    const events = [{ type: 'data.refreshed' as const, seq: 1, revisions: { 'match/7': 70 } }]
    for (const id of [1, 2]) owner.feed.committed(`overlay/${id}`, { seq: 1, at: 0, events })
    for (const sent of all.sent) sent.to.arrives(sent)
    expect(other.announced).toEqual(['match/7'])
    expect([handed(other, 1), handed(other, 2)]).toEqual([[1], [1]])
  })

  test('a text that is none is logged and does no harm', async () => {
    const all = world()
    const [, other] = two(all)
    other.open(1)
    await turns()
    for (const text of ['', '{', 'null']) other.arrives({ topic: 'overlay/1', text, to: other })
    expect(all.faults).toHaveLength(3)
  })
})

describe('changed records', () => {
  const node = (wire: ReturnType<typeof createLocalWire>, nodeId: string, up = () => true) => {
    const told: unknown[][] = []
    const fallen: string[] = []
    const downs: (() => void)[] = []
    const feed = new Feed({
      nodeId,
      bus: { ...wire.open(), isUp: up, onDown: (run) => void downs.push(run) },
      journal: { missing: async () => new Map(), seqs: async () => new Map() },
      sockets: { publish: () => {}, reload: () => {}, closeMissed: () => {} },
      announced: () => {},
      changed: (...change) => void told.push(change),
      missedChanges: () => {},
      fallBack: (text) => void fallen.push(text),
      isLive: () => true,
      log: { warn: () => {} },
    })
    return { feed, told, fallen, goesDown: () => downs.forEach((run) => void run()) }
  }

  test('[cluster 4] reach every other node, each once a turn, and not the one that told', async () => {
    const wire = createLocalWire()
    const [one, two] = [node(wire, 'one'), node(wire, 'two')]
    one.feed.changed('team/5', 3)
    one.feed.changed('team/5', 3)
    one.feed.committed('match/7', { seq: 1, at: 0, events: [] })
    await turns()
    expect(two.told).toEqual([
      ['team/5', 3],
      ['match/7', undefined],
    ])
    expect(one.told).toEqual([])
  })

  test('[cluster 4] go by the database while the bus is down, with those of the moments before', async () => {
    const wire = createLocalWire()
    let isUp = true
    const [one, two] = [node(wire, 'one', () => isUp), node(wire, 'two')]
    one.feed.changed('team/5', 3)
    await turns()
    isUp = false
    one.goesDown()
    one.feed.changed('match/7')
    await turns()
    expect(two.told).toEqual([['team/5', 3]])
    for (const text of one.fallen) for (const { feed } of [one, two]) feed.hear(text)
    expect(two.told).toEqual([
      ['team/5', 3],
      ['team/5', 3],
      ['match/7', undefined],
    ])
    expect(one.told).toEqual([])
    for (let i = 0; i < 1_000; i++) one.feed.changed(`graphic-lock/${crypto.randomUUID()}`, 1_000_000)
    await turns()
    expect(Math.max(...one.fallen.map((text) => text.length))).toBeLessThan(8_000)
  })
})

test('[cluster 4] nothing is asked of the database when nobody looks', async () => {
  const all = world()
  const [owner, other] = two(all)
  let asked = 0
  const journal = {
    missing: all.missing.bind(all),
    seqs: (ids: readonly number[]) => {
      asked++
      return all.seqs(ids)
    },
  }
  const bus = createLocalWire().open()
  const end = startRepair({ feed: other.feed, bus, journal, isLive: () => true, log: { warn: () => {} }, everyMs: 5 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toBe(0)
  other.open(1)
  all.commit(owner, 1)
  await expect.poll(() => other.feed.positions().get(1)).toBe(1)
  all.commit(owner, 1)
  await expect.poll(() => handed(other)?.at(-1)).toBe(2)
  end()
  const last = asked
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(asked).toBeLessThanOrEqual(last + 1)
})
