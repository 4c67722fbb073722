import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openOutbox } from '../../src/store/outbox.ts'
import type { Delivery, Work, WorkQueue } from '../../src/store/queue.ts'
import { type React, reactionRunner } from '../../workers/jobs.ts'
import { reactionWorker } from '../../workers/reactions.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'

const log = pino({ level: 'silent' })

test('[live-path 14] a reaction that fails at its last attempt is dropped, but for one of an overlay, which is handed over again', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const offered: Work[] = []
  const queue: WorkQueue = {
    ready: Promise.resolve(),
    add: async (work) => void offered.push(...work),
    lacks: async () => [],
    deliver: () => {},
    close: async () => {},
  }
  const outbox = openOutbox(sql, queue, log)
  const lasts: boolean[] = []
  let fails = true
  const react: React = async (_reaction, _id, last) => {
    lasts.push(last)
    if (fails) throw new Error('cannot be loaded')
  }
  const run = reactionRunner(sql, react, log)
  const worker = reactionWorker(sql, queue, { react, othersWait: () => {} }, log)
  const rows = () => sql<{ ref: string }[]>`select payload->>'ref' as ref from outbox order by id`
  for (const ref of ['team/1', 'overlay/1'])
    await sql`insert into outbox (kind, payload) values ('reaction', ${sql.json({ event: 'x', ref })}::json)`
  const deliver = async (last: boolean) => {
    const deliveries = offered.splice(0).map(({ id, name, data }): Delivery => ({ id, name, data, last }))
    return (await Promise.allSettled(deliveries.map(run))).map(({ status }) => status)
  }
  await worker.take()
  await worker.close()
  expect(lasts.splice(0)).toEqual([false, false])
  expect(offered.map(({ attempts }) => attempts)).toEqual([20, 5])
  expect(await deliver(true)).toEqual(['rejected', 'rejected'])
  expect(lasts).toEqual([true, true])
  expect(await rows()).toEqual([{ ref: 'overlay/1' }])
  await outbox.handOverAgain()
  expect(offered).toEqual([])
  await sql`update outbox set handed_at = handed_at - interval '31 seconds'`
  await outbox.handOverAgain()
  fails = false
  expect(await deliver(false)).toEqual(['fulfilled'])
  expect(await rows()).toEqual([])
  await outbox.close()
})
