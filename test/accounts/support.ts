import { randomUUID, scryptSync } from 'node:crypto'
import type { Role } from '../../src/resources/organizations/schema.ts'
import type { TestApp } from '../support/app.ts'

export type Reply = { status: number; headers: Headers; body: Record<string, unknown>; text: string }

export type Browser = {
  /** What it would send; changed by answers. */
  cookie: string
  send(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Reply>
  /** `path` below the door of the dashboard. */
  api(method: string, path: string, body?: unknown): Promise<Reply>
  signIn(email: string, password: string): Promise<Reply>
}

/** What one page of ours in one browser sends: the cookie that it was given, and the header of a script of ours. */
export function browserOf(app: Pick<TestApp, 'origin'>): Browser {
  const browser: Browser = {
    cookie: '',
    async send(method, path, { body, headers } = {}) {
      const response = await fetch(`${app.origin}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          'X-Requested-With': 'tally',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(browser.cookie !== '' && { Cookie: browser.cookie }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      for (const set of response.headers.getSetCookie()) {
        const pair = set.split(';')[0] ?? ''
        browser.cookie = pair.endsWith('=') ? '' : pair
      }
      const text = await response.text()
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text.startsWith('{') ? JSON.parse(text) : {},
      }
    },
    api: (method, path, body) => browser.send(method, `/dashboard/rest${path}`, { body }),
    signIn: (email, password) => browser.send('POST', '/dashboard/auth/sign-in/email', { body: { email, password } }),
  }
  return browser
}

export const PASSWORD = 'correct horse battery'

/** PASSWORD as it is stored, with a cost of its own: what is stored says how much work it takes to judge. */
export function hashOf(cost: { N: number; r: number; p: number }): string {
  const hash = scryptSync(PASSWORD, 'salt', 32, { ...cost, maxmem: 67_108_864 }).toString('base64')
  return ['scrypt', cost.N, cost.r, cost.p, Buffer.from('salt').toString('base64'), hash].join('$')
}

const QUICK = hashOf({ N: 1_024, r: 8, p: 1 })

/** A person of an organization, with PASSWORD, which is judged quickly unless another hash of it is given. */
export async function newPerson(
  { database }: Pick<TestApp, 'database'>,
  organizationId: number,
  role: Role,
  hash = QUICK,
) {
  const email = `${role}-${randomUUID()}@tally.example`
  const [row] = await database.sql<{ id: number }[]>`
    insert into person (organization_id, email, role, password_hash)
    values (${organizationId}, ${email}, ${role}, ${hash}) returning id`
  return { id: row?.id ?? 0, email, role }
}

/** A browser in which a new person is signed in. */
export async function signedIn(app: TestApp, organizationId: number, role: Role) {
  const person = await newPerson(app, organizationId, role)
  const browser = browserOf(app)
  let answer = await browser.signIn(person.email, PASSWORD)
  // a machine that is busy with other tests
  while (answer.status === 503) answer = await browser.signIn(person.email, PASSWORD)
  if (answer.status !== 204) throw new Error(`nobody could sign in: ${answer.status} ${answer.text}`)
  return { ...person, browser }
}
