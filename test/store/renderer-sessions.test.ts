import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createRendererSessions } from '../../src/store/renderer-sessions.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const log = { warn: () => {} }
const rows = (overlayId: number) => database.sql`
  select renderer, opened_at, closed_at, showing from renderer_session where overlay_id = ${overlayId} order by opened_at`

test('[issue 6.5] a connection is noted when it opens, with what it shows first, and when it closes', async () => {
  const sessions = createRendererSessions({ sql: database.sql, log, gatherMs: 1 })
  const main = { overlayId: 1, name: 'main' }
  sessions.opened(main, 1_700_000_000_000)
  await vi.waitFor(async () => expect(await rows(1)).toMatchObject([{ closed_at: null, showing: null }]), 30_000)
  sessions.ready(main, [{ graphicId: 'a', seq: 3 }])
  sessions.ready(main, [])
  sessions.closed(main, 1_700_000_009_000)
  await vi.waitFor(
    async () =>
      expect(await rows(1)).toEqual([
        {
          renderer: 'main',
          opened_at: new Date(1_700_000_000_000),
          closed_at: new Date(1_700_000_009_000),
          showing: [{ graphicId: 'a', seq: 3 }],
        },
      ]),
    30_000,
  )
  await sessions.close()
})

test('when its program does not show a renderer is noted, up to a thousand times', async () => {
  const sessions = createRendererSessions({ sql: database.sql, log, gatherMs: 1 })
  const main = { overlayId: 9, name: 'main' }
  const spans = async () => {
    const [row] = await database.sql`select out_of_view as spans from renderer_session where overlay_id = 9`
    return row?.spans
  }
  sessions.opened(main, 1_000)
  await vi.waitFor(async () => expect(await spans()).toBeNull(), 30_000)
  sessions.viewed(main, false, 2_000)
  await vi.waitFor(async () => expect(await spans()).toEqual([[2_000, null]]), 30_000)
  sessions.viewed(main, true, 3_000)
  sessions.viewed(main, false, 4_000)
  await vi.waitFor(
    async () =>
      expect(await spans()).toEqual([
        [2_000, 3_000],
        [4_000, null],
      ]),
    30_000,
  )
  for (let at = 5_000; at < 8_000; at += 2) {
    sessions.viewed(main, true, at)
    sessions.viewed(main, false, at + 1)
  }
  await sessions.close()
  // what was in view too often to be noted counts as not seen
  expect((await spans()).length).toBe(1_000)
  expect((await spans()).at(-1)).toEqual([expect.any(Number), null])
})

test('[issue 6.5] a server that stops closes what is open, one that lives says so', async () => {
  const sessions = createRendererSessions({ sql: database.sql, log, gatherMs: 1, aliveMs: 5 })
  sessions.opened({ overlayId: 2, name: 'main' }, Date.now())
  await vi.waitFor(async () => {
    const [run] = await database.sql`
      select r.alive_at > r.started_at as lives from renderer_session s join server_run r on r.id = s.run_id
      where s.overlay_id = 2`
    expect(run).toEqual({ lives: true })
  }, 30_000)
  await sessions.close()
  expect((await rows(2))[0]?.closed_at).toBeInstanceOf(Date)
})

test('[issue 6.5] a server says that it lives also after retention has deleted what it said long ago', async () => {
  const sessions = createRendererSessions({ sql: database.sql, log, gatherMs: 1, aliveMs: 5 })
  const lives = () =>
    database.sql`select from renderer_session s join server_run r on r.id = s.run_id where s.overlay_id = 4`
  const first = { overlayId: 4, name: 'first' }
  sessions.opened(first, Date.now())
  await vi.waitFor(async () => expect(await lives()).toHaveLength(1), 30_000)
  sessions.closed(first, Date.now())
  await vi.waitFor(async () => expect((await rows(4))[0]?.closed_at).toBeInstanceOf(Date), 30_000)
  await database.sql`delete from renderer_session where overlay_id = 4`
  await database.sql`delete from server_run`
  sessions.opened({ overlayId: 4, name: 'second' }, Date.now())
  await vi.waitFor(async () => expect(await lives()).toHaveLength(1), 30_000)
  await sessions.close()
})

test('[issue 6.5] what could not be stored is stored when the database is back', async () => {
  const failed = vi.fn()
  await database.sql`alter table renderer_session rename to away`
  const sessions = createRendererSessions({ sql: database.sql, log: { warn: failed }, gatherMs: 1 })
  sessions.opened({ overlayId: 3, name: 'main' }, Date.now())
  await vi.waitFor(() => expect(failed).toHaveBeenCalled(), 30_000)
  await database.sql`alter table away rename to renderer_session`
  await vi.waitFor(async () => expect(await rows(3)).toHaveLength(1), 30_000)
  await sessions.close()
})
