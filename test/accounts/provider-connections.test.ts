import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey, newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { type Browser, signedIn } from './support.ts'

let app: TestApp
let organization: TestOrganization
let admin: Browser
let stranger: Browser
/** What the feed answers. */
let body = JSON.stringify({ version: 1, venues: [{ id: 'v1', name: 'Harbour Ground' }] })
const feed = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve))
  app = await startApp({ OUTBOUND_PRIVATE: 'on' })
  organization = await newOrganization(app.database)
  admin = (await signedIn(app, organization.id, 'admin')).browser
  stranger = (await signedIn(app, (await newOrganization(app.database)).id, 'owner')).browser
})
afterAll(async () => {
  await app?.close()
  feed.close()
})

const PATH = '/v1/provider-connections'
const url = () => `http://127.0.0.1:${(feed.address() as AddressInfo).port}/feed.json?token=hidden`
type Connection = { id: number; lastError: string | null; lastSuccessAt: string | null; lastReport: unknown }
const list = async (browser = admin) => (await browser.api('GET', PATH)).body.connections as Connection[]

describe('[show-control: Records] [issue 21.5] data providers at the dashboard', () => {
  it('what cannot be connected is told at its field', async () => {
    const { status, body } = await admin.api('POST', PATH, { provider: 'custom', url: 'ftp://x', interval: '1s' })
    expect([status, Object.keys(body.details as object)]).toEqual([400, ['body.url', 'body.interval']])
    expect(await list()).toEqual([])
  })

  it('one is connected, synced at once, and tells what it brought; its secrets are not told', async () => {
    const made = await admin.api('POST', PATH, { provider: 'custom', url: url(), interval: '1h', token: 'top-secret' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ provider: 'custom', intervalSeconds: 3_600, hasToken: true, lastReport: null })
    expect(made.text).not.toMatch(/hidden|top-secret/)
    await expect.poll(async () => (await list())[0]?.lastSuccessAt, { timeout: 20_000 }).toBeTruthy()
    expect((await list())[0]).toMatchObject({ lastError: null, lastReport: { counts: { venues: { created: 1 } } } })
    expect((await app.call('GET', '/v1/venues', { key: organization.key })).body.total).toBe(1)
    const again = await admin.api('POST', PATH, { provider: 'custom', url: url() })
    expect([again.status, again.body.details]).toMatchObject([400, { 'body.provider': { message: /already/ } }])
  })

  it('a sync that fails says why', async () => {
    body = JSON.stringify({ version: 1, venues: [{ id: 'v1', name: 'Bad' }] })
    const [connection] = await list()
    expect((await admin.api('POST', `${PATH}/${connection?.id}/sync`)).status).toBe(204)
    await expect.poll(async () => (await list())[0]?.lastError, { timeout: 20_000 }).toBeTruthy()
    expect(JSON.stringify((await list())[0]?.lastReport)).toContain('venues')
  })

  it('[Authentication 10] for owners and admins alone, each of the own organization; the audit list tells who', async () => {
    const [connection] = await list()
    const one = `${PATH}/${connection?.id}`
    for (const role of ['user', 'operator'] as const) {
      const { browser } = await signedIn(app, organization.id, role)
      for (const [method, path] of [
        ['GET', PATH],
        ['POST', PATH],
        ['POST', `${one}/sync`],
        ['DELETE', one],
      ] as const)
        expect([role, method, (await browser.api(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([
          ...[role, method, 403],
        ])
    }
    expect(await list(stranger)).toEqual([])
    expect((await stranger.api('POST', `${one}/sync`)).status).toBe(403)
    expect((await stranger.api('DELETE', one)).status).toBe(403)
    const { key } = await newKey(app.database, organization.id, ['teams:write'])
    expect((await app.call('GET', PATH, { key })).status).toBe(404)
    expect((await admin.api('DELETE', one)).status).toBe(204)
    expect(await list()).toEqual([])
    const { body: audit } = await admin.api('GET', '/v1/audit?kind=provider-connection')
    const rows = audit.audit as { events: { type: string }[]; by: { type: string } }[]
    const byPeople = rows.filter(({ by }) => by.type === 'person').map(({ events }) => events[0]?.type)
    expect(byPeople).toEqual(['provider.disconnected', 'provider.connected'])
  })
})
