import { expect, test } from 'vitest'
import { checkJoin, openService, raiseNeeds } from '../../src/nodes/service.ts'
import { mustJoin, WORKS_BESIDE } from '../../src/nodes/versions.ts'
import { migrationFiles } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { built, start } from '../support/process.ts'
import { release } from '../support/release.ts'

const node = (knows: string) => ({ id: 'old', url: 'tls://old:1', knows })
const mine = { knows: '0050_c.sql', worksBeside: '0045_b.sql' }

test('[cluster 9] neighbouring versions serve side by side', () => {
  mustJoin(mine, { needs: null, nodes: [] })
  mustJoin(mine, { needs: '0045_b.sql', nodes: [node('0045_b.sql'), node('0050_c.sql'), node('0055_d.sql')] })
})

test('[issue 17] a node that must not join says so in one line', () => {
  expect(() => mustJoin(mine, { needs: null, nodes: [node('0050_c.sql'), node('0041_a.sql')] })).toThrow(
    /^The node old at tls:\/\/old:1 is more than one version behind: it knows migrations up to 0041_a.sql, .*0045_b.sql.*$/,
  )
  expect(() => mustJoin(mine, { needs: '0051_d.sql', nodes: [] })).toThrow(
    /^This version of Tally is too old .*0051_d.sql.*0050_c.sql.*$/,
  )
})

test.each([
  [
    'that newer ones have left behind',
    "insert into service (needs) values ('9999_later.sql')",
    /^This version of Tally is too old for the nodes of this service: [^\n]*9999_later\.sql[^\n]*\n$/,
  ],
  [
    'that is too new for one that serves',
    "insert into node (id, url, version, knows, beat_at) values ('old', 'tls://old:1', '0.1', '0001_a.sql', now() + interval '1 hour')",
    /^The node old at tls:\/\/old:1 is more than one version behind: [^\n]*\n$/,
  ],
])('[issue 17] a node %s says so in one line and exits, before it asks Redis for anything', async (_, found, line) => {
  const database = await testDatabaseOfOneTest()
  await database.sql.unsafe(found)
  const environment = { DATABASE_URL: database.url, REDIS_URL: 'redis://127.0.0.1:1', DATA_DIR: temporaryDirectory() }
  const server = start([built('run/server.js')], { ...environment, PORT: '0', MEDIA_ENGINE: 'off', DEMO: 'off' })
  expect(await server.ended).toBe(1)
  expect(server.stderr()).toMatch(line)
})

test('this version knows what it works beside', async () => {
  expect(await migrationFiles()).toContain(WORKS_BESIDE)
  // the kept build is the version before this one
  expect(WORKS_BESIDE).toBe(release.knows)
})

test('a database of the version before has no nodes, and nothing in it keeps one from joining', async () => {
  const database = await testDatabaseOfOneTest()
  await toSchemaBefore(database, '0040')
  await checkJoin(database.sql, mine)
})

test('the first node makes the service, others find it; what they must know only rises', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const [one, two] = await Promise.all([openService(sql), openService(sql)])
  expect(one).toEqual(two)
  expect(one.linkSecret).toHaveLength(32)
  await raiseNeeds(sql, '0050_c.sql')
  await raiseNeeds(sql, '0045_b.sql')
  await expect(checkJoin(sql, { knows: '0045_b.sql', worksBeside: '0045_b.sql' })).rejects.toThrow(/0050_c.sql/)
  expect(await openService(sql)).toEqual(one)
})
