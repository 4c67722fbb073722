import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { type Browser, signedIn } from './support.ts'

let app: TestApp
let organization: TestOrganization
let owner: Browser

beforeAll(async () => {
  app = await startApp()
  organization = await newOrganization(app.database)
  owner = (await signedIn(app, organization.id, 'owner')).browser
})
afterAll(() => app.close())

const create = async (body: Record<string, unknown>, browser = owner) => {
  const answer = await browser.api('POST', '/v1/keys', body)
  return { ...answer, id: Number(answer.body.id), key: String(answer.body.key) }
}
const daysLeft = (expiresAt: unknown) => (Date.parse(String(expiresAt)) - Date.now()) / 86_400_000

test('[auth.1] a key is shown when it is made, and afterwards its first and last four characters', async () => {
  const { status, key, id, body } = await create({ name: 'Bridge', scopes: ['teams:read'] })
  expect(status).toBe(201)
  expect(key).toMatch(/^service_[\w-]{43}$/)
  expect(body.preview).toBe(`serv…${key.slice(-4)}`)
  const list = await owner.api('GET', '/v1/keys')
  expect(list.text).not.toContain(key)
  expect(list.body.keys).toContainEqual(expect.objectContaining({ id, preview: body.preview, lastUsedAt: null }))
  expect((await app.call('GET', '/v1/teams', { key })).status).toBe(200)
  expect((await app.call('GET', '/v1/venues', { key })).body).toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
})

test('[auth.8] a key expires after 30 days unless another of the choices was made', async () => {
  const left = async (asked: Record<string, unknown>) =>
    daysLeft((await create({ name: 'Choice', scopes: ['teams:read'], ...asked })).body.expiresAt)
  expect(await left({})).toBeCloseTo(30, 2)
  for (const [expiry, days] of [
    ['7d', 7],
    ['60d', 60],
    ['90d', 90],
  ] as const)
    expect(await left({ expiry })).toBeCloseTo(days, 2)
  expect(Math.round(await left({ expiry: '1y' }))).toBeGreaterThanOrEqual(365)
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
  expect(await left({ expiry: 'custom', expiresAt })).toBeCloseTo(3, 2)
  expect((await create({ name: 'No end', scopes: ['teams:read'], expiry: 'none' })).body.expiresAt).toBeNull()
})

test.each([
  ['without a scope', { scopes: [] }, 'body.scopes'],
  ['with an unknown scope', { scopes: ['keys:write'] }, 'body.scopes[0]'],
  ['without a name', { name: ' ' }, 'body.name'],
  ['with another expiry', { expiry: '2d' }, 'body.expiry'],
  ['with a date without custom', { expiresAt: '2090-01-01T00:00:00Z' }, 'body.expiresAt'],
  ['with custom without a date', { expiry: 'custom' }, 'body.expiresAt'],
  ['that has expired', { expiry: 'custom', expiresAt: '2020-01-01T00:00:00Z' }, 'body.expiresAt'],
  ['with more than is known', { role: 'owner' }, 'body.role'],
])('[auth.8] a key %s is refused', async (_, asked, field) => {
  const { status, body } = await create({ name: 'Bad', scopes: ['teams:read'], ...asked })
  expect(status).toBe(400)
  expect(Object.keys(body.details as object)).toEqual([field])
})

test('[auth.10] a deleted key is refused at once', async () => {
  const { id, key } = await create({ name: 'Short', scopes: ['teams:read'] })
  expect((await app.call('GET', '/v1/teams', { key })).status).toBe(200)
  expect((await owner.api('DELETE', `/v1/keys/${id}`)).status).toBe(204)
  await expect.poll(async () => (await app.call('GET', '/v1/teams', { key })).status).toBe(401)
  expect((await owner.api('DELETE', `/v1/keys/${id}`)).status).toBe(404)
})

test('[auth.1] a repeated request makes no second key, and nothing that is kept for it has the key', async () => {
  const send = () =>
    owner.send('POST', '/dashboard/rest/v1/keys', {
      body: { name: 'Twice', scopes: ['teams:read'] },
      headers: { 'Idempotency-Key': 'twice' },
    })
  const [first, again] = [await send(), await send()]
  expect(first.status).toBe(201)
  expect(again).toMatchObject({ status: 201, body: { id: first.body.id, key: null } })
  const [row] = await app.database.sql<{ text: string }[]>`
    select (select string_agg(i::text, '') from idempotency i) || (select string_agg(j::text, '') from journal j) as text`
  expect(row?.text).toContain('Twice')
  expect(row?.text).not.toContain(String(first.body.key))
})

test('[auth.9] a legacy key is listed with the scopes that it stands for, and can be deleted', async () => {
  const { importLegacyKey } = await import('../../src/resources/organizations/commands.ts')
  const { id } = await importLegacyKey(app.database.db, organization.id, {
    name: 'Old',
    access: 'read',
    key: 'service_old_one',
  })
  const { body } = await owner.api('GET', '/v1/keys')
  const listed = (body.keys as { id: number; scopes: string[] }[]).find((key) => key.id === id)
  expect(listed).toMatchObject({ legacy: true, expiresAt: null })
  expect(listed?.scopes).toContain('overlays:read')
  expect((await owner.api('DELETE', `/v1/keys/${id}`)).status).toBe(204)
})

test('[auth.10] only owners and admins see, create and delete keys, and only those of their organization', async () => {
  const { id } = await create({ name: 'Mine', scopes: ['teams:read'] })
  for (const role of ['user', 'operator'] as const) {
    const { browser } = await signedIn(app, organization.id, role)
    expect(await browser.api('GET', '/v1/keys')).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } })
    expect((await create({ name: 'Not me', scopes: ['teams:read'] }, browser)).status).toBe(403)
    expect((await browser.api('DELETE', `/v1/keys/${id}`)).status).toBe(403)
  }
  const elsewhere = await newOrganization(app.database)
  const { browser: other } = await signedIn(app, elsewhere.id, 'owner')
  expect((await other.api('DELETE', `/v1/keys/${id}`)).status).toBe(404)
  expect((await other.api('GET', '/v1/keys')).text).not.toContain('"Mine"')
  const { browser: admin } = await signedIn(app, organization.id, 'admin')
  expect((await admin.api('DELETE', `/v1/keys/${id}`)).status).toBe(204)
})
