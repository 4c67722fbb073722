import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectDatabase, isConnectionError } from '../../src/store/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Script, scriptedPostgres } from '../support/scripted-postgres.ts'

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error)
const failed = (query: PromiseLike<unknown>) => query.then((rows) => (Array.isArray(rows) ? [...rows] : rows), codeOf)
const signal = () => {
  let fire = () => {}
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { fire, fired }
}

function pool(url: string, connections = 1) {
  const { sql, close } = connectDatabase(url, { connections, connectWithinSeconds: 60 })
  onTestFinished(() => close(0))
  return sql
}

const one: Script = { rows: ['1'], end: 'complete' }
const cutOff: Script = { rows: ['a', 'b', 'c'], end: 'error' }

describe('[driver] an answer belongs to the query that asked, scripted frame by frame', () => {
  it('a statement that fails after its first rows leaves none of their count to the next one, and its connection serves no other', async () => {
    const server = await scriptedPostgres({ 'select long': cutOff, 'select one': one })
    const sql = pool(server.url)
    expect(await failed(sql`select long`)).toBe('57014')
    const rows = await sql`select one`
    expect([...rows]).toEqual([{ n: '1' }])
    expect(server.heard).toEqual([['select long'], ['select one']])
  })

  it('what was sent behind it gets its own rows, and what is asked from then on goes elsewhere', async () => {
    const rowsSent = signal()
    const failing = signal()
    const then = () => {
      rowsSent.fire()
      return failing.fired
    }
    const server = await scriptedPostgres({
      'select long': { ...cutOff, then },
      'select one': one,
      'select two': { ...one, rows: ['2', '2'] },
    })
    const sql = pool(server.url)
    await sql`select one`
    const long = failed(sql`select long`)
    await rowsSent.fired
    const behind = [sql`select one`.execute(), sql`select two`.execute()]
    await new Promise(setImmediate)
    failing.fire()
    expect(await long).toBe('57014')
    const after = sql`select one`.execute()
    expect((await Promise.all(behind)).map((rows) => [...rows])).toEqual([[{ n: '1' }], [{ n: '2' }, { n: '2' }]])
    expect([...(await after)]).toEqual([{ n: '1' }])
    expect(server.heard).toEqual([['select one', 'select long', 'select one', 'select two'], ['select one']])
  })

  it.each(['cut', 'fatal'] as const)(
    'a connection that is lost in the middle of a result (%s) leaves nothing to the one after it',
    async (end) => {
      const server = await scriptedPostgres({ 'select long': { rows: ['a', 'b'], end }, 'select one': one })
      const sql = pool(server.url)
      expect(await failed(sql`select long`)).toBe('CONNECTION_CLOSED')
      expect(await failed(sql`select one`)).toEqual([{ n: '1' }])
    },
  )

  it('an error before the first row costs no connection', async () => {
    const server = await scriptedPostgres({ 'select none': { rows: [], end: 'error' }, 'select one': one })
    const sql = pool(server.url)
    for (let round = 0; round < 3; round++) {
      expect(await failed(sql`select none`)).toBe('57014')
      expect(await failed(sql`select one`)).toEqual([{ n: '1' }])
    }
    expect(server.heard).toHaveLength(1)
  })

  it('a transaction with such a statement ends where it is and reports the error, and its connection serves no other', async () => {
    const server = await scriptedPostgres({ 'select long': cutOff, 'select one': one })
    const sql = pool(server.url)
    expect(await failed(sql.begin((tx) => tx`select long`))).toBe('57014')
    expect(await failed(sql`select one`)).toEqual([{ n: '1' }])
    expect(server.heard[1]).toEqual(['select one'])
  })

  it('a transaction that was begun behind such a statement is begun again on another connection', async () => {
    const rowsSent = signal()
    const failing = signal()
    const then = () => {
      rowsSent.fire()
      return failing.fired
    }
    const server = await scriptedPostgres({ 'select long': { ...cutOff, then }, 'select one': one })
    const sql = pool(server.url)
    await sql`select one`
    const long = failed(sql`select long`)
    await rowsSent.fired
    const writing = failed(sql.begin((tx) => tx`select one`))
    await expect.poll(() => server.heard[0]).toEqual(['select one', 'select long', 'begin'])
    failing.fire()
    expect(await long).toBe('57014')
    expect(await writing).toEqual([{ n: '1' }])
    expect(server.heard.slice(1)).toEqual([['begin', 'select one', 'commit']])
  })

  it('nor does a reserved connection that is given back after such a statement', async () => {
    const server = await scriptedPostgres({ 'select long': cutOff, 'select one': one, select: one })
    const sql = pool(server.url)
    await sql`select one`
    const mine = await sql.reserve()
    expect(await failed(mine`select long`)).toBe('57014')
    mine.release()
    expect(await failed(sql`select one`)).toEqual([{ n: '1' }])
    expect(server.heard).toEqual([['select one', 'select', 'select long'], ['select one']])
  })

  it('a connection that a statement was asked to be cancelled on serves no other: the cancellation may come late', async () => {
    const rowsSent = signal()
    const ending = signal()
    const then = () => {
      rowsSent.fire()
      return ending.fired
    }
    const server = await scriptedPostgres({ 'select slow': { ...one, then }, 'select one': one })
    const sql = pool(server.url)
    const slow = sql`select slow`
    const answered = failed(slow)
    await rowsSent.fired
    slow.cancel()
    await expect.poll(server.cancellations).toBe(1)
    ending.fire()
    expect(await answered).toEqual([{ n: '1' }])
    expect(await failed(sql`select one`)).toEqual([{ n: '1' }])
    expect(server.heard).toEqual([['select slow'], ['select one']])
  })
})

describe('[driver] an answer belongs to the query that asked, on a real PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
    await database.sql`create table note (id int primary key, text text)`
    await database.sql`insert into note values (1, 'one')`
  })
  afterAll(() => database.drop())

  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ n: from + index }))

  it('statements that fail in the middle of their results, mixed with others on one connection, spoil none', async () => {
    const sql = pool(database.url, 2)
    for (let round = 0; round < 20; round++) {
      const asked = Array.from({ length: 12 }, (_, index) =>
        index % 4 === 1
          ? failed(sql`select 1 / (n - 500) as n from generate_series(1, 1000) n`)
          : failed(sql`select n from generate_series(${index}::int, ${index + 2}::int) n`),
      )
      const answers = await Promise.all(asked)
      answers.forEach((answer, index) => {
        expect(answer).toEqual(index % 4 === 1 ? '22012' : numbers(index, 3))
      })
    }
  })

  const sleeping = (pid: number) =>
    expect
      .poll(() => failed(database.sql`select wait_event as on from pg_stat_activity where pid = ${pid}`))
      .toEqual([{ on: 'PgSleep' }])
  const slowly = 'select n, pg_sleep(case when n < 2000 then 0 else 5 end) from generate_series(1, 3000) n'

  it.each(['pg_cancel_backend', 'statement_timeout'])('so do those that %s stops', async (by) => {
    const { sql, close } = connectDatabase(database.url, {
      connections: 1,
      connectWithinSeconds: 60,
      ...(by === 'statement_timeout' && { statementTimeoutMs: 300 }),
    })
    onTestFinished(() => close(0))
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const long = failed(sql.unsafe(slowly, [], { prepare: true }))
    const behind = failed(sql`select text from note where id = 1`)
    if (by === 'pg_cancel_backend') {
      await sleeping(backend?.pid ?? 0)
      await database.sql`select pg_cancel_backend(${backend?.pid ?? 0})`
    }
    expect(await long).toBe('57014')
    expect(await behind).toEqual([{ text: 'one' }])
    const [after] = await sql<{ pid: number; text: string }[]>`select pg_backend_pid() as pid, text from note`
    expect(after?.text).toBe('one')
    expect(after?.pid).not.toBe(backend?.pid)
  })

  it('a cancellation that comes late stops the statement that it meets, tells so, and nothing of it reaches the next', async () => {
    const sql = pool(database.url)
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    await sql`select n from generate_series(1, 1000) n`
    const met = failed(sql.unsafe(slowly, [], { prepare: true }))
    const behind = failed(sql`select n from generate_series(1, 3) n`)
    await sleeping(backend?.pid ?? 0)
    await database.sql`select pg_cancel_backend(${backend?.pid ?? 0})`
    expect(await met).toBe('57014')
    expect(await behind).toEqual(numbers(1, 3))
  })

  it('a refused row costs no connection, with what was to be returned of it', async () => {
    const sql = pool(database.url)
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    for (let round = 0; round < 3; round++)
      expect(await failed(sql`insert into note values (1, 'twice') returning *`)).toBe('23505')
    expect(await sql`select pg_backend_pid() as pid`).toEqual([backend])
  })

  it('a query that cannot be written behind another is refused alone, and shifts no answer', async () => {
    const sql = pool(database.url)
    const at = (moment: Date) => sql`select ${sql.typed(moment as never, 1184)} as at`
    const noon = new Date('2026-11-22T12:00:00Z')
    expect(await at(noon)).toEqual([{ at: noon }])
    const slow = failed(sql`select 'slow' as text from pg_sleep(0.05)`)
    await new Promise(setImmediate)
    const unwritable = [failed(at(new Date(Number.NaN))), failed(sql`select ${undefined as never}`)]
    const behind = [failed(sql`select text from note where id = 1`), failed(at(noon))]
    expect(await Promise.all(unwritable)).toEqual([expect.any(RangeError), 'UNDEFINED_VALUE'])
    expect(await slow).toEqual([{ text: 'slow' }])
    expect(await Promise.all(behind)).toEqual([[{ text: 'one' }], [{ at: noon }]])
  })

  describe('rows by the cursor', () => {
    const cut = (pid: number) => database.sql`select pg_terminate_backend(${pid})`

    it('that are cut off while somebody works through them end in the error and not as if they were all', async () => {
      const sql = pool(database.url)
      const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
      const seen: number[] = []
      const read = async () => {
        for await (const rows of sql<{ n: number }[]>`select n from generate_series(1, 10) n`.cursor(2)) {
          seen.push(...rows.map(({ n }) => n))
          if (seen.length > 2) continue
          await cut(backend?.pid ?? 0)
          // another has the connection that came after it
          await expect.poll(() => failed(sql`select text from note where id = 1`)).toEqual([{ text: 'one' }])
        }
      }
      await expect(read()).rejects.toSatisfy(isConnectionError)
      expect(seen).toEqual([1, 2])
      expect(await failed(sql`select n from generate_series(1, 3) n`)).toEqual(numbers(1, 3))
    })

    it('that fail in the middle cost the connection, and those that are left early do not', async () => {
      const sql = pool(database.url)
      const pidOf = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
      const before = await pidOf()
      for await (const rows of sql`select n from generate_series(1, 10) n`.cursor(2)) if (rows.length > 0) break
      expect(await pidOf()).toBe(before)
      const seen: number[] = []
      const read = async () => {
        for await (const rows of sql<{ n: number }[]>`select 10 / (5 - n) as n from generate_series(1, 10) n`.cursor(2))
          seen.push(...rows.map(({ n }) => n))
      }
      expect(await failed(read())).toBe('22012')
      expect(seen).toEqual([2, 3, 5, 10])
      expect(await failed(sql`select n from generate_series(1, 3) n`)).toEqual(numbers(1, 3))
      expect(await pidOf()).not.toBe(before)
    })
  })
})
