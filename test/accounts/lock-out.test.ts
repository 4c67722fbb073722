import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createLockOut } from '../../src/accounts/lock-out.ts'
import { clientAddress, networkOf } from '../../src/http/client-address.ts'
import { hashPassword } from '../../src/secrets/passwords.ts'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { browserOf, newPerson, PASSWORD, signedIn } from './support.ts'

let app: TestApp
let organization: TestOrganization

beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '1' })
  organization = await newOrganization(app.database)
})
afterAll(() => app.close())

let hosts = 0
/** Tries from an address of its own, so that tests do not lock each other out. */
const from = (address = `198.51.100.${++hosts}`) => {
  const browser = browserOf(app)
  return (email: string, password: string) =>
    browser.send('POST', '/dashboard/auth/sign-in/email', {
      body: { email, password },
      headers: { 'X-Forwarded-For': `203.0.113.7, ${address}` },
    })
}

test('[issue 6.4] after ten wrong passwords, also at once, the right one is refused, for somebody who exists as for nobody', async () => {
  const { email, browser, id } = await signedIn(app, organization.id, 'owner')
  const refusals = []
  for (const who of [email, `nobody-${randomUUID()}@tally.example`]) {
    const attempt = from()
    // at once: they are counted before they are judged
    const answers = await Promise.all(Array.from({ length: 15 }, () => attempt(who, 'wrong')))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
    refusals.push(await attempt(who, PASSWORD))
  }
  const [known, unknown] = refusals.map(({ status, text }) => ({ status, text }))
  expect(known).toEqual({ status: 429, text: '{"message":"Too many attempts to sign in: try again later"}' })
  expect(unknown).toEqual(known)
  expect(Number(refusals[0]?.headers.get('retry-after'))).toBeGreaterThan(600)
  // another address is no way around it, and an open session goes on
  expect((await from()(email, PASSWORD)).status).toBe(429)
  expect((await browser.api('GET', '/v1/me')).status).toBe(200)
  const events = async () => {
    const { body } = await browser.api('GET', `/v1/audit?kind=person&recordId=${id}&byType=system`)
    return (body.audit as { events: { type: string }[] }[]).map((entry) => entry.events.map(({ type }) => type))
  }
  const failed = 'person.sign-in-failed'
  await expect
    .poll(async () => (await events()).sort((a, b) => b.length - a.length))
    .toEqual([[failed, 'person.locked'], ...Array(9).fill([failed])])
})

test('[issue 6.4] a stranger who tries passwords locks out nobody where they have signed in before', async () => {
  const { email } = await newPerson(app, organization.id, 'owner')
  const [desk, stranger] = [from(), from()]
  const lock = async () => {
    for (let n = 0; n < 10; n++) await stranger(email, 'wrong')
    expect((await stranger(email, PASSWORD)).status).toBe(429)
  }
  expect((await desk(email, PASSWORD)).status).toBe(204)
  await lock()
  expect((await desk(email, 'wrong')).status).toBe(401)
  expect((await desk(email, PASSWORD)).status).toBe(204)
  // which opens nothing to the stranger
  expect((await stranger(email, PASSWORD)).status).toBe(429)
  await app.restart()
  await lock()
  expect((await desk(email, PASSWORD)).status).toBe(204)
})

test('[issue 6.4] also where somebody has signed in before, they have ten attempts', async () => {
  const lockOut = createLockOut([{ email: 'a@tally.example', address: '192.0.2.9' }])
  const attempt = () => lockOut.attempt({ email: 'a@tally.example', address: '192.0.2.9' })
  for (let n = 0; n < 10; n++) expect(await attempt()).toEqual({ last: n === 9 })
  await expect(attempt()).rejects.toMatchObject({ status: 429 })
  const elsewhere = (address: string) => lockOut.attempt({ email: 'a@tally.example', address })
  for (let n = 0; n < 10; n++) await elsewhere(`198.51.100.${n}`)
  await expect(elsewhere('198.51.100.77')).rejects.toMatchObject({ status: 429 })
})

test('[issue 6.4] an address that tries everybody is locked out, and only that one', async () => {
  const lockOut = createLockOut()
  const attempt = (n: number, address: string) => lockOut.attempt({ email: `${n}@tally.example`, address })
  for (let n = 0; n < 50; n++) await attempt(n, `2001:db8:1:2::${n}`)
  await expect(attempt(50, '2001:db8:1:2::ffff')).rejects.toMatchObject({ status: 429 })
  expect(await attempt(51, '2001:db8:1:3::1')).toEqual({ last: false })
})

test('[issue 6.4] a sign-in forgets the failures before it, and what could not be judged counts for nothing', async () => {
  const lockOut = createLockOut()
  const attempt = { email: 'a@tally.example', address: '192.0.2.9' }
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 10; n++) expect(await lockOut.attempt(attempt)).toEqual({ last: n === 9 })
    await lockOut.forget(attempt, true)
  }
  for (let n = 0; n < 15; n++) {
    expect(await lockOut.attempt(attempt)).toEqual({ last: false })
    await lockOut.forget(attempt, false)
  }
})

test('[issue 6.4] the lock is gone after a quarter of an hour', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lockOut = createLockOut()
  const attempt = { email: 'a@tally.example', address: '192.0.2.9' }
  for (let n = 0; n < 10; n++) expect(await lockOut.attempt(attempt)).toEqual({ last: n === 9 })
  await expect(lockOut.attempt(attempt)).rejects.toMatchObject({ status: 429 })
  vi.advanceTimersByTime(899_000)
  await expect(lockOut.attempt(attempt)).rejects.toMatchObject({ status: 429 })
  vi.advanceTimersByTime(2_000)
  expect(await lockOut.attempt(attempt)).toEqual({ last: false })
})

test('[issue 6.4] an answer about nobody takes as much work and says as much as one about somebody', async () => {
  const { email } = await newPerson(app, organization.id, 'owner', await hashPassword(PASSWORD))
  const attempt = from()
  // of the processor, so that other tests beside this one do not count
  const least = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
  const texts = new Set<string>()
  for (let n = 0; n < 5; n++)
    for (const who of ['known', 'unknown'] as const) {
      const before = process.cpuUsage()
      const answer = await attempt(who === 'known' ? email : `nobody-${randomUUID()}@tally.example`, 'wrong')
      const { user, system } = process.cpuUsage(before)
      least[who] = Math.min(least[who], user + system)
      texts.add(`${answer.status} ${answer.text} ${[...answer.headers.keys()].sort()}`)
    }
  expect([...texts]).toHaveLength(1)
  expect(least.known / least.unknown).toBeGreaterThan(0.5)
  expect(least.known / least.unknown).toBeLessThan(2)
})

test('[issue 6.4] behind the balancer of docker-compose.yml people are told apart by their addresses', async () => {
  const compose = await readFile('docker-compose.yml', 'utf8')
  const services = compose.split(/^ {2}(?=[\w-]+:)/m)
  const nodes = services.filter((service) => service.startsWith('node-'))
  expect(nodes).toHaveLength(3)
  // the first one has the settings of all
  expect(nodes[0]).toMatch(/TRUSTED_PROXIES: \$\{TRUSTED_PROXIES:-1\}/)
  for (const node of nodes.slice(1)) expect(node).toMatch(/environment: \{ <<: \*environment,/)
})

const asked = (forwarded: string, remoteAddress = '10.0.0.1') => ({
  header: (name: string) => (name === 'x-forwarded-for' ? forwarded : ''),
  remoteAddress,
})

test('[issue 6.4] the address of a client is what proxies of ours say, and never what the client says', () => {
  expect(clientAddress(asked('192.0.2.1'), 0)).toBe('10.0.0.1')
  expect(clientAddress(asked('192.0.2.1'), 1)).toBe('192.0.2.1')
  expect(clientAddress(asked('6.6.6.6, 192.0.2.1'), 1)).toBe('192.0.2.1')
  expect(clientAddress(asked('6.6.6.6, 192.0.2.1, 10.0.0.9'), 2)).toBe('192.0.2.1')
  for (const bad of ['', 'nonsense', '192.0.2.1, ']) expect(clientAddress(asked(bad), 1)).toBe('10.0.0.1')
  expect(clientAddress(asked('192.0.2.1'), 2)).toBe('10.0.0.1')
  expect(clientAddress(asked('', '0000:0000:0000:0000:0000:ffff:7f00:0001'), 0)).toBe('127.0.0.1')
  expect(clientAddress(asked('', '::ffff:192.0.2.1'), 0)).toBe('192.0.2.1')
})

test('[issue 6.4] a subscriber is counted as one, however many addresses of IPv6 it has', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('2001:0db8:0001:0002:0003:0004:0005:0006')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:2::9')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:3::9')).not.toBe(networkOf('2001:db8:1:2::9'))
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})

test('[issue 6.4] behind https the cookie goes over https only, to where the dashboard is', async () => {
  const secure = await startApp({ PUBLIC_URL: 'https://tally.example/live' })
  onTestFinished(() => secure.close())
  const { id } = await newOrganization(secure.database)
  const { email } = await newPerson(secure, id, 'user')
  const answer = await browserOf(secure).send('POST', '/dashboard/auth/sign-in/email', {
    body: { email, password: PASSWORD },
    headers: { Origin: 'https://tally.example', 'Sec-Fetch-Site': 'same-origin' },
  })
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/^__Secure-tally-[0-9a-f]{8}\.session_token=/)
  expect(cookie.split('; ')).toEqual(
    expect.arrayContaining(['Secure', 'HttpOnly', 'SameSite=Strict', 'Path=/live/dashboard']),
  )
})
