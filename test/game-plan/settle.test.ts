import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { createPlanner } from '../../src/game-plan/planner.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { insertOverlay } from '../support/overlay-rows.ts'

/** Twenty overlays with plans, and a planner of which every look is told. */
async function plans(heard: (ref: string) => Promise<void>) {
  const { sql } = await testDatabaseOfOneTest()
  const overlays = await Promise.all(Array.from({ length: 20 }, () => insertOverlay(sql)))
  await sql`
    insert into actor (ref, organization_id, machine_version, snapshot)
    select 'game-plan/' || id, organization_id, 1, '{}' from overlay`
  const warned: object[] = []
  let reads = 0
  const counting = new Proxy(sql, {
    apply(target, self, [texts, ...values]: [TemplateStringsArray]) {
      if (texts[0]?.includes('select o.id')) reads++
      return Reflect.apply(target, self, [texts, ...values])
    },
  })
  const atOwner = async (ref: string) => {
    await heard(ref)
    return { effects: [], isOn: true }
  }
  const planner = createPlanner({
    sql: counting,
    systemContext: () => ({ atOwner }) as unknown as Context,
    log: { debug: () => {}, warn: (fields: object) => void warned.push(fields) },
    settleEveryMs: 200,
  })
  return { planner, ids: overlays.map(({ id }) => id), warned, reads: () => reads }
}

const refOf = (overlayId: number) => `game-plan/${overlayId}`

test('[issue 17] plans that came from a lost node look a few at a time, those that were here not again; one that fails stops no other', async () => {
  const looked: string[] = []
  let underWay = 0
  let most = 0
  const { planner, ids, warned } = await plans(async (ref) => {
    looked.push(ref)
    most = Math.max(most, ++underWay)
    await pause(5)
    underWay--
    if (ref === refOf(ids[0] ?? 0)) throw new Error('not now')
  })
  const came = ids.slice(0, 15)
  await planner.settle((overlayId) => came.includes(overlayId))
  expect(looked.toSorted()).toEqual(came.map(refOf).toSorted())
  expect(most).toBe(4)
  expect(warned).toEqual([{ overlayId: ids[0], err: new Error('not now') }])
})

test('[issue 17] of what comes part by part the first is looked at when it comes, all others together after it', async () => {
  const looked: string[] = []
  const { planner, ids, reads } = await plans(async (ref) => void looked.push(ref))
  const come = (id: number) => planner.settle((overlayId) => overlayId === id)
  const [first = 0, ...others] = ids
  await come(first)
  expect(looked).toEqual([refOf(first)])
  await Promise.all(others.map(come))
  expect(looked.toSorted()).toEqual(ids.map(refOf).toSorted())
  expect(reads(), 'reads of which overlays have plans').toBe(2)
  // and what comes later is not forgotten
  await come(first)
  expect(looked.at(-1)).toBe(refOf(first))
  expect(reads()).toBe(3)
})
