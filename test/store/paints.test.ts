import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPaints } from '../../src/store/paints.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const log = { warn: () => {} }
const report = (overlayId: number, seq: number) => ({
  overlayId,
  graphicId: 'a',
  seq,
  renderer: 'program "1", main',
  at: 1_700_000_000_123,
})
const count = async (overlayId: number) => {
  const [row] = await database.sql<{ n: number }[]>`
    select count(*)::int as n from paint where overlay_id = ${overlayId}`
  return row?.n
}

test('[live-path 21] reports are stored in batches, exactly as received', async () => {
  const paints = createPaints({ sql: database.sql, log, gatherMs: 1 })
  for (let seq = 1; seq <= 1000; seq++) paints.add(report(1, seq))
  await vi.waitFor(async () => expect(await count(1)).toBe(1000), 30_000)
  const [row] = await database.sql`
    select graphic_id, seq, renderer, reported_at from paint where overlay_id = 1 order by seq limit 1`
  expect(row).toEqual({
    graphic_id: 'a',
    seq: 1,
    renderer: 'program "1", main',
    reported_at: new Date(1_700_000_000_123),
  })
  await paints.close()
})

test('[live-path 21] a hundred reports wait for no more', async () => {
  const paints = createPaints({ sql: database.sql, log, gatherMs: 60_000 })
  for (let seq = 1; seq <= 101; seq++) paints.add(report(4, seq))
  await vi.waitFor(async () => expect(await count(4)).toBe(100), 30_000)
  await paints.close()
  expect(await count(4)).toBe(101)
})

test('[live-path 21] closing stores what is gathered and takes no more', async () => {
  const paints = createPaints({ sql: database.sql, log, gatherMs: 60_000 })
  paints.add(report(2, 1))
  await paints.close()
  paints.add(report(2, 2))
  expect(await count(2)).toBe(1)
  expect(paints.dropped).toBe(1)
})

test('[live-path 21] while the table cannot be written memory stays bounded, and what fits is stored later', async () => {
  const failed = vi.fn()
  await database.sql`alter table paint rename to away`
  const paints = createPaints({ sql: database.sql, log: { warn: failed }, gatherMs: 1, maxKept: 10 })
  for (let seq = 1; seq <= 15; seq++) paints.add(report(3, seq))
  await vi.waitFor(() => expect(failed).toHaveBeenCalled(), 30_000)
  expect(paints.dropped).toBe(5)
  await database.sql`alter table away rename to paint`
  await vi.waitFor(async () => expect(await count(3)).toBe(10), 30_000)
  await paints.close()
})
