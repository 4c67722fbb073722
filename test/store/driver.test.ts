import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectDatabase, isConnectionError } from '../../src/store/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Cuttable, proxyTo } from '../support/proxy.ts'

describe('[P8] a connection to PostgreSQL that is lost at a bad moment', () => {
  let database: TestDatabase
  let proxy: Cuttable
  let escaped: unknown[]

  beforeAll(async () => {
    database = await testDatabase()
    await database.sql`create table note (text text)`
  })
  afterAll(() => database.drop())
  beforeEach(async () => {
    proxy = await proxyTo(database.url)
    escaped = []
    const note = (error: unknown) => void escaped.push(error)
    process.on('uncaughtException', note)
    process.on('unhandledRejection', note)
    onTestFinished(() => {
      process.off('uncaughtException', note)
      process.off('unhandledRejection', note)
    })
  })

  function pool(connections: number) {
    const { sql, close } = connectDatabase(proxy.url, { connections })
    onTestFinished(() => close(0))
    return sql
  }
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
  }

  it('a process that starts gives a slow server the time it takes, one that serves two seconds', async () => {
    proxy = await proxyTo(database.url, 200)
    const uptime = vi.spyOn(process, 'uptime').mockReturnValue(5)
    onTestFinished(() => uptime.mockRestore())
    const sql = pool(1)
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    uptime.mockReturnValue(100)
    await expect(pool(1)`select 1`).rejects.toThrow('CONNECT_TIMEOUT')
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }])
  })

  it('a connection is reserved also when none is open', async () => {
    const sql = pool(2)
    const first = await sql.reserve()
    const second = await sql.reserve()
    expect([await first`select 1 as one`, await second`select 2 as two`]).toEqual([[{ one: 1 }], [{ two: 2 }]])
    first.release()
    second.release()
    expect(await sql`select 3 as three`).toEqual([{ three: 3 }])
  })

  it('in the middle of a transaction it rejects the transaction and nothing escapes', async () => {
    const sql = pool(1)
    for (let round = 0; round < 20; round++) {
      const error = await sql
        .begin(async (tx) => {
          await tx`select 1`
          const running = tx`select pg_sleep(5)`.execute()
          await turns(3)
          proxy.cut()
          await running
        })
        .catch((lost: unknown) => lost)
      expect(isConnectionError(error)).toBe(true)
      await turns(5)
    }
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
    expect(escaped).toEqual([])
  })

  it('what a lost transaction does afterwards never happens outside of it', async () => {
    const sql = pool(1)
    let ended = false
    const writing = sql.begin(async (tx) => {
      await tx`select 1`
      proxy.cut()
      await vi.waitFor(() => sql`select 1`, { timeout: 30_000, interval: 5 })
      try {
        await tx`insert into note (text) values ('alone')`
      } finally {
        ended = true
      }
    })
    await expect(writing).rejects.toThrow()
    await vi.waitFor(() => expect(ended).toBe(true), { timeout: 30_000 })
    expect(await database.sql`select text from note`).toEqual([])
    expect(escaped).toEqual([])
  })

  it('to a backend that is frozen it is given up a second after the statement should have been cancelled, and replaced', async () => {
    const frozen = connectDatabase(database.url, { connections: 1, statementTimeoutMs: 200 })
    onTestFinished(() => frozen.close(0))
    const [backend] = await frozen.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const pid = backend?.pid ?? 0
    process.kill(pid, 'SIGSTOP')
    onTestFinished(() => void process.kill(pid, 'SIGCONT'))
    expect(isConnectionError(await frozen.sql`select 1`.catch((error: unknown) => error))).toBe(true)
    await expect.poll(() => frozen.sql`select 1 as one`.catch(() => 'refused')).toEqual([{ one: 1 }])
    expect(escaped).toEqual([])
  })

  it('is kept while it answers, however long that takes, and while nothing is asked', async () => {
    const slow = connectDatabase(database.url, { connections: 1, statementTimeoutMs: 400 })
    onTestFinished(() => slow.close(0))
    const [before] = await slow.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const rows = Array.from({ length: 10 }, () => slow.sql`select pg_sleep(0.15)`)
    await Promise.all(rows)
    await slow.sql.begin(async (tx) => {
      await tx`select 1`
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await tx`select 1`
    })
    expect(await slow.sql`select pg_backend_pid() as pid`).toEqual([before])
  })

  it('by whoever closes at once what it accepts is tried again less and less often', async () => {
    const closing = createServer((socket) => void socket.on('error', () => {}).end())
    onTestFinished(() => void closing.close())
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
    const address = closing.address()
    const url = `postgres://tally@127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/tally`
    const { sql, close } = connectDatabase(url, { connections: 1 })
    onTestFinished(() => close(0))
    let tries = 0
    const since = performance.now()
    const fifth = new Promise<number>((resolve) => {
      closing.on('connection', () => ++tries === 5 && resolve(performance.now() - since))
    })
    sql`select 1`.catch(() => {})
    // 40, 80, 160 and 300 ms between them
    expect(await fifth).toBeGreaterThan(500)
  })

  it('however often and whenever it happens, queries are answered again within a second', async () => {
    const sql = pool(4)
    for (let round = 0; round < 60; round++) {
      const queries = Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0 ? sql.begin((tx) => tx`select ${index}::int`) : sql`select ${index}::int`.execute(),
      )
      const settled = Promise.allSettled(queries)
      await turns(round % 6)
      proxy.cut()
      // written for sockets that are about to be gone
      const late = Promise.allSettled(Array.from({ length: 8 }, (_, index) => sql`select ${index}::int`.execute()))
      await Promise.all([settled, late])
      const since = performance.now()
      await Promise.all(
        Array.from({ length: 8 }, () => vi.waitFor(() => sql`select 1`, { timeout: 30_000, interval: 5 })),
      )
      expect(performance.now() - since).toBeLessThan(1_000)
    }
    expect(escaped).toEqual([])
  })
})
