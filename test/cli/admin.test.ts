import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { KEY_RESOURCES, SCOPE_RESOURCES } from '../../src/secrets/api-key.ts'
import { openListener } from '../../src/store/listen.ts'
import { type AdminAnswer, type AdminOptions, adminProgram, admin as inProcess } from '../support/admin.ts'
import { usedDataDirectory } from '../support/data-dir.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'

let database: TestDatabase
let org: string

beforeAll(async () => {
  database = await testDatabase()
  const [row] = await database.sql<{ id: number }[]>`insert into organization (name) values ('House') returning id`
  org = String(row?.id)
})
afterAll(() => database.drop())

type Way = (args: readonly string[], options: AdminOptions) => Promise<AdminAnswer>

const admin = (args: readonly string[], options: AdminOptions = {}, way: Way = inProcess) =>
  way(args, { environment: { DATABASE_URL: database.url }, ...options })

/** Runs a command that must succeed: exactly one JSON document on stdout. */
const json = async (args: readonly string[], input = '', way?: Way) => {
  const { code, stdout, stderr } = await admin(args, { input }, way)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

/** Runs a command that must be refused: nothing on stdout, and its first line. */
const refusal = async (args: readonly string[], input = '', way?: Way) => {
  const { code, stdout, stderr } = await admin(args, { input }, way)
  expect(stdout).toBe('')
  expect(code).toBe(1)
  return stderr.split('\n')[0]
}

test('orgs create answers {id, name}', async () => {
  const made = await json(['orgs', 'create', '--name', 'Zoë & Søn'])
  expect(made).toEqual({ id: expect.any(Number), name: 'Zoë & Søn' })
  expect(await database.sql`select name from organization where id = ${made.id}`).toEqual([{ name: 'Zoë & Søn' }])
})

test('[auth.1] keys create shows the key once; only its hash is stored, and the list shows four characters at each end', async () => {
  const made = await json(['keys', 'create', '--org', org, '--name', 'Desk', '--scopes', 'overlays:write,matches:read'])
  expect(made).toEqual({
    id: expect.any(Number),
    name: 'Desk',
    key: expect.stringMatching(/^service_[\w-]{43}$/),
    scopes: ['overlays:write', 'matches:read'],
    expiresAt: expect.any(String),
  })
  const [row] = await database.sql`select * from api_key where id = ${made.id}`
  expect(row?.hash).toEqual(createHash('sha256').update(made.key).digest())
  expect(JSON.stringify(row)).not.toContain(made.key)
  const [event] = await database.sql`select * from journal where ref = ${`api-key/${made.id}`}`
  expect(JSON.stringify(event)).not.toContain(made.key)
  const listed: unknown[] = await json(['keys', 'list', '--org', org])
  expect(listed).toContainEqual({
    id: made.id,
    name: 'Desk',
    preview: `serv…${made.key.slice(-4)}`,
    scopes: ['overlays:write', 'matches:read'],
    expiresAt: made.expiresAt,
    createdAt: expect.any(String),
    lastUsedAt: null,
  })
})

test('[auth.8] a key expires after 30 days unless said otherwise', async () => {
  const lifetimeOf = async (...expires: string[]) => {
    const before = Date.now()
    const made = await json(['keys', 'create', '--org', org, '--name', 'K', '--scopes', 'teams:read', ...expires])
    return made.expiresAt === null ? null : Math.round((Date.parse(made.expiresAt) - before) / 86_400_000)
  }
  expect(await lifetimeOf()).toBe(30)
  for (const days of [7, 30, 60, 90]) expect(await lifetimeOf('--expires', `${days}d`)).toBe(days)
  expect(await lifetimeOf('--expires', '1y')).toBeGreaterThanOrEqual(365)
  expect(await lifetimeOf('--expires', 'none')).toBeNull()
  const made = await json([
    'keys',
    'create',
    '--org',
    org,
    '--name',
    'K',
    '--scopes',
    'teams:read',
    '--expires',
    '2999-01-31',
  ])
  expect(made.expiresAt).toBe('2999-01-31T00:00:00.000Z')
})

test('[auth.9] a legacy key is imported, stands for every resource and never expires', async () => {
  const key = 'service_old'
  const made = await json(['keys', 'import-legacy', '--org', org, '--name', 'Old', '--access', 'read', '--key', key])
  expect(made).toEqual({ id: expect.any(Number), name: 'Old', access: 'read' })
  const listed: { id: number }[] = await json(['keys', 'list', '--org', org])
  expect(listed.find(({ id }) => id === made.id)).toMatchObject({
    scopes: SCOPE_RESOURCES.map((name) => `${name}:read`),
    expiresAt: null,
  })
  expect(
    await refusal(['keys', 'import-legacy', '--org', org, '--name', 'Old', '--access', 'read', '--key', key]),
  ).toBe('This key is known already')
})

test('[auth.10] keys delete removes the key and tells running servers with the commit', async () => {
  const listener = await openListener(database.url, pino({ level: 'silent' }))
  onTestFinished(() => listener.close())
  const made = await json(['keys', 'create', '--org', org, '--name', 'Gone', '--scopes', 'teams:read'])
  const heard: string[] = []
  await listener.listen('api_key', (payload) => heard.push(payload))
  expect(await json(['keys', 'delete', '--id', String(made.id)])).toEqual({ deleted: true })
  await expect.poll(() => heard).toEqual([createHash('sha256').update(made.key).digest('hex')])
  expect(await refusal(['keys', 'delete', '--id', String(made.id)])).toBe(`There is no API key ${made.id}`)
})

test('users create reads the password from stdin and stores a scrypt hash of it', async () => {
  const args = ['users', 'create', '--org', org, '--email', 'Ada@Example.com', '--role', 'owner', '--password-stdin']
  const made = await json(args, 'correct horse\n', adminProgram)
  expect(made).toEqual({ id: expect.any(Number) })
  const [row] = await database.sql`select email, role, password_hash from person where id = ${made.id}`
  expect(row).toMatchObject({
    email: 'ada@example.com',
    role: 'owner',
    password_hash: expect.stringMatching(/^scrypt\$32768\$8\$1\$/),
  })
  expect(await refusal(args, 'correct horse\n')).toBe('There is a user with the e-mail address ada@example.com already')
  expect(await refusal(args, '', adminProgram)).toMatch(/password on stdin/)
})

test('[issue 6.4] users are listed, given another password and deleted, but never the last owner', async () => {
  const club = String((await json(['orgs', 'create', '--name', 'Club'])).id)
  const create = async (email: string, role: string) => {
    const args = ['users', 'create', '--org', club, '--email', email, '--role', role, '--password-stdin']
    return (await json(args, 'correct horse')).id
  }
  const owner = await create('owner@club.example', 'owner')
  const id = await create('operator@club.example', 'operator')
  await database.sql`
    insert into person_session (person_id, token_hash, expires_at) values (${id}, 'any', now() + interval '1 day')`
  const list: unknown = await json(['users', 'list', '--org', club])
  expect(list).toContainEqual(
    expect.objectContaining({ id, email: 'operator@club.example', role: 'operator', sessions: 1 }),
  )
  expect(JSON.stringify(list)).not.toContain('scrypt')
  const changed = await json(['users', 'password', '--id', String(id), '--password-stdin'], 'another one')
  expect(changed).toEqual({ changed: true })
  expect(await database.sql`select from person_session where person_id = ${id}`).toHaveLength(0)
  expect(await json(['users', 'delete', '--id', String(id)])).toEqual({ deleted: true })
  expect(await refusal(['users', 'delete', '--id', String(id)])).toBe(`There is no user ${id}`)
  expect(await refusal(['users', 'delete', '--id', String(owner)])).toBe('The last owner of an organization stays')
})

test('demo answers a complete production, with links to the server of the same PUBLIC_URL', async () => {
  const environment = {
    DATABASE_URL: database.url,
    DATA_DIR: temporaryDirectory(),
    PUBLIC_URL: 'https://tally.example/',
  }
  const { code, stdout, stderr } = await admin(['demo', '--name', 'Cup night'], { environment }, adminProgram)
  expect(stderr).toBe('')
  expect(code).toBe(0)
  const id = expect.any(Number)
  const demo = JSON.parse(stdout)
  expect(demo).toMatchObject({
    organizationId: id,
    apiKey: expect.stringMatching(/^service_/),
    competitionId: id,
    gradeId: id,
    venueId: id,
    teamIds: [id, id],
    officialIds: expect.arrayContaining([id]),
    matchId: id,
    themeId: id,
    themeProfileId: id,
    controlRoomId: id,
    sectionIds: expect.arrayContaining([expect.any(String)]),
    overlay: {
      id,
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: `https://tally.example/overlay/${demo.overlay.key}`,
      controlRoomUrl: expect.stringMatching(/^https:\/\/tally\.example\/control\//),
      monitoringUrl: expect.stringMatching(/^https:\/\/tally\.example\/monitor\//),
    },
    streamSettingsId: id,
    inputId: id,
    destinationIds: expect.arrayContaining([id]),
  })
  expect(Object.keys(demo.playerIds).map(Number)).toEqual(expect.arrayContaining(demo.teamIds))
  expect(demo.presets.length).toBeGreaterThanOrEqual(5)
  for (const preset of demo.presets)
    expect(preset).toEqual({
      id,
      name: expect.any(String),
      sectionId: expect.any(String),
      graphicId: expect.any(String),
      graphicName: expect.any(String),
      exposedVariables: expect.any(Array),
    })
  const keys: { scopes: string[]; expiresAt: null }[] = await json([
    'keys',
    'list',
    '--org',
    String(demo.organizationId),
  ])
  expect(keys.map(({ scopes }) => scopes)).toEqual([KEY_RESOURCES.map((name) => `${name}:write`)])
})

test('openapi prints the API description without a database', async () => {
  const environment = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' }
  const { code, stdout } = await admin(['openapi'], { environment }, adminProgram)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ openapi: expect.stringMatching(/^3\.1/), paths: expect.any(Object) })
})

const key = (...more: string[]) => ['keys', 'create', '--org', '1', '--name', 'K', ...more]

test.each<[string, string[], RegExp]>([
  ['no command', [], /no command given/],
  ['an unknown command', ['orgs', 'destroy'], /unknown command "orgs destroy"/],
  ['an unknown option', ['orgs', 'create', '--nam', 'x'], /Unknown option '--nam'/],
  ['a stray word', ['orgs', 'create', '--name', 'x', 'y'], /Unexpected argument 'y'/],
  ['an option without its value', ['orgs', 'create', '--name'], /--name/],
  ['an option given twice', ['orgs', 'create', '--name', 'a', '--name', 'b'], /--name is given twice/],
  ['a missing option', ['orgs', 'create'], /--name is missing/],
  ['an empty name', ['orgs', 'create', '--name', '  '], /--name: /],
  ['an id that is none', ['keys', 'list', '--org', '1e3'], /--org: must be an id/],
  ['an organization that is not there', ['keys', 'list', '--org', '999999'], /There is no organization 999999/],
  ['[auth.4] an unknown scope', key('--scopes', 'teams:read,teams:admin'), /unknown scope "teams:admin"/],
  ['[auth.4] an empty scope', key('--scopes', 'teams:read,'), /unknown scope ""/],
  ['[auth.8] an expiry in the past', key('--scopes', 'teams:read', '--expires', '2001-01-01'), /is in the past/],
  [
    '[auth.8] an expiry of no known form',
    key('--scopes', 'teams:read', '--expires', '31d'),
    /--expires: "31d" is none of/,
  ],
  [
    '[auth.8] a day that no calendar has',
    key('--scopes', 'teams:read', '--expires', '2999-02-30'),
    /--expires: "2999-02-30" is none of/,
  ],
  [
    '[auth.8] a moment in the year 10000',
    key('--scopes', 'teams:read', '--expires', '9999-12-31T23:59:59-01:00'),
    /--expires: "9999-12-31T23:59:59-01:00" is none of/,
  ],
  [
    '[auth.2] a legacy key without the prefix',
    ['keys', 'import-legacy', '--org', '1', '--name', 'x', '--access', 'read', '--key', 'abc'],
    /--key: must start with service_/,
  ],
  [
    'an access that is neither',
    ['keys', 'import-legacy', '--org', '1', '--name', 'x', '--access', 'admin', '--key', 'service_x'],
    /--access: /,
  ],
  [
    'a password as an argument',
    ['users', 'create', '--org', '1', '--email', 'a@b.co', '--role', 'user', '--password', 'x'],
    /Unknown option '--password'/,
  ],
])('%s is refused with one clear line', async (_, args, line) => {
  expect(await refusal(args)).toMatch(line)
})

test('a bad value in the environment is named', async () => {
  const environment = { DATABASE_URL: 'mysql://x' }
  const { code, stdout, stderr } = await admin(['orgs', 'create', '--name', 'x'], { environment }, adminProgram)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^DATABASE_URL: [^\n]+\n$/)
})

test('without a server it starts the embedded PostgreSQL of the DATA_DIR, and stops it when it leaves', async () => {
  const environment = { DATA_DIR: usedDataDirectory() }
  const made = await admin(['orgs', 'create', '--name', 'Alone'], { environment }, adminProgram)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(made.stdout)).toEqual({ id: 1, name: 'Alone' })
  const listed = await admin(['keys', 'list', '--org', '1'], { environment }, adminProgram)
  expect(listed).toMatchObject({ code: 0, stderr: '', stdout: '[]\n' })
})
