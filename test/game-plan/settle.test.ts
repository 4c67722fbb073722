import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import { createPlanner } from '../../src/game-plan/planner.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { insertOverlay } from '../support/overlay-rows.ts'

test('[issue 17] plans that came from a lost node look a few at a time, those that were here not again; one that fails stops no other', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const overlays = await Promise.all(Array.from({ length: 20 }, () => insertOverlay(sql)))
  const ids = overlays.map(({ id }) => id)
  await sql`
    insert into actor (ref, organization_id, machine_version, snapshot)
    select 'game-plan/' || id, organization_id, 1, '{}' from overlay`
  const looked: string[] = []
  const warned: object[] = []
  let underWay = 0
  let most = 0
  const atOwner = async (ref: string) => {
    looked.push(ref)
    most = Math.max(most, ++underWay)
    await pause(5)
    underWay--
    if (ref === `game-plan/${ids[0]}`) throw new Error('not now')
    return { effects: [], isOn: true }
  }
  const planner = createPlanner({
    sql,
    systemContext: () => ({ atOwner }) as unknown as Context,
    log: { debug: () => {}, warn: (fields: object) => void warned.push(fields) },
  })
  const came = ids.slice(0, 15)
  await planner.settle((overlayId) => came.includes(overlayId))
  expect(looked.toSorted()).toEqual(came.map((overlayId) => `game-plan/${overlayId}`).toSorted())
  expect(most).toBe(4)
  expect(warned).toEqual([{ overlayId: ids[0], err: new Error('not now') }])
})
