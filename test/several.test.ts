import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { freePort } from '../bench/free-port.ts'
import { readConfig } from '../src/config.ts'
import { temporaryDirectory } from './support/directory.ts'
import { ALONE, built, type Running, start } from './support/process.ts'
import { redisIsInstalled, startRedis, type TestRedis } from './support/redis.ts'

const REDIS_URL = 'redis://127.0.0.1:6379'
const within = { timeout: 60_000, interval: 100 }

test.each([
  [{ NODES: '0', REDIS_URL }, 'NODES'],
  [{ NODES: '65', REDIS_URL }, 'NODES'],
  [{ NODES: 'four', REDIS_URL }, 'NODES'],
  [{ NODES: '4' }, 'NODES'],
  [{ REDIS_URL }, 'REDIS_URL'],
])('[cluster 10] %j is refused with one line that names %s', (environment, name) => {
  expect(() => readConfig({ ...ALONE, ...environment })).toThrow(new RegExp(`^${name}: [^\\n]+$`))
})

test('[cluster 10] with NODES the embedded PostgreSQL goes with Redis', () => {
  expect(readConfig({ ...ALONE, NODES: '4', REDIS_URL })).toMatchObject({ nodes: 4, databaseUrl: undefined })
})

const Line = z.looseObject({ msg: z.string(), place: z.number().optional(), process: z.number().optional() })

describe.skipIf(!redisIsInstalled)('several nodes on one machine', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const linesOf = (server: Running) =>
    server
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => Line.parse(JSON.parse(line)))
  const served = (server: Running) => linesOf(server).filter(({ msg }) => msg === 'a node serves')

  test('[cluster 10] they serve on one port with one database and one demo; one that is killed is started again; all end together', {
    timeout: 180_000,
  }, async () => {
    const port = await freePort()
    const server = start([built('run/server.js')], {
      ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: temporaryDirectory(), REDIS_URL: redis.url },
      ...{ NODES: '2', MEDIA_ENGINE: 'off', RATE_LIMIT: 'off', LOG_LEVEL: 'info' },
    })
    await vi.waitFor(() => expect(served(server)).toHaveLength(2), within)
    expect(server.stderr().match(/Tally serves/g)).toHaveLength(1)
    const [, key] = /(service_\S+)/.exec(server.stderr()) ?? []
    const ask = (path: string) =>
      // each on a connection of its own: the kernel chooses the node
      fetch(`http://127.0.0.1:${port}/rest${path}`, {
        headers: { Authorization: `Bearer ${key}`, Connection: 'close' },
      })
    const reached = async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask('/v2/matches')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      return new Set(answers.map(({ headers }) => headers.get('x-tally-node')))
    }
    await vi.waitFor(async () => expect((await reached()).size).toBe(2), within)

    // the id of a node is in each line of its log
    const nodes = await reached()
    for (const id of nodes)
      expect(linesOf(server)).toContainEqual(expect.objectContaining({ msg: 'serving', nodeId: id }))

    const second = served(server).find(({ place }) => place === 2)?.process ?? 0
    process.kill(second, 'SIGKILL')
    await vi.waitFor(() => expect(served(server)).toHaveLength(3), within)
    expect(linesOf(server)).toContainEqual(expect.objectContaining({ place: 2, how: 'SIGKILL', waitMs: 0 }))
    await vi.waitFor(async () => expect((await reached()).size).toBe(2), within)
    expect(server.stderr().match(/Tally serves/g)).toHaveLength(1)

    const before = performance.now()
    server.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(linesOf(server).filter(({ msg }) => msg === 'stopped')).toHaveLength(3)
    for (const { process: id = 0 } of served(server)) expect(() => process.kill(id, 0)).toThrow('ESRCH')
  })

  test('[cluster 10] what every node would refuse is said once, and stops the start', {
    timeout: 120_000,
  }, async () => {
    const taken = start([
      '-e',
      'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })',
    ])
    const port = await taken.line((line) => line)
    const server = start([built('run/server.js')], {
      ...{ HOST: '127.0.0.1', PORT: port, DATA_DIR: temporaryDirectory(), REDIS_URL: redis.url, NODES: '2' },
    })
    expect(await server.ended).toBe(1)
    expect(server.stderr()).toBe(`cannot listen on 127.0.0.1:${port}: the address is taken\n`)
  })

  test('[cluster 10] nodes whose keeper was killed end by themselves', { timeout: 120_000 }, async () => {
    const server = start([built('run/server.js')], {
      ...{ HOST: '127.0.0.1', PORT: '0', DATA_DIR: temporaryDirectory(), REDIS_URL: redis.url },
      ...{ NODES: '1', MEDIA_ENGINE: 'off', DEMO: 'off', LOG_LEVEL: 'info' },
    })
    await vi.waitFor(() => expect(served(server)).toHaveLength(1), within)
    server.kill('SIGKILL')
    const [{ process: node = 0 } = {}] = served(server)
    await vi.waitFor(() => expect(() => process.kill(node, 0)).toThrow('ESRCH'), within)
  })
})
