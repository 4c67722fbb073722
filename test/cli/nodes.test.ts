import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { startMember } from '../support/member.ts'
import { built, start } from '../support/process.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => database.sql`delete from node`)
afterAll(() => database.drop())

const admin = async (...args: string[]) => {
  const running = start([built('run/admin.js'), 'nodes', ...args], { DATABASE_URL: database.url })
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() }
}

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await admin(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('[cluster] nodes list answers every node with its figures, the dead ones too; people get a table', async () => {
  expect(await json('list')).toEqual([])
  expect((await admin('list')).stdout).toBe('No node has joined: a server without REDIS_URL serves alone.\n')
  const counts = () => ({ actors: 7, renderers: 50, followers: 3 })
  const { member } = await startMember(database.url, { id: 'one', url: 'tls://one:8081', version: '1.2.0', counts })
  await member.refresh()
  await database.sql`insert into node (id, url, version, knows, started_at, beat_at)
    values ('gone', 'tls://gone:8081', '1.1.0', '0040_nodes.sql', now() - interval '1 hour', clock_timestamp() - interval '6 s')`
  expect(await json('list')).toEqual([
    {
      id: 'gone',
      url: 'tls://gone:8081',
      version: '1.1.0',
      state: 'dead',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      beatAt: expect.stringMatching(/^\d{4}-.*Z$/),
      slots: 0,
      actors: 0,
      renderers: 0,
      followers: 0,
    },
    {
      id: 'one',
      url: 'tls://one:8081',
      version: '1.2.0',
      state: 'live',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      beatAt: expect.stringMatching(/^\d{4}-.*Z$/),
      slots: 256,
      actors: 7,
      renderers: 50,
      followers: 3,
    },
  ])
  const { code, stdout } = await admin('list')
  expect(code).toBe(0)
  expect(stdout.split('\n').map((line) => line.split(/ +/).slice(0, 7))).toEqual([
    ['id', 'state', 'slots', 'actors', 'renderers', 'followers', 'version'],
    ['gone', 'dead', '0', '0', '0', '0', '1.1.0'],
    ['one', 'live', '256', '7', '50', '3', '1.2.0'],
    [''],
  ])
})

test('[cluster] nodes drain empties a node without stopping it, and undrain takes that back', async () => {
  const one = await startMember(database.url, { id: 'one' })
  const two = await startMember(database.url, { id: 'two' })
  await expect.poll(() => one.owned().length + two.owned().length).toBe(256)
  expect(await json('drain', '--id', 'one')).toMatchObject({ id: 'one', state: 'draining' })
  await expect.poll(() => [one.owned().length, two.owned().length]).toEqual([0, 256])
  expect(one.member.isLive).toBe(true)
  expect(one.member.ownerOf('overlay/1')).toMatchObject({ id: 'two' })
  expect(await json('undrain', '--id', 'one')).toMatchObject({ id: 'one', state: 'live' })
  await expect.poll(() => one.owned().length).toBeGreaterThan(10)
  await expect.poll(() => one.owned().length + two.owned().length).toBe(256)
  const [takeover] = await database.sql`select from_node, to_node from takeover where reason = 'drain'`
  expect(takeover).toEqual({ from_node: 'one', to_node: 'two' })
})

test('a node that is not there is refused in one line', async () => {
  expect(await admin('drain', '--id', 'nobody', '--json')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no node nobody\n',
  })
  expect((await admin('undrain', '--json')).stderr).toBe('--id is missing\n')
})
