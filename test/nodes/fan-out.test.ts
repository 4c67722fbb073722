import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Overlay } from '../../machines/overlay/model.ts'
import { openRedisBus } from '../../src/nodes/bus-redis.ts'
import { Feed } from '../../src/nodes/feed.ts'
import type { Commit } from '../../src/nodes/feed-ports.ts'
import { createMissing } from '../../src/nodes/missing.ts'
import { startRepair } from '../../src/nodes/repair.ts'
import { systemClock } from '../../src/realtime/clock.ts'
import { Hub } from '../../src/realtime/hub.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'
import { Studio, shown } from '../support/studio.ts'

const log = pino({ enabled: false })
let database: TestDatabase
let redis: TestRedis
const ends: (() => Promise<void>)[] = []

/** A hub with renderers, a feed, a repair and a bus, as one node has them. */
function openNode(sql: Sql, nodeId: string) {
  const studio = new Studio()
  const bus = openRedisBus({ url: redis.url, serviceId: 'service', log })
  const journal = createMissing(sql)
  let isLive = true
  const counts = { reads: 0, missed: 0 }
  const feed = new Feed({
    nodeId,
    bus,
    journal,
    sockets: {
      publish: (id, { cause, ...commit }) => studio.hub.publish(id, { ...commit, cause }),
      reload: (id) => studio.hub.reload(id),
      closeMissed: (id) => studio.hub.closeMissed(id),
    },
    announced: () => {},
    changed: () => {},
    missedChanges: () => counts.missed++,
    fallBack: () => {},
    isLive: () => isLive,
    log,
  })
  studio.hub = new Hub({
    ...studio.ports(),
    clock: systemClock,
    channels: feed,
    async read(id) {
      counts.reads++
      const [row] = await sql<{ seq: number; snapshot: { context: Overlay } }[]>`
        select seq, snapshot from actor where ref = ${`overlay/${id}`}`
      return row && { seq: row.seq, context: row.snapshot.context }
    },
  })
  const endRepair = startRepair({ feed, bus, journal, isLive: () => isLive, log })
  ends.push(async () => {
    endRepair()
    studio.hub.close()
    feed.close()
    await bus.close()
  })
  const live = (now: boolean) => {
    isLive = now
  }
  return { studio, bus, feed, counts, live }
}

type Node = ReturnType<typeof openNode>

/** Commits a show at the owner, as its host does: journal, then publish. */
const committer = (sql: Sql, overlay: { id: number; organizationId: number }) => {
  const journal = new OverlayJournal(sql, overlay)
  return {
    journal,
    async commit(owner: Node | undefined, value: number): Promise<number> {
      const seq = await journal.commit({ type: 'show', graphic: shown('a', { value }) })
      const [graphic] = Object.values(journal.context.graphics)
      const events = graphic ? [{ type: 'graphic.shown', graphic }] : []
      owner?.feed.committed(`overlay/${overlay.id}`, { seq, at: Date.now(), events } as Commit)
      return seq
    },
  }
}

describe.runIf(redisIsInstalled)('two nodes on one database and one Redis', () => {
  beforeAll(async () => {
    database = await testDatabase()
    redis = await startRedis()
  })
  afterAll(async () => {
    await Promise.all(ends.splice(0).map((end) => end()))
    await redis.stop()
    await database.drop()
  })

  const nodes = async () => {
    const all = [openNode(database.sql, crypto.randomUUID()), openNode(database.sql, crypto.randomUUID())] as const
    for (const { bus } of all) await expect.poll(() => bus.isUp(), { timeout: 10_000 }).toBe(true)
    return all
  }

  const follow = async (node: Node, overlayId: number) => {
    const { picture, socket } = await node.studio.render(overlayId)
    await expect.poll(() => node.feed.positions().has(overlayId)).toBe(true)
    const seen: number[] = []
    const { onFrame } = socket
    socket.onFrame = (text) => {
      onFrame?.(text)
      seen.push(JSON.parse(text).payload.seq)
    }
    return { socket, seen, shows: () => picture.graphics.get('a')?.seq ?? 0 }
  }

  test('[cluster] renderers of the other node follow in milliseconds, while Redis is away within 1.5 s, and then in milliseconds again', async () => {
    const [owner, other] = await nodes()
    const overlay = await insertOverlay(database.sql)
    const { commit } = committer(database.sql, overlay)
    const [here, there] = [await follow(owner, overlay.id), await follow(other, overlay.id)]
    const late = async (limitMs: number) => {
      const seq = await commit(owner, Math.random())
      const since = performance.now()
      // while the owner reads anew what it doubts, its own renderer waits for that, too
      await expect.poll(() => here.shows(), { timeout: 5_000, interval: 1 }).toBe(seq)
      await expect.poll(() => there.shows(), { timeout: 5_000, interval: 1 }).toBeGreaterThanOrEqual(seq)
      expect(performance.now() - since).toBeLessThan(limitMs)
      return performance.now() - since
    }
    const lates: number[] = []
    for (let i = 0; i < 50; i++) lates.push(await late(1_000))
    expect(lates.sort((a, b) => a - b)[25]).toBeLessThan(25)
    const readsBefore = other.counts.reads
    await redis.die()
    for (let i = 0; i < 8; i++) {
      await late(1_500)
      await pause(50)
    }
    // several at a time: nothing is skipped
    for (let i = 0; i < 5; i++) await commit(owner, i)
    await late(1_500)
    await redis.restart()
    await expect.poll(() => owner.bus.isUp() && other.bus.isUp(), { timeout: 10_000 }).toBe(true)
    const again: number[] = []
    for (let i = 0; i < 50; i++) again.push(await late(1_500))
    expect(again.sort((a, b) => a - b)[25]).toBeLessThan(25)
    // what it read just before the bus went down is doubted once
    expect(other.counts.reads - readsBefore).toBeLessThanOrEqual(1)
    expect(there.seen).toEqual([...there.seen].sort((a, b) => a - b))
    expect(other.feed.repaired).toBeGreaterThan(8)
    expect(other.counts.missed).toBe(2)
  })

  test('[cluster 4] after a hand-over the new owner has the last commits of the former one before its own', async () => {
    const [former, next] = await nodes()
    const overlay = await insertOverlay(database.sql)
    const { commit } = committer(database.sql, overlay)
    const [here, there] = [await follow(former, overlay.id), await follow(next, overlay.id)]
    await commit(former, 1)
    // it dies before it can tell
    await commit(undefined, 2)
    await commit(undefined, 3)
    const seq = await commit(next, 4)
    await expect.poll(() => [here.shows(), there.shows()]).toEqual([seq, seq])
    expect(there.seen).toEqual([1, 2, 3, 4])
    expect([former.counts.reads, next.counts.reads]).toEqual([1, 1])
  })

  test('[cluster: one order] a renderer that comes from a node that was told more never sees its picture fall', async () => {
    const [owner, other] = await nodes()
    const overlay = await insertOverlay(database.sql)
    const { commit } = committer(database.sql, overlay)
    await commit(owner, 0)
    await follow(other, overlay.id)
    for (let value = 1; value <= 10; value++) {
      // the bus has not brought it yet
      const seq = await commit(undefined, value)
      const socket = await other.studio.connect(overlay.id)
      // what it shows is as new, or it showed it and does so no more
      socket.ready(value % 2 === 0 ? [{ graphicId: 'a', seq }] : [])
      const told = () => socket.messages().map(({ payload }) => payload.seq)
      if (value % 2 === 1) await expect.poll(told).toEqual([seq])
      // the next one is what it hears first
      const next = await commit(owner, -value)
      await expect.poll(() => told().at(-1)).toBe(next)
      expect(told()[0]).toBe(value % 2 === 1 ? seq : next)
    }
  })

  test('[cluster] a node that was away closes the sockets of overlays that moved with 1012, and no others', async () => {
    const [owner, away] = await nodes()
    const [moved, still] = [await insertOverlay(database.sql), await insertOverlay(database.sql)]
    const { commit } = committer(database.sql, moved)
    const quiet = committer(database.sql, still)
    await commit(owner, 0)
    await quiet.commit(owner, 0)
    const [left, kept] = [await follow(away, moved.id), await follow(away, still.id)]
    const framesBefore = left.seen.length
    away.live(false)
    await commit(owner, 1)
    await commit(away, 2)
    await pause(50)
    expect(left.seen).toHaveLength(framesBefore)
    away.live(true)
    await away.feed.resumed()
    expect(left.socket.closedWith).toEqual({ code: 1012, reason: 'restarting' })
    expect(kept.socket.closedWith).toBeUndefined()
    const seq = await quiet.commit(owner, 3)
    await expect.poll(() => kept.shows()).toBe(seq)
    // its page comes back, and is told the truth
    const back = await follow(away, moved.id)
    expect(back.shows()).toBe(3)
  })
})
