import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { scopesOf } from '../../src/http/scope.ts'
import { routes, signedInRoutes } from '../../src/resources/index.ts'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { type Browser, browserOf, hashOf, newPerson, PASSWORD, signedIn } from './support.ts'

let app: TestApp
let organization: TestOrganization

beforeAll(async () => {
  app = await startApp()
  organization = await newOrganization(app.database)
})
afterAll(() => app.close())

const statusOfMe = async (cookie: string) => {
  const browser = browserOf(app)
  browser.cookie = cookie
  return (await browser.api('GET', '/v1/me')).status
}

test('[issue 6.4] who signs in gets a cookie that only our pages send and no script reads', async () => {
  const { email, id } = await newPerson(app, organization.id, 'owner')
  const browser = browserOf(app)
  expect((await browser.api('GET', '/v1/me')).status).toBe(401)
  const answer = await browser.signIn(` ${email.toUpperCase()} `, PASSWORD)
  expect(answer).toMatchObject({ status: 204, text: '' })
  const { body: log } = await browser.api('GET', `/v1/audit?kind=person&recordId=${id}`)
  expect(log.audit).toMatchObject([{ requestId: answer.headers.get('x-request-id') }])
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie.split('; ').slice(1).sort()).toEqual([
    'HttpOnly',
    'Max-Age=604800',
    'Path=/dashboard',
    'SameSite=Strict',
  ])
  const me = await browser.api('GET', '/v1/me')
  expect(me).toMatchObject({ status: 200, body: { id, email, role: 'owner', organization: { id: organization.id } } })
  expect(me.headers.get('access-control-allow-origin')).toBeNull()
  expect((await browser.api('GET', '/v1/teams')).status).toBe(200)
})

test('[issue 6.4] who signs out is nobody, also with the cookie of before', async () => {
  const { browser } = await signedIn(app, organization.id, 'user')
  const stolen = browserOf(app)
  stolen.cookie = browser.cookie
  expect((await stolen.api('GET', '/v1/me')).status).toBe(200)
  expect((await browser.send('POST', '/dashboard/auth/sign-out', { body: {} })).status).toBe(204)
  expect(browser.cookie).toBe('')
  expect((await browser.api('GET', '/v1/me')).status).toBe(401)
  expect((await stolen.api('GET', '/v1/me')).status).toBe(401)
})

test('[issue 6.4] two servers on one host do not sign each other out', async () => {
  const other = await startApp()
  onTestFinished(() => other.close())
  const { browser } = await signedIn(app, organization.id, 'user')
  const there = await signedIn(other, (await newOrganization(other.database)).id, 'user')
  const [here = '', elsewhere = ''] = [browser.cookie, there.browser.cookie]
  expect(here.split('=')[0]).not.toBe(elsewhere.split('=')[0])
  browser.cookie = there.browser.cookie = `${elsewhere}; ${here}`
  expect((await browser.api('GET', '/v1/me')).status).toBe(200)
  expect((await there.browser.api('GET', '/v1/me')).status).toBe(200)
})

test('[issue 6.4] a session that was there before the sign-in is not the one after it', async () => {
  const attacker = await signedIn(app, organization.id, 'operator')
  const planted = attacker.browser.cookie
  const victim = await newPerson(app, organization.id, 'owner')
  const browser = browserOf(app)
  browser.cookie = planted
  expect((await browser.signIn(victim.email, PASSWORD)).status).toBe(204)
  expect(browser.cookie).not.toBe(planted)
  expect(await statusOfMe(planted)).toBe(401)
  expect((await browser.api('GET', '/v1/me')).body.email).toBe(victim.email)
})

test('[issue 6.4] a cookie that was made up, changed or read from the database opens nothing', async () => {
  const { browser, id } = await signedIn(app, organization.id, 'owner')
  const [name = '', value = ''] = browser.cookie.split('=')
  const [token = '', signature = ''] = decodeURIComponent(value).split('.')
  const [row] = await app.database.sql<{ token_hash: string }[]>`
    select token_hash from person_session where person_id = ${id}`
  expect(row?.token_hash).not.toContain(token)
  const bad = [
    token,
    `${token}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    `${token}x.${signature}`,
    `${row?.token_hash}.${signature}`,
    `${token}.`,
    '',
    '%00',
    'ü',
    `'; delete from person; --.${signature}`,
  ]
  for (const value of bad) expect(await statusOfMe(`${name}=${encodeURIComponent(value)}`)).toBe(401)
  expect(await statusOfMe(browser.cookie)).toBe(200)
})

/** Takes seconds to judge, and as long to make. */
const SLOW = hashOf({ N: 16_384, r: 8, p: 40 })

/** Makes a function that waits until the server has asked the database such a query from now on. */
async function readings(like: string): Promise<() => Promise<void>> {
  const { sql } = app.database
  const [since] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`
  const found = () => sql`
    select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and query_start > ${since?.now ?? ''}::timestamptz and query like ${like} and query not like '%pg_stat%'`
  return () => expect.poll(found, { interval: 5 }).not.toHaveLength(0)
}

test('[issue 6.4] who loses the account while changing its password does not get it back', async () => {
  const { sql } = app.database
  const { id, email } = await newPerson(app, organization.id, 'owner', SLOW)
  const browser = browserOf(app)
  expect((await browser.signIn(email, PASSWORD)).status).toBe(204)
  const read = await readings('%select password_hash from person where id%')
  const body = { currentPassword: PASSWORD, newPassword: 'mine again and again' }
  const answer = browser.send('POST', '/dashboard/auth/change-password', { body })
  await read()
  const ofAnAdmin = SLOW.replace('40', '41')
  await sql`update person set password_hash = ${ofAnAdmin} where id = ${id}`
  expect((await answer).status).toBe(401)
  expect(await sql`select password_hash as hash from person where id = ${id}`).toEqual([{ hash: ofAnAdmin }])
})

test('[issue 6.4] a password that is changed while it is judged opens nothing any more', async () => {
  const { sql } = app.database
  const { id, email } = await newPerson(app, organization.id, 'owner', SLOW)
  const read = await readings('%person_account%')
  const browser = browserOf(app)
  const answer = browser.signIn(email, PASSWORD)
  await read()
  await sql`update person set password_hash = ${SLOW.replace('40', '41')} where id = ${id}`
  expect((await answer).status).toBe(401)
  expect(browser.cookie).toBe('')
  expect(await sql`select from person_session where person_id = ${id}`).toHaveLength(0)
})

test('[issue 6.4] what another page sends with the cookie of a person does nothing', async () => {
  const { browser } = await signedIn(app, organization.id, 'owner')
  const foreign: Record<string, string>[] = [
    { 'X-Requested-With': '' },
    { Origin: 'https://evil.example' },
    { Origin: `${app.origin}.evil.example` },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site', Origin: app.origin },
  ]
  const asks = [
    ['POST', '/dashboard/rest/v1/keys', { name: 'Evil', scopes: ['teams:write'] }],
    ['POST', '/dashboard/rest/v1/venues', { name: 'Evil venue' }],
    ['DELETE', '/dashboard/rest/v1/keys/1', undefined],
    ['POST', '/dashboard/auth/sign-out', {}],
    ['POST', '/dashboard/auth/change-password', { currentPassword: PASSWORD, newPassword: 'evil evil evil' }],
    ['POST', '/dashboard/auth/sign-in/email', { email: 'evil@tally.example', password: 'evil' }],
  ] as const
  for (const headers of foreign)
    for (const [method, path, body] of asks)
      expect(await browser.send(method, path, { body, headers })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      })
  expect((await browser.api('GET', '/v1/keys')).text).not.toContain('Evil')
  const read = await browser.send('GET', '/dashboard/rest/v1/keys', { headers: { 'Sec-Fetch-Site': 'cross-site' } })
  expect(read.status).toBe(403)
  const preflight = await browser.send('OPTIONS', '/dashboard/rest/v1/keys', {
    headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
  })
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
  const own = { Origin: app.origin, 'Sec-Fetch-Site': 'same-origin' }
  const made = await browser.send('POST', '/dashboard/rest/v1/keys', {
    body: { name: 'Good', scopes: ['teams:read'] },
    headers: own,
  })
  expect(made.status).toBe(201)
})

test('[issue 6.4] a cookie is nothing at /rest, and an API key is nothing at the door of the dashboard', async () => {
  const { browser } = await signedIn(app, organization.id, 'owner')
  expect((await browser.send('GET', '/rest/v1/teams')).status).toBe(401)
  expect((await app.call('GET', '/v1/keys', { key: organization.key })).status).toBe(404)
  for (const headers of [{ Authorization: `Bearer ${organization.key}` }, { 'x-service-api-key': organization.key }])
    expect((await browserOf(app).send('GET', '/dashboard/rest/v1/teams', { headers })).status).toBe(401)
})

test('[issue 6.4] nothing of the authentication library is reached but sign-in, sign-out and the password', async () => {
  const { browser, email } = await signedIn(app, organization.id, 'owner')
  const paths = [
    'sign-up/email',
    'update-user',
    'change-email',
    'delete-user',
    'set-password',
    'request-password-reset',
  ]
  for (const path of [...paths, 'reset-password', 'verify-password', 'list-sessions', 'revoke-sessions', 'get-session'])
    expect(
      (await browser.send('POST', `/dashboard/auth/${path}`, { body: { email, password: PASSWORD } })).status,
    ).toBe(405)
  const page = await browser.send('GET', '/dashboard/auth/get-session')
  expect(page.text).not.toContain(email)
})

const all = [...routes, ...signedInRoutes]
const pathOf = (path: string) => path.replace(/\{\w+\}/g, '2147483647')

const ask = (browser: Browser, route: Route) => browser.api(route.method.toUpperCase(), pathOf(route.path))

/** Names of the operations whose answer is not right; a few at a time are asked. */
async function wrong(isRight: (route: Route) => Promise<boolean>): Promise<string[]> {
  const names: string[] = []
  const left = [...all]
  const askOne = async () => {
    for (let route = left.pop(); route; route = left.pop())
      if (!(await isRight(route))) names.push(operationName(route))
  }
  await Promise.all([askOne(), askOne(), askOne(), askOne()])
  return names
}

test('[issue 6.4] nobody opens anything behind the door of the dashboard', async () => {
  const nobody = browserOf(app)
  expect(await wrong(async (route) => (await ask(nobody, route)).status === 401)).toEqual([])
})

// said once more, by hand: not the table that is tested
const isOfAdmins = ({ path }: Route) =>
  /^\/v1\/(keys|people|audit|nodes|provider-connections)|^\/v2\/webhooks/.test(path)
const mayNot = {
  user: isOfAdmins,
  operator: (route: Route) =>
    isOfAdmins(route) || !scopesOf(route).some((scope) => scope.endsWith(':read') || scope === 'overlays:write'),
} as const

test.each(['user', 'operator'] as const)(
  '[issue 6.4] the role %s opens what it should and nothing else',
  async (role) => {
    const { browser } = await signedIn(app, organization.id, role)
    const isRight = async (route: Route) => {
      const { status, body } = await ask(browser, route)
      return (status === 403 && body.code === 'INSUFFICIENT_SCOPE') === mayNot[role](route)
    }
    expect(await wrong(isRight)).toEqual([])
  },
)

test('[issue 6.4] a session ends after 12 idle hours, and after 7 days in any case', async () => {
  const { sql } = app.database
  const { browser, id } = await signedIn(app, organization.id, 'user')
  const [row] = await sql<{ days: number }[]>`
    select extract(epoch from expires_at - created_at)::float8 / 86400 as days from person_session where person_id = ${id}`
  expect(row?.days).toBeCloseTo(7, 3)
  await sql`update person_session set seen_at = now() - interval '11 hours' where person_id = ${id}`
  expect(await statusOfMe(browser.cookie)).toBe(200)
  expect(
    await sql`
    select from person_session where person_id = ${id} and seen_at > now() - interval '1 minute'`,
  ).toHaveLength(1)
  await sql`update person_session set seen_at = now() - interval '12 hours 1 minute' where person_id = ${id}`
  expect(await statusOfMe(browser.cookie)).toBe(401)
  expect(await sql`select from person_session where person_id = ${id}`).toHaveLength(0)
  const other = await signedIn(app, organization.id, 'user')
  await sql`update person_session set expires_at = now() where person_id = ${other.id}`
  expect(await statusOfMe(other.browser.cookie)).toBe(401)
})

test('[issue 6.4] sessions that are over are swept away at the next sign-in', async () => {
  const { sql } = app.database
  const { id } = await signedIn(app, organization.id, 'user')
  await sql`update person_session set seen_at = now() - interval '13 hours' where person_id = ${id}`
  await signedIn(app, organization.id, 'user')
  expect(await sql`select from person_session where person_id = ${id}`).toHaveLength(0)
})

test('[issue 6.4] while the database does not answer, nobody is told that they are nobody', async () => {
  const { browser, email } = await signedIn(app, organization.id, 'user')
  await app.database.sql.begin(async (tx) => {
    await tx`lock table person_session, person in access exclusive mode`
    const startedAt = performance.now()
    const answers = await Promise.all([
      browser.api('GET', '/v1/me'),
      browserOf(app).signIn(email, PASSWORD),
      browser.send('POST', '/dashboard/auth/sign-out', { body: {} }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(performance.now() - startedAt).toBeLessThan(2_700)
  })
  expect((await browser.api('GET', '/v1/me')).status).toBe(200)
})

test('[issue 6.4] who changes the password says the old one, and stays signed in at this browser only', async () => {
  const { email, browser } = await signedIn(app, organization.id, 'operator')
  const elsewhere = browserOf(app)
  await elsewhere.signIn(email, PASSWORD)
  const change = (currentPassword: string, newPassword: string, by = browser) =>
    by.send('POST', '/dashboard/auth/change-password', { body: { currentPassword, newPassword } })
  const refusals = [
    [await change('wrong', 'a new password'), 'body.currentPassword'],
    [await change(PASSWORD, 'short'), 'body.newPassword'],
    [await change(PASSWORD, PASSWORD), 'body.newPassword'],
  ] as const
  for (const [{ status, body, text }, field] of refusals) {
    expect([status, Object.keys(body.details ?? {})]).toEqual([400, [field]])
    expect(text).not.toContain('a new password')
  }
  expect((await change(PASSWORD, 'a new password', browserOf(app))).status).toBe(401)
  expect((await change(PASSWORD, 'a new password')).status).toBe(204)
  expect((await browser.api('GET', '/v1/me')).status).toBe(200)
  expect((await elsewhere.api('GET', '/v1/me')).status).toBe(401)
  expect((await elsewhere.signIn(email, PASSWORD)).status).toBe(401)
  expect((await elsewhere.signIn(email, 'a new password')).status).toBe(204)
})

test('[issue 6.4] a body that is no sign-in is refused without what it held', async () => {
  const send = (body: unknown) => browserOf(app).send('POST', '/dashboard/auth/sign-in/email', { body })
  for (const body of [
    '{',
    '[]',
    { email: 'a@tally.example' },
    { email: 'a\u0000@tally.example', password: 'hush-hush' },
  ])
    expect(await send(body)).toMatchObject({ status: 400, text: expect.not.stringContaining('hush-hush') })
  expect((await send({ email: 'a@tally.example', password: 'hush-hush'.repeat(10_000) })).status).toBe(413)
  expect((await send({ email: 'a@tally.example', password: 'x'.repeat(1_025) })).status).toBe(400)
})
