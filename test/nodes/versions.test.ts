import { expect, test } from 'vitest'
import { checkJoin, openService, raiseNeeds } from '../../src/nodes/service.ts'
import { mustJoin, WORKS_BESIDE } from '../../src/nodes/versions.ts'
import { migrationFiles } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'

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

test('this version knows what it works beside', async () => {
  expect(await migrationFiles()).toContain(WORKS_BESIDE)
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
