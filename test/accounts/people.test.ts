import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization, startApp, type TestApp } from '../support/app.ts'
import { type Browser, browserOf, newPerson, PASSWORD, signedIn } from './support.ts'

let app: TestApp
let organizationId: number
let owner: Browser & { id: number }
let admin: Browser

beforeAll(async () => {
  app = await startApp()
  organizationId = (await newOrganization(app.database)).id
  const first = await signedIn(app, organizationId, 'owner')
  owner = Object.assign(first.browser, { id: first.id })
  admin = (await signedIn(app, organizationId, 'admin')).browser
})
afterAll(() => app.close())

const create = async (by: Browser, email: string, role: string) => {
  const answer = await by.api('POST', '/v1/people', { email, role })
  return { ...answer, id: Number(answer.body.id), password: String(answer.body.password) }
}

test('[issue 6.4] an admin lets somebody sign in with a password that is shown once', async () => {
  const made = await create(admin, 'New.Operator@tally.example', 'operator')
  expect(made).toMatchObject({ status: 201, body: { email: 'new.operator@tally.example', role: 'operator' } })
  expect(made.password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
  const browser = browserOf(app)
  expect((await browser.signIn('new.operator@tally.example', made.password)).status).toBe(204)
  const list = await owner.api('GET', '/v1/people')
  expect(list.text).not.toContain(made.password)
  expect(list.body.people).toContainEqual(expect.objectContaining({ id: made.id, sessions: 1 }))
  expect(await create(admin, 'new.operator@tally.example', 'user')).toMatchObject({ status: 409 })
})

test('[issue 6.4] every session of a person ends with a new role, a new password and the deletion', async () => {
  const person = await newPerson(app, organizationId, 'user')
  const browsers = [browserOf(app), browserOf(app)]
  const enter = (password = PASSWORD) => Promise.all(browsers.map((each) => each.signIn(person.email, password)))
  const statuses = () => Promise.all(browsers.map(async (each) => (await each.api('GET', '/v1/me')).status))
  await enter()
  expect(await statuses()).toEqual([200, 200])
  expect((await admin.api('PATCH', `/v1/people/${person.id}`, { role: 'operator' })).body.role).toBe('operator')
  expect(await statuses()).toEqual([401, 401])
  await enter()
  const reset = await admin.api('POST', `/v1/people/${person.id}/password`)
  expect(await statuses()).toEqual([401, 401])
  expect((await enter())[0]?.status).toBe(401)
  await enter(String(reset.body.password))
  expect(await statuses()).toEqual([200, 200])
  expect((await admin.api('DELETE', `/v1/people/${person.id}/sessions`)).status).toBe(204)
  expect(await statuses()).toEqual([401, 401])
  await enter(String(reset.body.password))
  expect((await admin.api('DELETE', `/v1/people/${person.id}`)).status).toBe(204)
  expect(await statuses()).toEqual([401, 401])
  expect((await enter(String(reset.body.password)))[0]?.status).toBe(401)
})

test('[issue 6.4] an admin makes no owner, and does nothing to one', async () => {
  expect(await create(admin, 'boss@tally.example', 'owner')).toMatchObject({ status: 403 })
  const { id } = await newPerson(app, organizationId, 'user')
  expect((await admin.api('PATCH', `/v1/people/${id}`, { role: 'owner' })).status).toBe(403)
  for (const [method, path, body] of [
    ['PATCH', '', { role: 'user' }],
    ['POST', '/password', undefined],
    ['DELETE', '/sessions', undefined],
    ['DELETE', '', undefined],
  ] as const)
    expect((await admin.api(method, `/v1/people/${owner.id}${path}`, body)).status).toBe(403)
  expect((await owner.api('GET', '/v1/me')).status).toBe(200)
})

test('[issue 6.4] the last owner stays, also when two owners take each other out at once', async () => {
  expect(await owner.api('PATCH', `/v1/people/${owner.id}`, { role: 'user' })).toMatchObject({ status: 409 })
  expect((await owner.api('DELETE', `/v1/people/${owner.id}`)).status).toBe(409)
  const elsewhere = (await newOrganization(app.database)).id
  const [one, two] = [await signedIn(app, elsewhere, 'owner'), await signedIn(app, elsewhere, 'owner')]
  const answers = await Promise.all([
    one.browser.api('DELETE', `/v1/people/${two.id}`),
    two.browser.api('PATCH', `/v1/people/${one.id}`, { role: 'user' }),
  ])
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  const owners = await app.database.sql`
    select from person where organization_id = ${elsewhere} and role = 'owner'`
  expect(owners).toHaveLength(1)
})

test('[issue 6.4] people of another organization are not there', async () => {
  const elsewhere = await newOrganization(app.database)
  const stranger = await newPerson(app, elsewhere.id, 'user')
  expect((await owner.api('GET', `/v1/people/${stranger.id}`)).status).toBe(404)
  expect((await owner.api('PATCH', `/v1/people/${stranger.id}`, { role: 'admin' })).status).toBe(404)
  expect((await owner.api('POST', `/v1/people/${stranger.id}/password`)).status).toBe(404)
  expect((await owner.api('DELETE', `/v1/people/${stranger.id}`)).status).toBe(404)
  expect((await owner.api('GET', '/v1/people')).text).not.toContain(stranger.email)
})

test('[issue 6.4] the audit list says who did what, newest first, with filters and without secrets', async () => {
  const { email, id, browser } = await signedIn(app, organizationId, 'user')
  await browser.send('POST', '/dashboard/auth/sign-out', { body: {} })
  const key = await owner.api('POST', '/v1/keys', { name: 'Audited', scopes: ['teams:read'] })
  await owner.api('DELETE', `/v1/keys/${key.body.id}`)
  const audit = async (query: string) => (await admin.api('GET', `/v1/audit?${query}`)).body.audit as Entry[]
  type Entry = { ref: string; by: unknown; events: { type: string; name?: string }[]; asked: Record<string, unknown> }
  const entries = await audit(`kind=person&recordId=${id}`)
  expect(entries.map(({ events }) => events[0]?.type)).toEqual(['person.signed-out', 'person.signed-in'])
  expect(entries[0]?.by).toEqual({ type: 'person', id, name: email })
  expect(entries[1]?.asked).toEqual({ address: '127.0.0.1', userAgent: 'node' })
  const made = await create(owner, 'audited@tally.example', 'user')
  expect(await audit(`kind=person&recordId=${made.id}`)).toMatchObject([
    { events: [{ type: 'person.created' }], asked: { email: 'audited@tally.example', role: 'user' } },
  ])
  const [deleted] = await audit('event=key.deleted')
  expect(deleted).toMatchObject({ events: [{ name: 'Audited' }], by: { type: 'person', id: owner.id } })
  expect(await audit(`byType=person&byId=${id}`)).toHaveLength(2)
  expect(await audit('to=2020-01-01T00:00:00Z')).toEqual([])
  const { text } = await admin.api('GET', '/v1/audit?limit=1000')
  expect(text).not.toMatch(new RegExp(`${PASSWORD}|scrypt|${key.body.key}`))
  const { browser: operator } = await signedIn(app, organizationId, 'operator')
  expect((await operator.api('GET', '/v1/audit')).status).toBe(403)
  const elsewhere = await signedIn(app, (await newOrganization(app.database)).id, 'owner')
  expect((await elsewhere.browser.api('GET', '/v1/audit?limit=1000')).text).not.toContain(email)
})
