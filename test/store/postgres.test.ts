import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Context } from '../../src/context.ts'
import type { Database } from '../../src/database.ts'
import type { IdempotencyClaim } from '../../src/principal.ts'
import { connectDatabase, isConnectionError, isIdempotencyRace, isOutOfReach } from '../../src/store/postgres.ts'
import { CONNECT_WITHIN_SECONDS, type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
let organizationId: number

beforeAll(async () => {
  database = await testDatabase()
  const [row] = await database.sql<{ id: number }[]>`insert into organization (name) values ('One') returning id`
  organizationId = row?.id ?? 0
})
afterAll(() => database.drop())

const claim = (key: string): IdempotencyClaim => ({
  key,
  method: 'POST',
  path: '/rest/v1/venues',
  bodyHash: '07'.repeat(32),
  stored: false,
  taken: false,
  plain: false,
  encode: (result) => ({ status: 200, body: JSON.stringify(result) }),
})

const contextOf = (idempotency?: IdempotencyClaim) => {
  const context: Partial<Context> = {
    organizationId,
    actor: { type: 'key', id: 3, name: 'a "key"' },
    requestId: 'r1',
    commandId: randomUUID(),
    log: pino({ level: 'silent' }),
    ...(idempotency ? { idempotency } : {}),
  }
  // write() reads only these
  return context as Context
}

const createVenue = (context: Context, name: string, db: Database = database.db) =>
  db.write(context, { ref: 'venue/?', type: 'create', asked: { name } }, async (tx) => {
    const [row] = await tx<{ id: number }[]>`
      insert into venue (organization_id, name) values (${organizationId}, ${name}) returning id`
    const id = row?.id ?? 0
    return {
      result: { id, name },
      events: [{ type: 'venue.created' }],
      ref: `venue/${id}`,
      outbox: [{ kind: 'job', payload: { id } }],
    }
  })

test('a write commits its rows, its journal row, its outbox rows and its idempotency row together', async () => {
  const idempotency = claim('k1')
  const context = contextOf(idempotency)
  const told: number[] = []
  database.db.onOutbox((rows) => told.push(rows))
  const { id } = await createVenue(context, 'Arena')
  expect(idempotency.stored).toBe(true)
  expect(told).toEqual([1])
  const [row] = await database.sql`select * from journal where ref = ${`venue/${id}`}`
  expect(row).toMatchObject({
    organization_id: organizationId,
    command_id: context.commandId,
    request_id: 'r1',
    principal: { type: 'key', id: 3, name: 'a "key"' },
    command: { type: 'create', asked: { name: 'Arena' } },
    events: [{ type: 'venue.created' }],
  })
  expect(typeof row?.seq).toBe('number')
  expect(await database.sql`select kind, payload from outbox`).toEqual([{ kind: 'job', payload: { id } }])
  const [kept] = await database.sql`select status, body, body_hash from idempotency where key = 'k1'`
  expect(kept).toMatchObject({ status: 200, body_hash: Buffer.alloc(32, 7) })
  expect(database.db.secrets.open('idempotency', `${organizationId}/k1`, kept?.body)).toEqual({
    body: JSON.stringify({ id, name: 'Arena' }),
  })
})

test('a listener that throws leaves a write its result and the others their news, and is told of', async () => {
  const told: unknown[] = []
  const log = { error: (fields: object, text: string) => void told.push([String(Reflect.get(fields, 'err')), text]) }
  const { db, url } = database
  const listened = connectDatabase(url, { connections: 1, log, secrets: db.secrets })
  const heard: unknown[] = []
  const broken = () => {
    throw new Error('broken')
  }
  listened.onWritten(broken)
  listened.onWritten((...of) => heard.push(of))
  listened.onOutbox(broken)
  listened.onOutbox((rows) => heard.push(rows))
  const context = contextOf(claim('listened'))
  const { id } = await createVenue(context, 'Heard', listened)
  await listened.close(1)
  expect(await db.sql`select name from venue where id = ${id}`).toEqual([{ name: 'Heard' }])
  expect(context.idempotency?.stored).toBe(true)
  expect(heard).toEqual([[organizationId, `venue/${id}`], 1])
  expect(told).toEqual([1, 2].map(() => ['Error: broken', 'a listener failed']))
})

test('a write that throws leaves nothing', async () => {
  const context = contextOf(claim('k2'))
  const write = database.db.write(context, { ref: 'venue/0', type: 'create' }, async (tx) => {
    await tx`insert into venue (organization_id, name) values (${organizationId}, 'never')`
    throw new Error('refused')
  })
  await expect(write).rejects.toThrow('refused')
  expect(context.idempotency?.stored).toBe(false)
  expect(await database.sql`select from venue where name = 'never'`).toHaveLength(0)
  expect(await database.sql`select from idempotency where key = 'k2'`).toHaveLength(0)
})

test('of two writes under one Idempotency-Key one commits and the other is told so', async () => {
  const outcomes = await Promise.allSettled(['Race', 'Race'].map((name) => createVenue(contextOf(claim('k3')), name)))
  const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(lost).toHaveLength(1)
  expect(isIdempotencyRace(lost[0]?.reason)).toBe(true)
  expect(await database.sql`select from venue where name = 'Race'`).toHaveLength(1)
})

test('a lost connection is told apart from a refusal, and the pool comes back by itself', async () => {
  const pool = connectDatabase(database.url, { connections: 1, applicationName: 'to be cut' })
  try {
    const running = pool.sql`select pg_sleep(10)`.catch((reason: unknown) => reason)
    const cut = async () => {
      const rows = await database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut' and query like '%pg_sleep%'`
      return rows.length
    }
    await expect.poll(cut).toBe(1)
    const error = await running
    expect(isConnectionError(error)).toBe(true)
    expect(isOutOfReach(error)).toBe(true)
    // the driver also refuses, unsent, the first query after it reconnected
    await expect.poll(() => pool.sql`select 1 as one`.catch(() => 'refused')).toEqual([{ one: 1 }])
    const refused: unknown = await pool.sql`select 1 / 0`.catch((reason: unknown) => reason)
    expect(isOutOfReach(refused)).toBe(false)
  } finally {
    await pool.close(0)
  }
})

test('after a loss, refresh takes the refusals of the driver upon itself', async () => {
  const pool = connectDatabase(database.url, { connections: 3, applicationName: 'to be cut' })
  try {
    const running = [1, 2, 3].map(() => pool.sql`select pg_sleep(10)`.catch((reason: unknown) => reason))
    const busy = () => database.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where application_name = 'to be cut' and query like '%pg_sleep%'`
    await expect.poll(() => busy().then((rows) => rows.length)).toBe(3)
    for (const { pid } of await busy()) await database.sql`select pg_terminate_backend(${pid})`
    await Promise.all(running)
    pool.refresh()
    const answers = await Promise.all([1, 2, 3].map((n) => pool.sql`select ${n}::int as n`))
    expect(answers.flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
  } finally {
    await pool.close(0)
  }
})

test('nobody listening on the port is out of reach, at once', async () => {
  const pool = connectDatabase('postgres://nobody@127.0.0.1:9/none')
  const before = performance.now()
  const error: unknown = await pool.sql`select 1`.catch((reason: unknown) => reason)
  expect(isOutOfReach(error)).toBe(true)
  expect(performance.now() - before).toBeLessThan(2_000)
  await pool.close(0)
})

test('a statement that takes too long is cancelled by the server', async () => {
  const pool = connectDatabase(database.url, { connections: 1, statementTimeoutMs: 50 })
  const error: unknown = await pool.sql`select pg_sleep(5)`.catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: '57014' })
  expect(isOutOfReach(error)).toBe(true)
  await pool.close(0)
})

test('arrays go to the database and come back as they were', async () => {
  const { sql } = database
  const text = ['', 'a "quoted" \\ one', '{b,c}', 'NULL', 'ø\n', null]
  const at = new Date('2026-11-20T10:11:12.345Z')
  const [row] = await sql`
    select ${text}::text[] as text, ${[1, -2]}::int[] as ints, ${[2 ** 40, 1]}::int8[] as longs,
      ${[0.5, 2]}::float8[] as floats, array[${at}::timestamptz] as times, array[true, false, null] as flags,
      ${[]}::text[] as none, ${['00000000-0000-4000-8000-000000000001']}::uuid[] as ids, ${[7]}::int[] @> array[7] as holds`
  expect(row).toEqual({
    text,
    ints: [1, -2],
    longs: [2 ** 40, 1],
    floats: [0.5, 2],
    times: [at],
    flags: [true, false, null],
    none: [],
    ids: ['00000000-0000-4000-8000-000000000001'],
    holds: true,
  })
})

test('a connection that is lost while it opens makes no unhandled rejection', async () => {
  const escaped: unknown[] = []
  const note = (error: unknown) => escaped.push(error)
  process.on('unhandledRejection', note)
  let opening = true
  // hits whatever a driver asks on its own before the first query
  const cutting = (async () => {
    while (opening)
      await database.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'opening' and query like '%pg_type%'`
  })()
  for (let round = 0; round < 12; round++) {
    const pool = connectDatabase(database.url, { connections: 8, applicationName: 'opening' })
    await Promise.all(Array.from({ length: 8 }, () => pool.sql`select 1`.catch(() => {})))
    await pool.close(0)
  }
  opening = false
  await cutting
  process.off('unhandledRejection', note)
  expect(escaped).toEqual([])
})

test('connections that nobody needs are closed, but the one that goes on being used', async () => {
  const application = `idle ${randomUUID()}`
  const { sql, close } = connectDatabase(database.url, {
    connections: 4,
    idleSeconds: 0.5,
    connectWithinSeconds: CONNECT_WITHIN_SECONDS,
    applicationName: application,
  })
  onTestFinished(() => close())
  const connected = async () => {
    const rows = await database.sql`select from pg_stat_activity where application_name = ${application}`
    return rows.length
  }
  const ask = async () => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    return row?.pid
  }
  await Promise.all(Array.from({ length: 4 }, () => sql`select pg_sleep(0.1)`))
  expect(await connected()).toBe(4)
  const first = await ask()
  const asked = new Set<number | undefined>()
  await expect
    .poll(async () => {
      asked.add(await ask())
      return connected()
    })
    .toBe(1)
  expect([...asked]).toEqual([first])
  await expect.poll(connected, { interval: 600 }).toBe(0)
  expect(await ask()).not.toBe(first)
})
