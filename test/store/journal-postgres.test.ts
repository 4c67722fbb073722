import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Change, ChangeRefused, CommitUnknown, type Entry, type Ref } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

describe('the journal on PostgreSQL', () => {
  let database: TestDatabase
  let journal: ReturnType<typeof createPostgresJournal>
  let next = 0

  const newRef = async (): Promise<Ref> => {
    const ref: Ref = `overlay/${++next}`
    await journal.create(ref, 1, 1, newActor('overlay').snapshot)
    return ref
  }
  const entry = (seq: number, more: Partial<Entry> = {}): Entry => ({
    seq,
    commandId: randomUUID(),
    requestId: 'request',
    principal: { type: 'key', id: 1, name: 'test' },
    command: '{"type":"show"}',
    events: '[{"type":"graphic.shown"}]',
    ...more,
  })
  const change = (ref: Ref, more: Partial<Change> = {}): Change => ({
    ref,
    organizationId: 1,
    baseSeq: 0,
    epoch: 0,
    seq: 1,
    machineVersion: 1,
    snapshot: '{"value":"onAir","context":{}}',
    entries: [entry(1)],
    timers: [],
    outbox: [],
    idempotency: [],
    ...more,
  })
  const count = async (ref: Ref) => (await database.sql`select 1 from journal where ref = ${ref}`).length

  beforeAll(async () => {
    database = await testDatabase()
    journal = opened(30_000)
  })
  const opened = (commitWithinMs: number) =>
    createPostgresJournal({
      connect: () => connectDatabase(database.url, { connections: 1 }).sql,
      sql: database.sql,
      commitWithinMs,
      projections: [matchProjection],
      secrets: database.db.secrets,
    })
  afterAll(async () => {
    await journal.close()
    await database.drop()
  })

  it('[cluster An added node] what is made ready before the first command opens every connection, and writes nothing', async () => {
    const applicationName = `tally:warm-${randomUUID().slice(0, 8)}`
    const cold = createPostgresJournal({
      connect: (pool) => connectDatabase(database.url, { ...pool, applicationName }).sql,
      sql: database.sql,
      projections: [matchProjection],
      secrets: database.db.secrets,
    })
    onTestFinished(() => cold.close())
    const open = async () =>
      (await database.sql`select from pg_stat_activity where application_name = ${applicationName}`).length
    const rows = () => database.sql`
      select (select count(*)::int from actor) as actors, (select count(*)::int from journal) as entries,
        (select count(*)::int from timer) as timers, (select count(*)::int from idempotency) as keys,
        (select count(*)::int from outbox) as outbox`
    const before = await rows()
    expect(await open()).toBe(0)
    await cold.warm()
    // four for claims and one for commits
    expect(await open()).toBe(5)
    expect(await rows()).toEqual(before)
  })

  it('a database that only reads gives no verdict on a commit: it is tried again, and nobody is told 500', async () => {
    const url = new URL(database.url)
    url.searchParams.set('default_transaction_read_only', 'on')
    const reading = createPostgresJournal({
      connect: () => connectDatabase(url.href, { connections: 1 }).sql,
      sql: database.sql,
      secrets: database.db.secrets,
    })
    const ref = await newRef()
    await expect(reading.commit([change(ref)])).rejects.toThrow(CommitUnknown)
    await reading.close()
    expect(await count(ref)).toBe(0)
  })

  it('[live-path 1] a change from another seq or epoch writes nothing, the others of the commit do', async () => {
    const [good, late, claimed] = [await newRef(), await newRef(), await newRef()]
    await journal.claim(claimed)
    const { moved } = await journal.commit([
      change(good),
      change(late, { baseSeq: 5, seq: 6, entries: [entry(6)] }),
      change(claimed),
    ])
    expect([...moved]).toEqual([good])
    expect(await Promise.all([good, late, claimed].map(count))).toEqual([1, 0, 0])
    expect(await journal.peek(good)).toMatchObject({ seq: 1, epoch: 0 })
    expect(await journal.peek(claimed)).toMatchObject({ seq: 0, epoch: 1 })
  })

  it('[live-path 1] a change that comes alone writes nothing from another seq or epoch', async () => {
    const ref = await newRef()
    const fenced = [change(ref, { baseSeq: 5, seq: 6, entries: [entry(6)] }), change(ref, { epoch: 1 })]
    for (const one of fenced) {
      const { moved, locked } = await journal.commit([one])
      expect([moved.size, locked.size]).toEqual([0, 0])
    }
    expect([await count(ref), await journal.peek(ref)]).toMatchObject([0, { seq: 0, snapshot: { value: 'offAir' } }])
    const sent = change(ref)
    const { moved, at } = await journal.commit([sent])
    expect([...moved]).toEqual([ref])
    expect(await journal.peek(ref)).toMatchObject({ seq: 1, machineVersion: 1, snapshot: JSON.parse(sent.snapshot) })
    const [row] = await database.sql`select * from journal where ref = ${ref}`
    const [{ commandId, requestId, principal } = entry(0)] = sent.entries
    expect(row).toMatchObject({
      seq: 1,
      at: new Date(Math.floor(at)),
      organization_id: 1,
      command_id: commandId,
      request_id: requestId,
      principal,
      command: { type: 'show' },
      events: [{ type: 'graphic.shown' }],
      asides: null,
    })
  })

  it('[live-path 4] a change that comes alone is left out while its row is locked, instead of waiting', async () => {
    const ref = await newRef()
    await database.sql.begin(async (tx) => {
      await tx`select from actor where ref = ${ref} for update`
      const { moved, locked } = await journal.commit([change(ref)])
      expect([moved.size, [...locked]]).toEqual([0, [ref]])
    })
    expect((await journal.commit([change(ref)])).moved.size).toBe(1)
    expect(await count(ref)).toBe(1)
  })

  it('[live-path 2] timers, outbox and idempotency rows appear only with what moved', async () => {
    const [good, fenced] = [await newRef(), await newRef()]
    const extras = (key: string): Partial<Change> => ({
      timers: [{ name: 'expiry', dueInMs: 60_000, event: { type: 'expired' } }],
      outbox: [{ kind: 'job', payload: { key } }],
      idempotency: [
        {
          organizationId: 1,
          key,
          method: 'POST',
          path: '/a?b=1',
          bodyHash: 'ff',
          status: 200,
          body: '{}',
          plain: false,
        },
      ],
    })
    const { outboxRows, at } = await journal.commit([
      change(good, extras('good')),
      change(fenced, { ...extras('fenced'), epoch: 9 }),
    ])
    expect(outboxRows).toBeGreaterThan(0)
    const timers = await database.sql<
      { ref: string; due_at: Date }[]
    >`select ref, due_at from timer where ref in ${database.sql([good, fenced])}`
    expect(timers).toHaveLength(1)
    expect(Math.abs((timers[0]?.due_at.getTime() ?? 0) - at - 60_000)).toBeLessThan(1)
    const outbox = await database.sql<
      { kind: string; payload: { ref?: string; key?: string } }[]
    >`select kind, payload from outbox order by id`
    expect(
      outbox
        .filter(({ payload }) => payload.ref === good || payload.key === 'good')
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['job', 'timer'])
    expect(outbox.some(({ payload }) => payload.ref === fenced || payload.key === 'fenced')).toBe(false)
    const kept = await database.sql<
      { key: string; path: string; organizationId: number; body: string }[]
    >`select key, path, organization_id as "organizationId", body from idempotency`
    expect(kept).toMatchObject([{ key: 'good', path: '/a?b=1' }])
    const [{ organizationId = 0, key = '', body = '' } = {}] = kept
    expect(database.db.secrets.open('idempotency', `${organizationId}/${key}`, body)).toEqual({ body: '{}' })
  })

  it('the last word on a timer counts when several steps share a commit', async () => {
    const ref = await newRef()
    await journal.commit([
      change(ref, {
        timers: [
          { name: 'expiry', dueInMs: 1, event: { n: 1 } },
          { name: 'other', dueInMs: 1, event: {} },
        ],
      }),
    ])
    await journal.commit([
      change(ref, {
        baseSeq: 1,
        seq: 2,
        entries: [entry(2)],
        timers: [
          { name: 'other', cancel: true },
          { name: 'expiry', cancel: true },
          { name: 'expiry', dueInMs: 60_000, event: { n: 2 } },
        ],
      }),
    ])
    expect(await database.sql`select name, event from timer where ref = ${ref}`).toEqual([
      { name: 'expiry', event: { n: 2 } },
    ])
    expect(await journal.dueTimer(ref, 'expiry')).toBeUndefined()
    await database.sql`update timer set due_at = clock_timestamp() - interval '5 s' where ref = ${ref}`
    const due = await journal.dueTimer(ref, 'expiry')
    expect(due?.event).toEqual({ n: 2 })
    expect(due?.lateMs).toBeGreaterThanOrEqual(5_000)
    expect(due?.lateMs).toBeLessThan(10_000)
    expect(Math.abs((due?.at ?? 0) - Date.now())).toBeLessThan(5_000)
    await database.sql`update timer set due_at = clock_timestamp() + interval '1 minute' where ref = ${ref}`
    await journal.dropTimer(ref, 'expiry', due?.at ?? 0)
    expect(await database.sql`select 1 from timer where ref = ${ref}`).toHaveLength(1)
    await journal.dropTimer(ref, 'expiry', (due?.at ?? 0) + 61_000)
    expect(await database.sql`select 1 from timer where ref = ${ref}`).toHaveLength(0)
  })

  it('[live-path 4] what the database refuses is refused, and nothing of the commit is there', async () => {
    const [good, bad] = [await newRef(), await newRef()]
    const commit = journal.commit([change(good), change(bad, { entries: [entry(1, { commandId: 'no uuid' })] })])
    await expect(commit).rejects.toBeInstanceOf(ChangeRefused)
    expect(await Promise.all([good, bad].map(count))).toEqual([0, 0])
  })

  it('[live-path 4] what cannot be put into words for the database is refused, not unknown: it was never sent', async () => {
    const [good, bad] = [await newRef(), await newRef()]
    const timers = [{ name: 'expiry', dueInMs: 1, event: { at: 1n } }]
    await expect(journal.commit([change(good), change(bad, { timers })])).rejects.toBeInstanceOf(ChangeRefused)
    expect((await journal.commit([change(good)])).moved.size).toBe(1)
  })

  it('[live-path 5] a commit that is held up counts as unknown; a claim waits for its end and then knows', async () => {
    const ref = await newRef()
    const hasty = opened(300)
    onTestFinished(() => hasty.close())
    const blocker = connectDatabase(database.url, { connections: 1 })
    const sent = change(ref)
    let unblock = () => {}
    let held: Promise<unknown> = Promise.resolve()
    await new Promise<void>((blocked) => {
      held = blocker.sql.begin(async (tx) => {
        // not the actor's row, which nobody waits for
        await tx`lock table journal in share row exclusive mode`
        blocked()
        await new Promise<void>((resolve) => {
          unblock = resolve
        })
      })
    })
    await expect(hasty.commit([sent])).rejects.toBeInstanceOf(CommitUnknown)
    const claim = hasty.claim(ref)
    unblock()
    await held
    const claimed = await claim
    const found = await hasty.find(ref, [1])
    // either the commit got in before the claim, and the journal says so, or it was fenced
    expect(found.get(1)?.commandId).toBe(claimed?.seq === 1 ? sent.entries[0]?.commandId : undefined)
    await blocker.close()
    await expect.poll(async () => (await hasty.commit([change(await newRef())])).moved.size).toBe(1)
  })

  describe('a kind that is also a record', () => {
    const newMatch = async (): Promise<{ ref: Ref; id: number; teamIds: number[] }> => {
      const { sql } = database
      const [row] = await sql<{ id: number }[]>`
        with o as (insert into organization (name) values ('A league') returning id),
          c as (insert into competition (organization_id, name, sport) select id, 'Premier', 'football' from o
            returning id, organization_id)
        insert into match (organization_id, competition_id, sport, starts_at)
        select organization_id, id, 'football', now() from c returning id`
      const id = row?.id ?? 0
      const teams = await sql<{ id: number }[]>`
        insert into team (organization_id, name, sport)
        select organization_id, 'Team ' || n, 'football' from match, generate_series(1, 3) n where match.id = ${id}
        returning id`
      await journal.create(`match/${id}`, 1, 1, '{}')
      return { ref: `match/${id}`, id, teamIds: teams.map((team) => team.id) }
    }
    const record = (teamIds: readonly number[], more: object = {}) =>
      JSON.stringify({
        name: 'Derby \u001f final',
        competitorsType: 'teams',
        date: '2027-03-01T12:00:00.000Z',
        timezone: 'UTC',
        venueId: null,
        round: '7',
        officials: [],
        config: { periodLength: 30 },
        pregameAutomationTime: 5,
        postgameAutomationTime: null,
        state: 'live',
        play: { score: { home: 1, away: 0 } },
        scoreOverride: null,
        updatedAt: '2027-03-01T12:30:00.123Z',
        competitors: teamIds.map((teamId, position) => ({
          position,
          entityType: 'team',
          teamId,
          playerId: null,
          isHome: position === 0,
        })),
        ...more,
      })
    const shown = (id: number) => database.sql`
      select name, state, play, round, config, updated_at, (
          select array_agg(team_id order by position) from match_competitor where match_id = match.id) as teams
      from match where id = ${id}`

    it('writes what it shows of its state into the row of the record, in the commit', async () => {
      const { ref, id, teamIds } = await newMatch()
      await journal.commit([change(ref, { projection: record(teamIds) }), change(await newRef())])
      expect(await shown(id)).toEqual([
        {
          name: 'Derby \u001f final',
          state: 'live',
          play: { score: { home: 1, away: 0 } },
          round: '7',
          config: { periodLength: 30 },
          updated_at: new Date('2027-03-01T12:30:00.123Z'),
          teams: teamIds,
        },
      ])
      const swapped = [teamIds[2] ?? 0, teamIds[0] ?? 0]
      await journal.commit([
        change(ref, { baseSeq: 1, seq: 2, entries: [entry(2)], projection: record(swapped, { state: 'finished' }) }),
      ])
      expect(await shown(id)).toMatchObject([{ state: 'finished', teams: swapped }])
    })

    it('[live-path 1] writes nothing when it was fenced, and nothing when the row refuses it', async () => {
      const { ref, id, teamIds } = await newMatch()
      const { moved } = await journal.commit([change(ref, { epoch: 7, projection: record(teamIds) })])
      expect(moved.size).toBe(0)
      const refused = journal.commit([change(ref, { projection: record([999_999]) })])
      await expect(refused).rejects.toBeInstanceOf(ChangeRefused)
      expect(await shown(id)).toMatchObject([{ state: 'scheduled', teams: null }])
      expect(await count(ref)).toBe(0)
    })

    const leftOf = (ref: Ref) => database.sql`select kind, payload from outbox where payload->>'ref' = ${ref}`

    it('[live-path 9] a repaired snapshot brings its record along, unless somebody claimed the actor since', async () => {
      const { ref, id, teamIds } = await newMatch()
      expect(await journal.replace(ref, 3, 1, '{"value":"x"}', record(teamIds))).toBe(false)
      expect(await shown(id)).toMatchObject([{ state: 'scheduled', teams: null }])
      expect(await leftOf(ref)).toEqual([])
      expect(await journal.replace(ref, 0, 1, '{"value":"x"}', record(teamIds))).toBe(true)
      expect(await shown(id)).toMatchObject([{ state: 'live', teams: teamIds }])
      expect(await journal.peek(ref)).toMatchObject({ snapshot: { value: 'x' } })
      expect(await leftOf(ref)).toEqual([{ kind: 'reaction', payload: { event: 'actor.repaired', ref } }])
    })
  })

  it('text survives as it was sent', async () => {
    const ref = await newRef()
    const odd = JSON.stringify([{ type: 'x', text: 'a,b\u001f"\\ {}\n\t é 🏉 \u2028' }])
    await journal.commit([change(ref, { entries: [entry(1, { events: odd })] })])
    expect(await journal.facts(ref)).toEqual(JSON.parse(odd))
  })

  it('many actors and entries commit in one statement', async () => {
    const refs = await Promise.all(Array.from({ length: 200 }, newRef))
    const { moved } = await journal.commit(
      refs.map((ref) => change(ref, { seq: 3, entries: [entry(1), entry(2), entry(3)] })),
    )
    expect(moved.size).toBe(200)
    expect(await count(refs[199] as Ref)).toBe(3)
  })

  it('an actor whose record is being deleted is not made', async () => {
    const { sql } = database
    const [row] = await sql<{ id: number }[]>`
      with o as (insert into organization (name) values ('A sender') returning id)
      insert into stream_input (organization_id, name, secrets)
      select id, 'Camera', ${database.db.secrets.seal('stream_input', 0, { streamKey: '', sourceUrl: '' })} from o returning id`
    const [id, ref] = [row?.id ?? 0, `input/${row?.id}` as const]
    const { machineVersion, snapshot } = newActor('input')
    const waits = async () => {
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into actor%'`
      return count
    }
    const creating = await sql.begin(async (tx) => {
      await tx`delete from stream_input where id = ${id}`
      const creating = journal.create(ref, 1, machineVersion, snapshot)
      await expect.poll(waits, { interval: 5 }).toBe(1)
      // not awaited: it waits for this transaction
      return { creating }
    })
    await creating.creating
    expect(await journal.peek(ref)).toBeUndefined()
  })
})
