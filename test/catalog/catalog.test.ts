import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { handHeldNotifications } from '../support/notifications.ts'
import { insertOverlay } from '../support/overlay-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function warm() {
  const listening = handHeldNotifications()
  const catalog = await createCatalog(database.sql, listening.parts)
  const { id } = await insertOverlay(database.sql)
  const read = () => catalog.overlay(id)
  await read()
  return { catalog, id, read, ...listening }
}

const clear = (id: number) =>
  database.sql`update overlay set match_id = match_id + 0, control_room_id = null where id = ${id}`

describe('the catalog', () => {
  it('[live-path 11] answers synchronously when warm', async () => {
    const { id, read } = await warm()
    expect(read()).toMatchObject({ id, sport: 'football', roomId: null })
  })

  it('[live-path 11] a notification makes the next answer come from the database', async () => {
    const { id, read, notify } = await warm()
    await database.sql`delete from overlay where id = ${id}`
    expect(read()).toMatchObject({ id })
    notify({ overlay: id })
    expect(await read()).toBeUndefined()
  })

  it('[live-path 11] what this node changed itself is forgotten at once, others are kept', async () => {
    const { catalog, id, read } = await warm()
    catalog.forget({ overlay: id + 1 })
    expect(read()).not.toBeInstanceOf(Promise)
    catalog.forget({ overlay: id })
    expect(read()).toBeInstanceOf(Promise)
  })

  it('[live-path 11] while LISTEN is down nothing is trusted, and afterwards it starts empty', async () => {
    const { read, down, up } = await warm()
    down()
    await read()
    expect(read()).toBeInstanceOf(Promise)
    up()
    expect(read()).toBeInstanceOf(Promise)
    await read()
    expect(read()).not.toBeInstanceOf(Promise)
  })

  it('[live-path 11] a read that was under way when something changed is not kept', async () => {
    const { id, read, notify } = await warm()
    notify({ overlay: id })
    const underWay = read()
    notify({ overlay: id })
    await clear(id)
    expect(await underWay).toMatchObject({ id })
    expect(read()).toBeInstanceOf(Promise)
  })

  it('[live-path 11] callers that miss at the same time share one read', async () => {
    const { id, read, notify } = await warm()
    notify({ overlay: id })
    expect(read()).toBe(read())
  })
})
