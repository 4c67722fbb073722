import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, startApp, type TestApp, type TestOrganization } from './support/app.ts'
import { insertOverlay } from './support/overlay-rows.ts'

describe('the whole server', () => {
  let app: TestApp
  let organization: TestOrganization
  beforeAll(async () => {
    app = await startApp()
    organization = await newOrganization(app.database)
  })
  afterAll(() => app.close())

  it('is ready once it listens', async () => {
    // its look at the database has a second, which a busy machine may need for the first connection alone
    const readiness = async () => {
      const response = await fetch(`${app.origin}/readyz`)
      return { status: response.status, ...((await response.json()) as object) }
    }
    const checks = { database: true, listen: true, owner: true }
    await expect.poll(readiness).toMatchObject({ status: 200, ready: true, checks, quarantined: [], unsettled: [] })
  })

  it('answers a key, and nobody without one', async () => {
    expect(await app.call('GET', '/v1/overlays')).toMatchObject({ status: 401 })
    const list = await app.call('GET', '/v1/overlays', { key: organization.key })
    expect(list).toMatchObject({ status: 200, body: { overlays: [], total: 0, returned: 0 } })
  })

  it('is not ready on a database that only reads, answers writes 503 and reads as ever, and goes on when it writes again', async () => {
    const { sql } = app.database
    // as after a failover, or when a full disk made the database of a provider read-only: new connections are refused writes
    const turn = async (readOnly: 'on' | 'off') => {
      const [row] = await sql<{ name: string }[]>`select current_database() as name`
      await sql.unsafe(`alter database ${row?.name} set default_transaction_read_only = ${readOnly}`)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    }
    const ready = async () => {
      const response = await fetch(`${app.origin}/readyz`)
      const { checks } = (await response.json()) as { checks: Record<string, boolean> }
      return [response.status, checks.database, checks.writable]
    }
    const body = { name: 'Fjord Park', city: 'Norrvik', timezone: 'Europe/Oslo' }
    const venue = async () => (await app.call('POST', '/v1/venues', { key: organization.key, body })).status
    await expect.poll(ready).toEqual([200, true, true])
    await turn('on')
    await expect.poll(ready).toEqual([503, true, false])
    expect(await venue()).toBe(503)
    expect(await app.call('GET', '/v1/venues', { key: organization.key })).toMatchObject({ status: 200 })
    await turn('off')
    await expect.poll(ready).toEqual([200, true, true])
    await expect.poll(venue).toBe(201)
  })

  it('serves the pages of overlays it knows while the database does not answer, since a source would keep the error', async () => {
    const { sql } = app.database
    const { key } = await insertOverlay(sql)
    const nobodys = '00000000-0000-4000-8000-000000000000'
    const page = async (name: string) => {
      const response = await fetch(`${app.origin}/overlay/${name}`)
      return [response.status, response.headers.get('content-type')?.split(';')[0]]
    }
    expect(await page(key)).toEqual([200, 'text/html'])
    await sql.begin(async (tx) => {
      await tx`lock table overlay in access exclusive mode`
      // what was notified meanwhile is lost: nothing that is cached is trusted
      await tx`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
      await expect.poll(() => page(nobodys)).toEqual([503, 'application/json'])
      expect(await page(key)).toEqual([200, 'text/html'])
      expect(await page(key.toUpperCase())).toEqual([200, 'text/html'])
    })
    await expect.poll(() => page(nobodys)).toEqual([404, 'application/json'])
    expect(await page(key)).toEqual([200, 'text/html'])
  })

  it('stops and starts again on the same database', async () => {
    await app.restart()
    expect(await app.call('GET', '/v1/overlays', { key: organization.key })).toMatchObject({ status: 200 })
  })
})
