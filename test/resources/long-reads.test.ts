import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLongReads } from '../../src/resources/long-reads.ts'
import { proofOfPlayRoutes } from '../../src/resources/proof-of-play/routes.ts'
import { ProofQuery } from '../../src/resources/proof-of-play/schema.ts'
import { replayRecord } from '../../src/resources/replays/record.ts'
import { ReplayQuery } from '../../src/resources/replays/schema.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay } from '../support/overlay-rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const statuses = async (asked: readonly Promise<unknown>[]) => {
  const answers = await Promise.allSettled(asked)
  return answers.map((answer) => (answer.status === 'fulfilled' ? 200 : answer.reason.status))
}

test('[issue 6.5] however many ask for a replay at once, one is read at a time and a few wait', async () => {
  const overlay = await insertOverlay(database.sql)
  const { publicUrl, log } = testContext(overlay.organizationId, { db: database.db })
  // its match is gone, which is found out by reading
  const recorded = { id: overlay.id, matchId: 2_000_000_000, name: 'Main', removed: false }
  const ask = () => replayRecord({ sql: database.sql, publicUrl, log }, recorded, ReplayQuery.parse({}))
  const answered = await statuses(Array.from({ length: 20 }, ask))
  expect(answered).toEqual([...Array(17).fill(404), ...Array(3).fill(503)])
  expect(await statuses([ask()])).toEqual([404])
})

test('[issue 6.5] however many ask for a proof at once, the rest are told to try again', async () => {
  const overlay = await insertOverlay(database.sql)
  const ctx = testContext(overlay.organizationId, { db: database.db })
  const input = { params: { overlayId: overlay.id }, query: ProofQuery.parse({}), body: undefined }
  // the router hands over what the schemas of the route made
  const ask = async () => proofOfPlayRoutes[0]?.handle(ctx, input as never, '')
  const answered = await statuses(Array.from({ length: 100 }, ask))
  expect([...new Set(answered)].sort()).toEqual([200, 503])
  expect(await statuses([ask()])).toEqual([200])
})

test('[issue 6.5] who waited so long that nobody waits for the answer any more is not read at all', async () => {
  const run = createLongReads({ most: 1, patienceMs: 100 })
  let finish: () => void = () => {}
  const first = run(() => new Promise<void>((resolve) => (finish = resolve)))
  const late = vi.fn(async () => {})
  expect(await statuses([run(late)])).toEqual([503])
  finish()
  expect(await statuses([first])).toEqual([200])
  expect(late).not.toHaveBeenCalled()
  expect(await statuses([run(async () => {})])).toEqual([200])
})

test('[issue 15.15] one organization has no more than its share of the turns, and those of others come past it', async () => {
  const run = createLongReads({ most: 3, mostOfOne: 2 })
  const begun: string[] = []
  const finish = new Map<string, () => void>()
  const ask = (name: string, organizationId: number) =>
    run(() => {
      begun.push(name)
      return new Promise<void>((resolve) => finish.set(name, resolve))
    }, organizationId)
  const all = [ask('a1', 1), ask('a2', 1), ask('a3', 1), ask('b1', 2), ask('c1', 3)]
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1']))
  finish.get('b1')?.()
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']))
  finish.get('a1')?.()
  await vi.waitFor(() => expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']))
  for (const done of finish.values()) done()
  expect(await statuses(all)).toEqual(Array(5).fill(200))
})
