import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { raiseNeeds } from '../../src/nodes/service.ts'
import { WORKS_BESIDE } from '../../src/nodes/versions.ts'
import { migrationFiles } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { startMember } from '../support/member.ts'
import { built, start } from '../support/process.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'
import { release, unpackRelease } from '../support/release.ts'

const NEXT = '9999_next.sql'

describe.skipIf(!redisIsInstalled)('[issue 17] a node that must not join says so in one line and exits', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const startNode = async (databaseUrl: string, program = built('run/server.js'), more = {}) => {
    const settings = {
      PORT: '0',
      HOST: '127.0.0.1',
      NODE_PORT: String(await freePort()),
      MEDIA_ENGINE: 'off',
      DEMO: 'off',
    }
    const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, DATA_DIR: temporaryDirectory() }
    return start([program], { ...settings, ...shared, ...more })
  }
  const refused = async (node: ReturnType<typeof startNode>) => {
    const { ended, stderr } = await node
    expect([await ended, stderr()]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)])
    return stderr()
  }

  test('of the last release, once the others need more than it knows: at its start, and while it runs', async () => {
    const { url, sql } = await testDatabaseOfOneTest()
    const program = join(unpackRelease(), 'run/server.js')
    const runs = await startNode(url, program)
    await runs.line((line) => line.includes('"msg":"serving"') || undefined)
    // as a node does that joins
    await raiseNeeds(sql, NEXT)
    expect(await runs.ended).toBe(1)
    const why = `they need migration ${NEXT}, the newest it knows is ${release.knows}. Start the version that they run.`
    const said = runs
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line): { level: number; msg: string } => JSON.parse(line))
    expect(said.filter(({ level }) => level >= 60).map(({ msg }) => msg)).toEqual([expect.stringContaining(why)])
    expect(await sql`select from node`).toEqual([])
    expect(await refused(startNode(url, program))).toContain(why)
  })

  test('of this version, beside one that knows less than the last release', async () => {
    const { url, sql } = await testDatabaseOfOneTest()
    await startMember(url, {
      id: 'ancient',
      url: 'tls://old:1',
      knows: '0039_sealed.sql',
      worksBeside: '0039_sealed.sql',
    })
    await sql`delete from migration where name = ${(await migrationFiles()).at(-1) ?? ''}`
    expect(await refused(startNode(url))).toContain(
      `The node ancient at tls://old:1 is more than one version behind: it knows migrations up to 0039_sealed.sql, beside this version ${WORKS_BESIDE}`,
    )
    // it asked before it migrated
    expect(await sql`select from migration where name = ${(await migrationFiles()).at(-1) ?? ''}`).toEqual([])
  })

  test('at the address of another one', async () => {
    const { url } = await testDatabaseOfOneTest()
    await startMember(url, { id: 'first', url: 'tls://node-1:8081' })
    expect(await refused(startNode(url, undefined, { NODE_URL: 'node-1:8081' }))).toBe(
      'NODE_URL: the node first is at tls://node-1:8081, too: each node needs an address of its own.\n',
    )
  })
})
