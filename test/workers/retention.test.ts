import { randomUUID } from 'node:crypto'
import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { describe, expect, it } from 'vitest'
import { decide, type OverlayCommand } from '../../machines/overlay/decide.ts'
import { fold } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import { repairActors } from '../../src/actors/repair.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { measureRetention } from '../../src/metrics/retention.ts'
import { BACKUP_LOCK } from '../../src/store/backup/locks.ts'
import { createFolderBlobs } from '../../src/store/blobs-folder.ts'
import { createHistory } from '../../src/store/history.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { DEFAULT_RETENTION, prune } from '../../workers/prune.ts'
import { sweepFiles } from '../../workers/retention/files.ts'
import { type JournalRow, keepers } from '../../workers/retention/keepers.ts'
import { apart } from '../support/apart.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { seeded } from '../support/random.ts'
import { shown } from '../support/studio.ts'

const DAY = 86_400
const empty: Overlay = { graphics: {}, revisions: {} }

/** Rounds until nothing more goes. */
async function pruneAll(sql: Sql) {
  for (;;) {
    await sql.begin(async (tx) => {
      await tx`delete from outbox where payload ->> 'name' = 'prune'`
      await prune(tx)
    })
    const [next] = await sql<{ delay: number }[]>`
      select (payload ->> 'delayMs')::int as delay from outbox where payload ->> 'name' = 'prune'`
    if (next?.delay === 600_000) return
  }
}

const seqsOf = async (sql: Sql, ref: string) =>
  (await sql<{ seq: number }[]>`select seq from journal where ref = ${ref} order by seq`).map(({ seq }) => seq)

const record = (sql: Sql, ref: string, days: number, seq = 1) => sql`
  insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
  values (${ref}, ${seq}, clock_timestamp() - make_interval(days => ${days}), 1, ${randomUUID()}, 'r', '{}', '{}', '[]')`

const BESIDE = ['cue', 'cue', 'uncue', 'take', 'schedule', 'unschedule', 'unschedule']

describe('[live-path 27] the journal of an overlay', () => {
  it('can be cut anywhere, again and again: the fold of what is kept is the fold of all', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seeded(seed)
      const rows: JournalRow[] = []
      let all = empty
      for (let seq = 1; seq <= 60; seq++) {
        const facts = decide(all, { seq, ...command(random) } as OverlayCommand)
        all = facts.reduce(fold, all)
        if (facts.length > 0) rows.push({ seq, ...apart(facts) })
      }
      let kept: JournalRow[] = []
      for (const batch of [rows.slice(0, 20), rows.slice(20, 45), rows.slice(45)]) {
        const given = [...kept, ...batch]
        const keep = keepers(given)
        kept = given.filter(({ seq }) => keep.has(seq))
      }
      const facts = kept.flatMap(({ events, asides }) => [...events, ...(asides ?? [])])
      expect(facts.reduce(fold, empty), `seed ${seed}`).toEqual(all)
      // a row of a take or a batch keeps those that end what else it did
      expect(kept.length).toBeLessThanOrEqual(11 + 8 + Object.keys(all.schedule ?? {}).length)
    }
  })

  const command = (random: ReturnType<typeof seeded>) => {
    const id = random.pick(['a', 'b', 'c', 'd'])
    const type = random.pick(['show', 'show', 'update', 'update', 'hide', 'hideAll', 'refresh', ...BESIDE])
    if (type === 'cue') return { type, graphic: shown(id, { n: random.below(9) }) }
    if (type === 'uncue' || type === 'take') return { type }
    if (type === 'schedule')
      return {
        type,
        scheduled: {
          at: '2027-03-01T18:00:00.000Z',
          action: 'take',
          presetId: null,
          values: {},
          by: { type: 'system' },
        },
        inMs: 1,
      }
    if (type === 'unschedule') return { type, id: 1 + random.below(60) }
    if (type === 'show') return { type, graphic: shown(id, { n: random.below(9) }) }
    if (type === 'update') return { type, graphicId: id, presetId: 1, sectionId: 's', values: { n: random.below(9) } }
    if (type === 'hide') return { type, graphicId: id }
    if (type === 'hideAll') return { type }
    return { type, revisions: { [random.pick(['match', 'theme'])]: random.below(99) } }
  }

  it('is cut by age, but for what is on air: repair and delayed views find all that they need', async () => {
    const { db, sql, url } = await testDatabaseOfOneTest()
    const overlay = await insertOverlay(sql, { delaySeconds: 60 })
    const journal = new OverlayJournal(sql, overlay)
    const old = { ageSeconds: 401 * DAY }
    await journal.commit({ type: 'show', graphic: shown('stays', { name: 'first' }) }, old)
    await journal.commit({ type: 'show', graphic: shown('gone') }, old)
    await journal.commit({ type: 'hide', graphicId: 'gone' }, old)
    await journal.commit({ type: 'show', graphic: shown('leaves', { name: 'old' }) }, old)
    await journal.commit({ type: 'refresh', revisions: { match: 1 } }, old)
    await journal.commit({ type: 'refresh', revisions: { match: 2 } }, old)
    const update = { type: 'update', graphicId: 'stays', presetId: 2, sectionId: 's' } as const
    await journal.commit({ ...update, values: { name: 'second' } }, old)
    await journal.commit({ ...update, values: { name: 'third' } }, { ageSeconds: 399 * DAY })
    await journal.commit({ type: 'hide', graphicId: 'leaves' }, { ageSeconds: 5 })
    const history = createHistory(sql)
    const before = await history.past(overlay.id, 60_000)
    const ref = `overlay/${overlay.id}` as const
    await pruneAll(sql)
    // 1 showed what 7 changed, 4 is on air in the delayed view, 6 is the last refresh
    expect(await seqsOf(sql, ref)).toEqual([1, 4, 6, 7, 8, 9])
    const after = await history.past(overlay.id, 60_000)
    expect(after.view).toEqual(before.view)
    expect(after.committed).toEqual(before.committed)
    const connect = () => connectDatabase(url, { connections: 1 }).sql
    const journalOfActors = createPostgresJournal({ connect, sql, secrets: db.secrets })
    expect(await repairActors(journalOfActors, ref)).toMatchObject({ repaired: [ref], failed: [] })
    await journalOfActors.close()
    const [actor] = await sql<
      { context: Overlay }[]
    >`select snapshot -> 'context' as context from actor where ref = ${ref}`
    expect(actor?.context).toEqual(journal.context)
  })

  it('goes as a whole with the overlay, as do records, but never that of another actor that lives', async () => {
    const { sql } = await testDatabaseOfOneTest()
    await sql`insert into actor (ref, organization_id, machine_version, snapshot) values ('match/1', 1, 1, '{}')`
    for (const ref of ['match/1', 'match/2', 'overlay/7', 'team/5', 'overlay-settings/7'])
      for (const [seq, days] of [
        [1, 401],
        [2, 399],
      ] as const)
        await record(sql, ref, days, seq)
    await pruneAll(sql)
    expect(await seqsOf(sql, 'match/1')).toEqual([1, 2])
    for (const ref of ['match/2', 'overlay/7', 'team/5', 'overlay-settings/7'])
      expect(await seqsOf(sql, ref)).toEqual([2])
  })

  it('goes in batches: one round is short, and the next one comes soon', async () => {
    const { sql } = await testDatabaseOfOneTest()
    await sql`
      insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
      select 'team/1', n, clock_timestamp() - interval '500 days', 1, gen_random_uuid(), 'r', '{}', '{}', '[]'
      from generate_series(1, 12000) n`
    await sql.begin((tx) => prune(tx))
    expect(await sql`select from journal`).toHaveLength(7_000)
    expect(await sql`select (payload ->> 'delayMs')::int as delay from outbox`).toEqual([{ delay: 1_000 }])
    await pruneAll(sql)
    expect(await sql`select from journal`).toHaveLength(0)
    const metrics = createMetrics()
    measureRetention(metrics, sql)
    const { body } = await metrics.render()
    expect(body).toContain('tally_retention_deleted_total{what="journal"} 12000')
    expect(body).toMatch(/tally_retention_age_seconds\{what="paints"\} 0\.\d+/)
  })
})

it('[contract] a scrape tells what it can while the database does not answer', async () => {
  const metrics = createMetrics()
  const hangs = () => new Promise<never>(() => {})
  metrics.table({ name: 'tally_hanging_total', help: 'x', type: 'total', labels: [], read: hangs })
  metrics.sample('tally_actors_awake', hangs)
  metrics.request('GET', '/rest/v1/teams', 503, 1_900)
  const { body } = await metrics.render()
  expect(body).toContain('route="/rest/v1/teams"')
  expect(body).toContain('tally_hanging_total')
})

it('[live-path 27] reports of renderers go after 90 days, sign-ins and replay addresses when they end', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const { id, organizationId } = await insertOverlay(sql)
  const [match] = await sql<{ id: number }[]>`select match_id as id from overlay`
  const [person] = await sql<{ id: number }[]>`
    insert into person (organization_id, email, role, password_hash) values (${organizationId}, 'a@b.c', 'owner', 'x')
    returning id`
  for (const [name, days, left] of [
    ['old', 91, '-1 minute'],
    ['young', 89, '1 minute'],
  ] as const) {
    const at = sql`clock_timestamp() - make_interval(days => ${days})`
    const run = randomUUID()
    await sql`insert into paint values (${id}, 'g', 1, ${name}, ${at})`
    await sql`insert into server_run (id, started_at, alive_at) values (${run}, ${at}, ${at})`
    await sql`
      insert into renderer_session (id, overlay_id, run_id, renderer, opened_at, closed_at)
      values (${randomUUID()}, ${id}, ${run}, ${name}, ${at}, ${at})`
    // of a server that was killed; it never closed this one
    await sql`
      insert into renderer_session (id, overlay_id, run_id, renderer, opened_at)
      values (${randomUUID()}, ${id}, ${run}, ${`${name}, killed`}, ${at})`
    await sql`
      insert into person_session (person_id, token_hash, expires_at)
      values (${person?.id ?? 0}, ${name}, clock_timestamp() + ${left}::interval)`
    await sql`
      insert into replay (token_hash, overlay_id, match_id, settings, expires_at)
      values (${Buffer.from(name)}, ${id}, ${match?.id ?? 0}, '{}', clock_timestamp() + ${left}::interval)`
  }
  await pruneAll(sql)
  expect(await sql`select renderer from paint`).toEqual([{ renderer: 'young' }])
  const renderers = await sql<{ renderer: string }[]>`select renderer from renderer_session`
  expect(renderers.map(({ renderer }) => renderer).sort()).toEqual(['young', 'young, killed'])
  expect(await sql`select from server_run`).toHaveLength(1)
  expect(await sql`select token_hash as token from person_session`).toEqual([{ token: 'young' }])
  expect(await sql`select token_hash as token from replay`).toEqual([{ token: Buffer.from('young') }])
})

it('[live-path 27] a connection that is open for longer than reports are kept stays', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const { id } = await insertOverlay(sql)
  const run = randomUUID()
  const at = sql`clock_timestamp() - interval '100 days'`
  await sql`insert into server_run (id, started_at) values (${run}, ${at})`
  await sql`
    insert into renderer_session (id, overlay_id, run_id, renderer, opened_at)
    values (${randomUUID()}, ${id}, ${run}, 'always on', ${at})`
  await pruneAll(sql)
  expect(await sql`select renderer from renderer_session`).toEqual([{ renderer: 'always on' }])
})

it('[live-path 27] deleted graphics and file sets go when nothing names them any more, and only then', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const { organizationId } = await insertOverlay(sql)
  const [theme] = await sql<{ id: number }[]>`
    insert into theme (organization_id, name, sports) values (${organizationId}, 'Theme', '{}') returning id`
  const themeId = theme?.id ?? 0
  const [room] = await sql<{ id: number }[]>`
    insert into control_room (organization_id, theme_id, name) values (${organizationId}, ${themeId}, 'Room') returning id`
  await sql`insert into section (id, control_room_id, name, order_index) values ('s', ${room?.id ?? 0}, 'S', 0)`
  const source = 'e'.repeat(64)
  const bundle = (hash: string, days: number, entry = 'index.html', blob = hash) => sql`
    insert into bundle (hash, entry, files, stored_at)
    values (${hash}, ${entry}, ${sql.json([{ name: entry, blob }])}, clock_timestamp() - make_interval(days => ${days}))`
  const graphic = async (id: string, days: number | null) => {
    await bundle(`bundle of ${id}`, 100)
    await sql`
      insert into graphic (id, theme_id, kind, name, deleted_at)
      values (${id}, ${themeId}, 'code', ${id}, clock_timestamp() - make_interval(days => ${days}))`
    await sql`
      insert into graphic_version (graphic_id, version, sports, state_machine, bundle_hash, motion)
      values (${id}, 1, '{}', '{}', ${`bundle of ${id}`}, ${sql.json({ sources: { x: { original: { hash: source } } } })})`
  }
  await graphic('lives', null)
  await graphic('deleted yesterday', 1)
  for (const id of ['pinned', 'named', 'on air', 'forgotten']) await graphic(id, 31)
  await sql`insert into theme_version (theme_id, version) values (${themeId}, 1)`
  await sql`insert into theme_version_graphic values (${themeId}, 1, 'pinned', 1)`
  await sql`
    insert into preset (control_room_id, section_id, graphic_id, name, order_index)
    values (${room?.id ?? 0}, 's', 'named', 'Preset', 0)`
  const context = JSON.stringify({ context: { graphics: { 'on air': shown('on air') }, revisions: {} } })
  await sql`
    insert into actor (ref, organization_id, machine_version, snapshot)
    values ('overlay/99', 1, 1, ${context}::text::json), ('graphic-lock/forgotten', 1, 1, '{}')`
  await bundle('of nobody', 8)
  await bundle('of nobody yet', 6)
  await bundle('an original', 8, 'original.riv', source)
  await bundle('an original of nobody', 8, 'original.riv', 'f'.repeat(64))
  await sql`insert into generated_file (hash, text, stored_at) values ('a text of nobody', '{}', now() - interval '8 days')`
  await sql`insert into generated_file (hash, text, stored_at) values ('bundle of lives', '{}', now() - interval '8 days')`
  await pruneAll(sql)
  const ids = async (column: 'id' | 'hash', table: string) =>
    (await sql<{ id: string }[]>`select ${sql(column)} as id from ${sql(table)} order by 1`).map(({ id }) => id)
  const kept = ['deleted yesterday', 'lives', 'named', 'on air', 'pinned']
  expect(await ids('id', 'graphic')).toEqual(kept)
  expect(await ids('hash', 'bundle')).toEqual(
    ['an original', ...kept.map((id) => `bundle of ${id}`), 'of nobody yet'].sort(),
  )
  expect(await ids('hash', 'generated_file')).toEqual(['bundle of lives'])
  expect(await sql`select ref from actor`).toEqual([{ ref: 'overlay/99' }])
})

it('[live-path 27] uploaded files go when no row has named them for a week, never while a backup is made', async () => {
  const { sql } = await testDatabaseOfOneTest()
  const folder = temporaryDirectory()
  const blobs = createFolderBlobs(folder)
  const put = async (text: string, days: number) => {
    const { hash } = await blobs.put(Buffer.from(text))
    const at = new Date(Date.now() - days * DAY * 1000)
    await utimes(join(folder, hash.slice(0, 2), hash), at, at)
    return hash
  }
  const named = await put('named', 100)
  const forgotten = await put('forgotten', 8)
  const young = await put('young', 6)
  const again = await put('put again', 8)
  await blobs.put(Buffer.from('put again'))
  await sql`insert into image (hash, content_type, width, height) values (${named}, 'image/png', 1, 1)`
  const files = { sweep: blobs.sweep, days: DEFAULT_RETENTION.fileDays }

  await sql.begin(async (backup) => {
    await backup`select pg_advisory_xact_lock_shared(${BACKUP_LOCK})`
    await sweepFiles(sql, files)
  })
  expect(await blobs.has(forgotten)).toBe(true)

  await sweepFiles(sql, files)
  expect(await blobs.has(forgotten)).toBe(false)
  for (const hash of [named, young, again]) expect(await blobs.has(hash)).toBe(true)
  expect(await sql`select deleted::int from retention where what = 'files'`).toEqual([{ deleted: 1 }])
})
