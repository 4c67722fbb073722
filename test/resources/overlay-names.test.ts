import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCache } from '../../src/catalog/cache.ts'
import { createCatalog } from '../../src/catalog/catalog.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { handHeldNotifications } from '../support/notifications.ts'
import { insertOverlay } from '../support/overlay-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

async function catalogOf(sql = database.sql) {
  const listening = handHeldNotifications()
  return { catalog: await createCatalog(sql, listening.parts), ...listening }
}

const answersAtOnce = (answer: unknown) => !(answer instanceof Promise)

describe('the names of overlays', () => {
  it('[contract socket] each of the three finds its overlay and nothing else does', async () => {
    const { id, key, monitoringToken, controlToken } = await insertOverlay(database.sql)
    const { catalog } = await catalogOf()
    expect(await catalog.named('key', key)).toMatchObject({ id })
    expect(await catalog.named('key', key.toUpperCase())).toMatchObject({ id })
    expect(await catalog.named('monitoring', monitoringToken)).toMatchObject({ id })
    expect(await catalog.named('control', controlToken)).toMatchObject({ id })
    expect(await catalog.named('key', controlToken)).toBeUndefined()
    expect(await catalog.named('monitoring', key)).toBeUndefined()
    expect(await catalog.named('monitoring', monitoringToken.toUpperCase())).toBeUndefined()
    for (const bad of ['', 'x', '\u0000', "' or 1=1", 'ü'.repeat(300)]) {
      expect(await catalog.named('key', bad)).toBeUndefined()
      expect(await catalog.named('control', bad)).toBeUndefined()
    }
  })

  it('[P9] after a start, and after LISTEN was lost, every overlay is known: no socket that comes back waits', async () => {
    const { id, key, monitoringToken, controlToken } = await insertOverlay(database.sql)
    const { catalog, down, up } = await catalogOf()
    const all = () => [
      catalog.named('key', key),
      catalog.named('monitoring', monitoringToken),
      catalog.named('control', controlToken),
    ]
    expect(all()).toMatchObject([{ id }, { id }, { id }])
    down()
    expect(all().some(answersAtOnce)).toBe(false)
    await Promise.all(all())
    up()
    await expect.poll(() => all().every(answersAtOnce)).toBe(true)
  })

  it('[P9] one found by its id is known by its names', async () => {
    const { catalog } = await catalogOf()
    const { id, key } = await insertOverlay(database.sql)
    await catalog.overlay(id)
    expect(catalog.named('key', key)).toMatchObject({ id })
  })

  it('[P9] a thousand that ask for an unknown one at once are one question to the database', async () => {
    let statements = 0
    const counting = new Proxy(database.sql, {
      apply(target, self, [query, ...values]) {
        if (Array.isArray(query) && 'raw' in query && values.length > 0) statements += 1
        return Reflect.apply(target, self, [query, ...values])
      },
    })
    const { catalog } = await catalogOf(counting)
    const { id, key } = await insertOverlay(database.sql)
    statements = 0
    const found = await Promise.all(Array.from({ length: 1_000 }, () => catalog.named('key', key)))
    expect(new Set(found.map((overlay) => overlay?.id))).toEqual(new Set([id]))
    // whose name it is, and its card
    expect(statements).toBe(2)
  })

  it('[overlays security] a replaced name opens nothing as soon as this node forgot the overlay', async () => {
    const { id, key } = await insertOverlay(database.sql)
    const { catalog } = await catalogOf()
    const next = randomUUID()
    await database.sql`update overlay set key = ${next} where id = ${id}`
    catalog.forget({ overlay: id })
    expect(await catalog.named('key', key)).toBeUndefined()
    expect(await catalog.named('key', next)).toMatchObject({ id })
  })

  it('[overlays security] a name that another node gave is good before anybody told this one', async () => {
    const { id } = await insertOverlay(database.sql)
    const { catalog } = await catalogOf()
    const next = randomUUID()
    await database.sql`update overlay set key = ${next} where id = ${id}`
    expect(await catalog.named('key', next)).toMatchObject({ id })
  })

  it('an overlay that is gone has no names any more', async () => {
    const { id, key } = await insertOverlay(database.sql)
    const { catalog, notify } = await catalogOf()
    await database.sql`delete from overlay where id = ${id}`
    notify({ overlay: id })
    expect(await catalog.named('key', key)).toBeUndefined()
  })
})

describe('a cache that is filled', () => {
  const filling = () => {
    const cache = createCache<number, string>(2, async (key) => `read ${key}`)
    cache.trust(true)
    let come = (_: Iterable<readonly [number, string]>) => {}
    const filled = cache.fill(() => new Promise((resolve) => (come = resolve)))
    return { cache, filled, come: (entries: Iterable<readonly [number, string]>) => come(entries) }
  }

  it('holds what came', async () => {
    const { cache, filled, come } = filling()
    come([[1, 'one']])
    await filled
    expect(cache.get(1)).toBe('one')
  })

  it('holds nothing of it when something was forgotten meanwhile: it may be what was read before the change', async () => {
    const { cache, filled, come } = filling()
    cache.forget((key) => key === 7)
    come([[1, 'one']])
    await filled
    expect(await cache.get(1)).toBe('read 1')
  })

  it('never holds more than it may, and what is held twice counts once', async () => {
    const { cache, filled, come } = filling()
    come([
      [1, 'one'],
      [2, 'two'],
      [2, 'two'],
      [3, 'three'],
    ])
    await filled
    expect(cache.get(2)).toBe('two')
    expect(cache.get(3)).toBe('three')
    expect(await cache.get(1)).toBe('read 1')
  })
})
