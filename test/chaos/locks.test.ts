import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newMatch, UNSAID } from '../../machines/match.ts'
import type { MatchCommand } from '../../machines/match-model.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import { type Change, type Ref, RowsLocked } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import type { Context } from '../../src/context.ts'
import { notOnAir } from '../../src/errors.ts'
import type { IdempotencyClaim } from '../../src/principal.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { ask, show } from '../support/host-world.ts'

const AT = '2027-03-01T18:00:00.000Z'
const OTHERS = 20
/** What a commit that waited for the lock of somebody else would take at least: it counted as unknown after 1.5 s. */
const HELD_UP_MS = 1_000

const hideAll = ask({ type: 'hideAll' })

describe('[live-path 4] rows that somebody else has locked', () => {
  let database: TestDatabase
  let organizationId = 0
  let journal: ReturnType<typeof createPostgresJournal>
  let host: ActorHost
  let alone: Change[] = []
  let nextId = 0

  const context = (more: Partial<Context> = {}) => testContext(organizationId, more)
  const send = (id: number, one = show(1), more: Partial<Context> = {}) => host.send(context(more), 'overlay', id, one)
  const statusOf = (sent: Promise<unknown>) => sent.then(() => 200).catch((error) => error.status)
  const newOverlays = async (count: number) => {
    const ids = Array.from({ length: count }, () => ++nextId)
    const { machineVersion, snapshot } = newActor('overlay')
    await Promise.all(ids.map((id) => journal.create(`overlay/${id}`, organizationId, machineVersion, snapshot)))
    return ids
  }
  /** Awake, each with one graphic on air. */
  const onAir = async (count: number) => {
    const ids = await newOverlays(count)
    await Promise.all(ids.map((id) => send(id)))
    return ids as [number, ...number[]]
  }
  const rowsOf = (ref: Ref) =>
    database.sql<{ seq: number; type: string; request: string }[]>`
      select seq, command->>'type' as type, request_id as request from journal where ref = ${ref} order by seq`
  const typesOf = async (id: number) => (await rowsOf(`overlay/${id}`)).map(({ type }) => type)
  const epochs = async () => {
    const rows = await database.sql<{ ref: string; epoch: number }[]>`select ref, epoch from actor`
    return new Map(rows.map(({ ref, epoch }) => [ref, epoch]))
  }
  /** Holds what the statement locks until it is told to let go. */
  const holding = async (lock: string, ...parameters: (string | number)[]) => {
    const blocker = connectDatabase(database.url, { connections: 1 })
    let letGo = () => {}
    const release = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let over: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve, reject) => {
      over = blocker.sql.begin(async (tx) => {
        await tx.unsafe(lock, parameters)
        resolve()
        await release
      })
      over.catch(reject)
    })
    const end = async () => {
      letGo()
      await over
      await blocker.close(1)
    }
    onTestFinished(end)
    return end
  }
  const lockActor = (ref: Ref) => holding('select from actor where ref = $1 for update', ref)
  /** Fires at all of them at once, five times; how long each command took, in ms. */
  const rounds = async (ids: readonly number[]) => {
    const took: number[] = []
    for (let round = 2; round < 7; round++)
      await Promise.all(
        ids.map(async (id) => {
          const since = performance.now()
          expect(await send(id, show(round))).toContain(`g${round}`)
          took.push(performance.now() - since)
        }),
      )
    return took.sort((a, b) => a - b)
  }
  const median = (took: readonly number[]) => took[took.length >> 1] ?? 0
  const undisturbed = (took: readonly number[], before: readonly number[]) => {
    // on a busy machine not much slower than without the lock
    expect(median(took), 'ms of the median').toBeLessThan(100 + 2 * median(before))
    expect(took.at(-1), 'ms of the slowest').toBeLessThan(HELD_UP_MS)
  }

  beforeAll(async () => {
    database = await testDatabase()
    const [row] = await database.sql<{ id: number }[]>`insert into organization (name) values ('League') returning id`
    organizationId = row?.id ?? 0
    journal = createPostgresJournal({
      connect: (pool) => connectDatabase(database.url, { ...pool, applicationName: 'locks' }).sql,
      sql: database.sql,
      projections: [matchProjection],
      secrets: database.db.secrets,
    })
    const watched = {
      ...journal,
      commitAlone: (change: Change) => {
        alone.push(change)
        return journal.commitAlone(change)
      },
    }
    const log = { warn: () => {}, error: () => {} }
    host = new ActorHost({ journal: watched, publish: () => {}, log, idleMs: 60_000 })
  })
  afterAll(async () => {
    await host.close()
    await journal.close()
    await database.drop()
  })

  it('an actor whose row is locked stops no other; its own command goes through once the row is free', async () => {
    const [locked, ...others] = await onAir(1 + OTHERS)
    const alike = await rounds(others)
    const before = await epochs()
    const unlock = await lockActor(`overlay/${locked}`)
    const held = send(locked, show(2), { requestId: 'held' })
    undisturbed(await rounds(others), alike)
    // neither is frozen: they are read from memory, the locked one as it was
    expect(await host.read('overlay', locked)).toMatchObject({ seq: 1 })
    expect(await host.read('overlay', others[0] ?? 0)).toMatchObject({ seq: 11 })
    await unlock()
    expect(await held).toEqual(['g1', 'g2'])
    expect(
      (await rowsOf(`overlay/${locked}`)).map(({ request }) => request).filter((id) => id === 'held'),
    ).toHaveLength(1)
    expect(await send(locked, show(3))).toEqual(['g1', 'g2', 'g3'])
    // nobody was claimed again
    expect(await epochs()).toEqual(before)
  })

  it('what an operator does meanwhile keeps its order', async () => {
    const [locked] = await onAir(1)
    const unlock = await lockActor(`overlay/${locked}`)
    const answers = Promise.all([send(locked, show(2)), send(locked, hideAll), send(locked, show(3))])
    await expect.poll(() => alone.some(({ ref }) => ref === `overlay/${locked}`)).toBe(true)
    const late = send(locked, show(4))
    await unlock()
    expect(await answers).toEqual([['g1', 'g2'], [], ['g3']])
    expect(await late).toEqual(['g3', 'g4'])
    expect(await typesOf(locked)).toEqual(['show', 'show', 'hideAll', 'show', 'show'])
  })

  it('callers of a locked actor hear 503 within 2 s; what they asked never happens, what is asked later does', async () => {
    const [locked] = await onAir(1)
    const unlock = await lockActor(`overlay/${locked}`)
    alone = []
    const since = performance.now()
    expect(await statusOf(send(locked, show(2)))).toBe(503)
    expect(performance.now() - since).toBeLessThan(2_300)
    expect(alone.length, 'attempts').toBeLessThan(20)
    const hidden = send(locked, hideAll)
    await unlock()
    expect(await hidden).toEqual([])
    expect(await typesOf(locked)).toEqual(['show', 'hideAll'])
  })

  it('an actor that is gone is not taken for a locked one', async () => {
    const [gone] = await onAir(1)
    await database.sql`delete from actor where ref = ${`overlay/${gone}`}`
    expect(await statusOf(send(gone, show(2)))).toBe(404)
  })

  it('actors that sleep behind locked rows keep no other from waking', async () => {
    const sleeping = await newOverlays(12)
    const [free = 0] = await newOverlays(1)
    const unlock = await holding(
      "select from actor where ref = any(string_to_array($1, ',')) for update",
      sleeping.map((id) => `overlay/${id}`).join(),
    )
    const woken = Promise.all(sleeping.map((id) => statusOf(send(id))))
    const since = performance.now()
    expect(await send(free)).toEqual(['g1'])
    expect(performance.now() - since).toBeLessThan(1_500)
    // reads do not go where claims wait
    expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
    await unlock()
    expect(new Set(await woken)).toEqual(new Set([200]))
  })

  const claim = (key: string): IdempotencyClaim => ({
    key,
    method: 'POST',
    path: '/graphics',
    bodyHash: '00',
    stored: false,
    taken: false,
    plain: false,
    encode: () => ({ status: 200, body: '{}' }),
  })

  it('an Idempotency-Key that another transaction is just writing holds up its own command only', async () => {
    const [locked, ...others] = await onAir(1 + OTHERS)
    const alike = await rounds(others)
    const before = await epochs()
    const key = randomUUID()
    const unlock = await holding(
      `insert into idempotency (organization_id, key, method, path, body_hash, status, body)
       values ($1, $2, 'POST', '/graphics', '', 200, '{}')`,
      organizationId,
      key,
    )
    const held = statusOf(send(locked, show(2), { idempotency: claim(key) }))
    undisturbed(await rounds(others), alike)
    await unlock()
    // the other one is committed: its answer is read
    expect(await held).toBe(503)
    expect(await typesOf(locked)).toEqual(['show'])
    expect(await send(locked, show(3), { idempotency: claim(randomUUID()) })).toEqual(['g1', 'g3'])
    expect(await epochs()).toEqual(before)
  })

  const newMatchId = async () => {
    const [match] = await database.sql<{ id: number }[]>`
      with c as (insert into competition (organization_id, name, sport) values (${organizationId}, 'Premier', 'football')
        returning id)
      insert into match (organization_id, competition_id, sport, starts_at)
      select ${organizationId}, id, 'football', ${AT} from c returning id`
    const id = match?.id ?? 0
    const settings = { ...UNSAID, date: AT }
    const made = newMatch({ sport: 'football', config: {}, settings, competitors: [], at: AT })
    const { machineVersion, snapshot } = newActor('match', made)
    await journal.create(`match/${id}`, organizationId, machineVersion, snapshot)
    return id
  }
  const record = (id: number, factId: number, type: string) => {
    const command: Unstamped<MatchCommand> = { type: 'record', id: factId, at: AT, fact: { type } }
    const asked: Ask<'match', number> = {
      asked: { type: 'record' },
      decide: () => command,
      reply: ({ facts }) => facts.length,
      refused: () => notOnAir(),
    }
    return host.send(context(), 'match', id, asked)
  }

  it('the row of a match that somebody else has locked holds up its own fact only', async () => {
    const others = await onAir(OTHERS)
    const alike = await rounds(others)
    const id = await newMatchId()
    await record(id, 1, 'periodStart')
    const before = await epochs()
    const unlock = await holding('select from match where id = $1 for update', id)
    const held = record(id, 2, 'clockStop')
    undisturbed(await rounds(others), alike)
    await unlock()
    expect(await held).toBe(2)
    expect(await rowsOf(`match/${id}`)).toHaveLength(2)
    expect(await epochs()).toEqual(before)
  })

  it('a table that somebody maintains holds up everybody, and nobody is frozen or loses a command', async () => {
    const ids = await onAir(OTHERS)
    const before = await epochs()
    const unlock = await holding('lock table journal in share row exclusive mode')
    alone = []
    const held = Promise.all(ids.map((id) => send(id, show(2))))
    await expect.poll(() => alone.length).toBeGreaterThan(0)
    await unlock()
    expect(new Set((await held).map((graphics) => graphics.join()))).toEqual(new Set(['g1,g2']))
    for (const id of ids) expect(await typesOf(id)).toEqual(['show', 'show'])
    expect(await epochs()).toEqual(before)
  })

  it('a deadlock wrote nothing and is no refusal', async () => {
    const url = new URL(database.url)
    // who looks last, but before the other one, is the victim
    url.searchParams.set('deadlock_timeout', '500ms')
    const patient = createPostgresJournal({
      connect: () => connectDatabase(url.href, { connections: 1, lockTimeoutMs: 5_000 }).sql,
      sql: database.sql,
      secrets: database.db.secrets,
      projections: [matchProjection],
    })
    onTestFinished(() => patient.close())
    const id = await newMatchId()
    const actor = await patient.peek(`match/${id}`)
    const change: Change = {
      ref: `match/${id}`,
      organizationId,
      baseSeq: 0,
      epoch: 0,
      seq: 1,
      machineVersion: actor?.machineVersion ?? 1,
      snapshot: JSON.stringify(actor?.snapshot),
      projection: JSON.stringify({
        name: 'Derby',
        competitorsType: 'teams',
        date: AT,
        timezone: 'UTC',
        officials: [],
        config: {},
        state: 'live',
        play: {},
        competitors: [],
      }),
      entries: [],
      timers: [],
      outbox: [],
      idempotency: [],
    }
    const blocking = new URL(database.url)
    blocking.searchParams.set('deadlock_timeout', '1min')
    const blocker = connectDatabase(blocking.href, { connections: 1, lockTimeoutMs: 5_000 })
    onTestFinished(() => blocker.close(1))
    let committed: Promise<unknown> = Promise.resolve()
    await blocker.sql.begin(async (tx) => {
      await tx`select from match where id = ${id} for update`
      committed = patient.commit([change]).catch((error) => error)
      // it has its actor by the time it waits for the match
      await expect
        .poll(
          () => database.sql`select from pg_locks join pg_stat_activity using (pid)
          where datname = current_database() and not granted and locktype in ('tuple', 'transactionid')`,
        )
        .toHaveLength(1)
      await tx`select from actor where ref = ${change.ref} for update`
    })
    expect(await committed).toBeInstanceOf(RowsLocked)
    expect(await patient.peek(change.ref)).toMatchObject({ seq: 0, epoch: 0 })
    expect((await patient.commitAlone(change)).moved).toEqual(new Set([change.ref]))
  })

  it('[live-path 5] a connection that is killed while its commit waits: the outcome is found out, and it happens once', async () => {
    const [locked, ...others] = await onAir(1 + OTHERS)
    const key = randomUUID()
    const unlock = await holding(
      `with gone as (insert into idempotency (organization_id, key, method, path, body_hash, status, body)
         values ($1, $2, 'POST', '/graphics', '', 200, '{}') returning 1)
       select pg_advisory_xact_lock(1)`,
      organizationId,
      key,
    )
    alone = []
    const held = statusOf(send(locked, show(2), { idempotency: claim(key) }))
    await expect.poll(() => alone.length).toBeGreaterThan(0)
    const [killed] = await Promise.all([
      database.sql`
        select count(pg_terminate_backend(pid))::int as backends from pg_stat_activity
        where application_name = 'locks' and datname = current_database()`,
      rounds(others).then((took) => expect(took.at(-1), 'ms of the slowest').toBeLessThan(2_000)),
    ])
    expect(killed[0]?.backends).toBeGreaterThan(0)
    await unlock()
    expect(await held).toBe(503)
    expect(await typesOf(locked)).toEqual(['show'])
    for (const id of others) expect(await typesOf(id)).toEqual(Array.from({ length: 6 }, () => 'show'))
  })
})
