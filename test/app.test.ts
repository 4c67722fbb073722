import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOrganization, startApp, type TestApp, type TestOrganization } from './support/app.ts'

describe('the whole server', () => {
  let app: TestApp
  let organization: TestOrganization
  beforeAll(async () => {
    app = await startApp()
    organization = await newOrganization(app.database)
  })
  afterAll(() => app.close())

  it('is ready once it listens', async () => {
    const response = await fetch(`${app.origin}/readyz`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ ready: true, checks: { database: true, listen: true, owner: true } })
  })

  it('answers a key, and nobody without one', async () => {
    expect(await app.call('GET', '/v1/overlays')).toMatchObject({ status: 401 })
    const list = await app.call('GET', '/v1/overlays', { key: organization.key })
    expect(list).toMatchObject({ status: 200, body: { overlays: [], total: 0, returned: 0 } })
  })

  it('stops and starts again on the same database', async () => {
    await app.restart()
    expect(await app.call('GET', '/v1/overlays', { key: organization.key })).toMatchObject({ status: 200 })
  })
})
