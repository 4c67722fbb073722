import { afterAll, beforeAll, expect, test } from 'vitest'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { browserOf, newPerson, PASSWORD, signedIn } from './support.ts'

let app: TestApp
let organization: TestOrganization

beforeAll(async () => {
  app = await startApp()
  organization = await newOrganization(app.database)
})
afterAll(() => app.close())

test('[issue 6.4] who signs in gets a cookie that only our pages send and no script reads', async () => {
  const { email, id } = await newPerson(app, organization.id, 'owner')
  const browser = browserOf(app)
  expect((await browser.api('GET', '/v1/me')).status).toBe(401)
  const answer = await browser.signIn(` ${email.toUpperCase()} `, PASSWORD)
  expect(answer).toMatchObject({ status: 204, text: '' })
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
