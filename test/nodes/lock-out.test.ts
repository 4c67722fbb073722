import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { countedByAll } from '../../src/accounts/attempts.ts'
import { createLockOut } from '../../src/accounts/lock-out.ts'
import { networkOf } from '../../src/http/client-address.ts'
import { type TestDatabase, testDatabaseOfOneTest } from '../support/database.ts'

/** The lock-outs of so many nodes on one database; people sit where `desks` says. */
const onNodes = ({ sql }: TestDatabase, count: number, desks: Record<string, string[]> = {}) =>
  Array.from({ length: count }, () =>
    createLockOut(
      [],
      countedByAll({
        sql,
        within: (work) => work,
        networksOf: async (email) => (desks[email] ?? []).map(networkOf),
      }),
    ),
  )

const emailOf = () => `${randomUUID()}@tally.example`

test('[issue 17.4] attempts that alternate between two nodes are locked out as on one, and nobody else is', async () => {
  const database = await testDatabaseOfOneTest()
  const nodes = onNodes(database, 2)
  const attempt = { email: emailOf(), address: '192.0.2.1' }
  for (let n = 0; n < 10; n++) expect(await nodes[n % 2]?.attempt(attempt)).toEqual({ last: n === 9 })
  for (const node of nodes) await expect(node.attempt(attempt)).rejects.toMatchObject({ status: 429 })
  expect(await nodes[0]?.attempt({ ...attempt, email: emailOf() })).toEqual({ last: false })
  // it is refused for a quarter of an hour from then on
  const refusal = await nodes[1]?.attempt(attempt).catch((error) => error)
  expect(Number(refusal.headers['Retry-After'])).toBeGreaterThan(890)
  const rows = await database.sql<{ key: string }[]>`select key from sign_in_limit`
  expect(JSON.stringify(rows)).not.toContain(attempt.email)
})

test('[issue 17.4] at once by all nodes they are counted before they are judged', async () => {
  const nodes = onNodes(await testDatabaseOfOneTest(), 3)
  const attempt = { email: emailOf(), address: '192.0.2.1' }
  const tries = nodes.flatMap((node) => Array.from({ length: 6 }, () => node.attempt({ ...attempt })))
  const letIn = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
  expect(letIn).toHaveLength(10)
})

test('[issue 17.4] an address that tries everybody at all nodes is locked out', async () => {
  const nodes = onNodes(await testDatabaseOfOneTest(), 2)
  const attempt = (n: number) => nodes[n % 2]?.attempt({ email: emailOf(), address: `2001:db8:1:2::${n}` })
  for (let n = 0; n < 50; n++) await attempt(n)
  await expect(attempt(50)).rejects.toMatchObject({ status: 429 })
})

test('[issue 17.4] a sign-in at one node forgets the failures at all; what was not judged counts for nothing', async () => {
  const [one, other] = onNodes(await testDatabaseOfOneTest(), 2)
  const attempt = { email: emailOf(), address: '192.0.2.1' }
  for (let n = 0; n < 9; n++) await one?.attempt(attempt)
  await other?.attempt(attempt)
  await other?.forget(attempt, false)
  expect(await one?.attempt(attempt)).toEqual({ last: true })
  await one?.forget(attempt, true)
  expect(await other?.attempt(attempt)).toEqual({ last: false })
})

test('[issue 17.4] who sits where they are signed in is locked out by no stranger, at no node', async () => {
  const email = emailOf()
  const nodes = onNodes(await testDatabaseOfOneTest(), 2, { [email]: ['192.0.2.1'] })
  for (let n = 0; n < 10; n++) await nodes[n % 2]?.attempt({ email, address: '198.51.100.1' })
  for (const node of nodes) {
    await expect(node.attempt({ email, address: '198.51.100.1' })).rejects.toMatchObject({ status: 429 })
    expect(await node.attempt({ email, address: '192.0.2.1' })).toEqual({ last: false })
  }
})

test('what is over is swept away', async () => {
  const { sql, ...database } = await testDatabaseOfOneTest()
  const [node] = onNodes({ sql, ...database }, 1)
  await sql`insert into sign_in_limit (key, points, expire) values ('person:old', 11, ${Date.now() - 1})`
  await node?.attempt({ email: emailOf(), address: '192.0.2.1' })
  expect(await sql`select 1 from sign_in_limit where key = 'person:old'`).toHaveLength(0)
})
