import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Raw } from '../../src/http/route.ts'
import { asRunCsv } from '../../src/resources/overlays/as-run.csv.ts'
import { asRunRoutes } from '../../src/resources/overlays/as-run.routes.ts'
import { AsRunLog, AsRunQuery } from '../../src/resources/overlays/as-run.schema.ts'
import { removeOverlay } from '../../src/resources/overlays/removal.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { addOverlay } from '../support/secrets.ts'
import { shown } from '../support/studio.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

type Overlay = Awaited<ReturnType<typeof insertOverlay>>

/** Calls the route as the router does. */
async function answer(
  overlay: { id: number; organizationId: number },
  query: object = {},
  accept = '',
): Promise<unknown> {
  const ctx = testContext(overlay.organizationId, { db: database.db })
  const input = { params: { overlayId: overlay.id }, query: AsRunQuery.parse(query), body: undefined }
  // the router hands over what the schemas of the route made
  return asRunRoutes[0]?.handle(ctx, input as never, accept)
}
const read = async (overlay: Overlay, query: object = {}) => AsRunLog.parse(await answer(overlay, query))

/** show a, show b, update a (by a link), refresh, hideAll of both. */
async function production(): Promise<Overlay> {
  const overlay = await insertOverlay(database.sql)
  const journal = new OverlayJournal(database.sql, overlay)
  await journal.commit(
    { type: 'show', graphic: shown('a', { name: 'Ada' }) },
    { ageSeconds: 100, asked: { type: 'show', presetId: 1 } },
  )
  await journal.commit({ type: 'show', graphic: shown('b') }, { ageSeconds: 80 })
  await journal.commit(
    { type: 'update', graphicId: 'a', presetId: 2, sectionId: 's', values: { name: 'Bea' } },
    { ageSeconds: 60, principal: { type: 'link', overlayId: overlay.id } },
  )
  await journal.commit(
    { type: 'refresh', revisions: { match: 1 } },
    { ageSeconds: 40, principal: { type: 'system', name: 'reactions' } },
  )
  await journal.commit({ type: 'hideAll' }, { ageSeconds: 20 })
  return overlay
}

const paint = (overlayId: number, graphicId: string, seq: number, renderer: string, agoSeconds: number) => database.sql`
  insert into paint (overlay_id, graphic_id, seq, renderer, reported_at)
  values (${overlayId}, ${graphicId}, ${seq}, ${renderer}, clock_timestamp() - make_interval(secs => ${agoSeconds}))`

test('[as-run] one row per graphic touched, newest last: who, which key, what, values, when', async () => {
  const overlay = await production()
  const log = await read(overlay)
  expect(log).toMatchObject({ total: 5, returned: 5 })
  expect(log.asRun.map(({ seq, action, graphicId }) => [seq, action, graphicId])).toEqual([
    [1, 'show', 'a'],
    [2, 'show', 'b'],
    [3, 'update', 'a'],
    [5, 'hideAll', 'a'],
    [5, 'hideAll', 'b'],
  ])
  expect(log.asRun[0]).toMatchObject({
    graphicName: 'Graphic a',
    presetId: 1,
    values: { name: 'Ada' },
    asked: { type: 'show', presetId: 1 },
    by: { type: 'key', id: 7, name: 'Operator' },
    requestId: 'request-1',
    painted: [],
  })
  expect(log.asRun[2]).toMatchObject({
    presetId: 2,
    values: { name: 'Bea' },
    by: { type: 'link', id: null, name: null },
  })
  expect(log.asRun[3]).toMatchObject({ values: null, graphicName: 'Graphic a', presetId: 2 })
})

test('[live-path 14] refreshes of live data are hidden unless asked for', async () => {
  const overlay = await production()
  const log = await read(overlay, { include: 'refresh' })
  expect(log.total).toBe(6)
  expect(log.asRun[3]).toMatchObject({
    seq: 4,
    action: 'refresh',
    graphicId: null,
    values: null,
    by: { type: 'system', name: 'reactions' },
  })
  expect((await read(overlay, { action: 'refresh' })).total).toBe(1)
})

test('[as-run] limit, offset, action, from and to narrow rows and total alike', async () => {
  const overlay = await production()
  const page = await read(overlay, { limit: 2, offset: 1 })
  expect(page).toMatchObject({ total: 5, returned: 2 })
  expect(page.asRun.map(({ seq }) => seq)).toEqual([2, 3])
  expect(await read(overlay, { action: 'hideAll' })).toMatchObject({ total: 2, returned: 2 })
  const all = await read(overlay)
  const middle = await read(overlay, { from: all.asRun[1]?.at, to: all.asRun[3]?.at })
  expect(middle.asRun.map(({ seq }) => seq)).toEqual([2, 3])
  expect(middle.total).toBe(2)
})

test('[live-path 21] an event counts as painted at the first report of its graphic with its seq or a later one', async () => {
  const overlay = await production()
  await paint(overlay.id, 'a', 3, 'main', 59)
  await paint(overlay.id, 'a', 3, 'main', 58)
  await paint(overlay.id, 'a', 1, 'backup', 99)
  await paint(overlay.id, 'a', 5, 'backup', 19)
  await paint(overlay.id, 'b', 2, 'main', 79)
  const { asRun } = await read(overlay)
  const painted = asRun.map((row) =>
    row.painted.map(({ renderer, latencyMs }) => [renderer, Math.round(latencyMs / 1000)]),
  )
  expect(painted).toEqual([
    [
      ['backup', 1],
      ['main', 41],
    ],
    [['main', 1]],
    [
      ['main', 1],
      ['backup', 41],
    ],
    [['backup', 1]],
    [],
  ])
})

test('[live-path 21] a report more than ten minutes after the commit is no paint of it', async () => {
  const overlay = await insertOverlay(database.sql)
  const journal = new OverlayJournal(database.sql, overlay)
  await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 3600 })
  await paint(overlay.id, 'a', 1, 'came later', 10)
  expect((await read(overlay)).asRun[0]?.painted).toEqual([])
})

test('[spec Authentication 11] a foreign overlay is 403, a missing one 404', async () => {
  const overlay = await production()
  const other = await insertOverlay(database.sql)
  await expect(answer({ ...overlay, organizationId: other.organizationId })).rejects.toMatchObject({ status: 403 })
  await expect(answer({ ...overlay, id: 2_000_000 })).rejects.toMatchObject({ status: 404 })
})

test.each([
  ['a graphic', { graphicId: 'b' }, [2, 5]],
  ['its name', { graphicName: 'Graphic a' }, [1, 3, 5]],
  ['a preset', { presetId: 2 }, [3, 5]],
  ['a key', { by: 'key/7' }, [1, 2, 5, 5]],
  ['another key', { by: 'key/8' }, []],
  ['the pages', { by: 'link' }, [3]],
  ['a graphic and who', { graphicId: 'a', by: 'key' }, [1, 5]],
])('[issue 6.5] the log narrows to %s, rows and total alike', async (_what, query, seqs) => {
  const overlay = await production()
  const log = await read(overlay, query)
  expect(log.asRun.map(({ seq }) => seq)).toEqual(seqs)
  expect(log.total).toBe(seqs.length)
  const newest = await read(overlay, { ...query, order: 'desc', limit: 1 })
  expect(newest.asRun.map(({ seq }) => seq)).toEqual(seqs.slice(-1))
})

test('[issue 6.5] rows say the adType that was set at the time, and narrow to it', async () => {
  const overlay = await production()
  const { sql } = database
  await sql`update overlay set ad_type = 'brands' where id = ${overlay.id}`
  const journal = new OverlayJournal(sql, overlay)
  await journal.settings('create', { adType: 'noBrands' }, 200)
  await journal.settings('update', { name: 'Another' }, 90)
  await journal.settings('update', { adType: 'brands' }, 70)
  expect((await read(overlay)).asRun.map(({ adType }) => adType)).toEqual([
    'noBrands',
    'noBrands',
    'brands',
    'brands',
    'brands',
  ])
  expect((await read(overlay, { adType: 'noBrands' })).asRun.map(({ seq }) => seq)).toEqual([1, 2])
  expect(await read(overlay, { adType: 'free' })).toMatchObject({ total: 0 })
})

test('[issue 6.5] the log of a match has the rows of all its overlays in order, also of one that was deleted', async () => {
  const overlay = await production()
  const { sql } = database
  const [first] = await sql<{ matchId: number }[]>`
    select match_id as "matchId" from overlay where id = ${overlay.id}`
  const matchId = first?.matchId ?? 0
  const second = { id: await addOverlay(sql, { ...overlay, name: 'Second', key: randomUUID(), matchId }), matchId }
  const journal = new OverlayJournal(sql, { ...overlay, id: second.id })
  await journal.commit({ type: 'show', graphic: shown('c', { sponsor: 'Kestrel' }) }, { ageSeconds: 90 })
  await paint(second.id, 'c', 1, 'main', 89)
  await sql.begin((tx) => removeOverlay(tx, second.id))
  const ofMatch = (organizationId: number, query: object) => {
    const ctx = testContext(organizationId, { db: database.db })
    const input = { params: { matchId: second.matchId }, query: AsRunQuery.parse(query), body: undefined }
    return asRunRoutes[1]?.handle(ctx, input as never, '')
  }
  const log = AsRunLog.parse(await ofMatch(overlay.organizationId, { limit: 3 }))
  expect(log.total).toBe(6)
  expect(log.asRun.map(({ overlayId, graphicId, brand }) => [overlayId, graphicId, brand])).toEqual([
    [overlay.id, 'a', null],
    [second.id, 'c', 'Kestrel'],
    [overlay.id, 'b', null],
  ])
  expect(log.asRun[1]?.painted).toMatchObject([{ renderer: 'main' }])
  expect(await read({ ...overlay, id: second.id })).toMatchObject({ total: 1 })
  const other = await insertOverlay(sql)
  await expect(ofMatch(other.organizationId, {})).rejects.toMatchObject({ status: 403 })
})

test('[as-run] a moment that PostgreSQL cannot store is a bad value', () => {
  expect(AsRunQuery.safeParse({ from: '0000-12-31T00:00:00Z' }).error?.issues).toMatchObject([{ path: ['from'] }])
  expect(AsRunQuery.safeParse({ to: '9999-12-31T23:59:59-01:00' }).error?.issues).toMatchObject([{ path: ['to'] }])
  expect(AsRunQuery.safeParse({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59.999Z' }).success).toBe(true)
})

test.each(['asc', 'desc'] as const)(
  '[issue 15.15] a cursor goes on behind the last row, in order %s, whatever comes or is skipped meanwhile',
  async (order) => {
    const overlay = await production()
    const journal = new OverlayJournal(database.sql, overlay)
    journal.seq = 5
    const whole = (await read(overlay, { order })).asRun
    for (const first of [{ limit: 1 }, { limit: 2, offset: 1 }, { limit: 4, offset: 0 }]) {
      const given = []
      let page = await read(overlay, { order, ...first })
      for (;;) {
        given.push(...page.asRun)
        // at the end that is still to come, or behind
        await journal.commit({ type: 'show', graphic: shown(`late ${journal.seq}`) })
        if (page.nextCursor === undefined || given.length >= whole.length - (first.offset ?? 0)) break
        page = await read(overlay, { order, limit: first.limit, cursor: page.nextCursor })
      }
      const old = given.filter(({ seq }) => seq <= 5)
      expect([first, old.map(({ seq, graphicId }) => [seq, graphicId])]).toEqual([
        first,
        whole.slice(first.offset ?? 0).map(({ seq, graphicId }) => [seq, graphicId]),
      ])
      await database.sql`delete from journal where ref = ${`overlay/${overlay.id}`} and seq > 5`
      journal.seq = 5
    }
  },
)

test('[issue 15.15] a clock that was put back loses no row of several overlays, and gives none twice', async () => {
  const overlay = await insertOverlay(database.sql)
  const [placed] = await database.sql<{ matchId: number }[]>`
    select match_id as "matchId" from overlay where id = ${overlay.id}`
  const matchId = placed?.matchId ?? 0
  const second = { id: await addOverlay(database.sql, { organizationId: overlay.organizationId, matchId }), matchId }
  for (const [id, ages] of [
    [overlay.id, [100, 20, 80, 60, 10, 50]],
    [second.id, [90, 70, 15, 65, 5]],
  ] as const) {
    const journal = new OverlayJournal(database.sql, { ...overlay, id })
    for (const [place, ageSeconds] of ages.entries())
      await journal.commit({ type: 'show', graphic: shown(`g${place}`) }, { ageSeconds })
  }
  const ctx = testContext(overlay.organizationId, { db: database.db })
  for (const order of ['asc', 'desc'] as const)
    for (const limit of [1, 2, 3, 7]) {
      const given: string[] = []
      let cursor: string | undefined
      do {
        const query = AsRunQuery.parse({ order, limit, cursor })
        const input = { params: { matchId: second.matchId }, query, body: undefined }
        const page = AsRunLog.parse(await asRunRoutes[1]?.handle(ctx, input as never, ''))
        given.push(...page.asRun.map(({ overlayId, seq }) => `${overlayId}/${seq}`))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      for (const [id, rows] of [
        [overlay.id, 6],
        [second.id, 5],
      ] as const) {
        const seqs = Array.from({ length: rows }, (_, place) => `${id}/${place + 1}`)
        expect(given.filter((one) => one.startsWith(`${id}/`))).toEqual(order === 'desc' ? seqs.reverse() : seqs)
      }
      expect(given).toHaveLength(11)
    }
})

test('[issue 15.15] a cursor that no answer gave, of another log or order, or beside an offset is refused', async () => {
  const overlay = await production()
  const { nextCursor } = await read(overlay, { limit: 1 })
  const other = (await read(await production(), { limit: 1 })).nextCursor
  for (const query of [
    { cursor: 'nonsense' },
    { cursor: Buffer.from(`overlay/${overlay.id}~asc~1.2`).toString('base64url') },
    // more than an integer of the database holds
    { cursor: Buffer.from(`overlay/${overlay.id}~asc~${overlay.id.toString(36)}.2.zzzzzz`).toString('base64url') },
    { cursor: other },
    { cursor: nextCursor, order: 'desc' },
    { cursor: nextCursor, offset: 0 },
  ])
    await expect(answer(overlay, query)).rejects.toMatchObject({
      status: 400,
      body: { details: { 'query.cursor': { message: expect.any(String), value: query.cursor } } },
    })
  const csv = await answer(overlay, { format: 'csv', limit: 4, cursor: nextCursor })
  if (!(csv instanceof Raw)) throw new Error('not CSV')
  expect(csv.headers).not.toHaveProperty('X-Next-Cursor')
  const rest = await answer(overlay, { format: 'csv', limit: 3 })
  expect(rest).toMatchObject({ headers: { 'X-Next-Cursor': expect.any(String), 'X-Total-Count': '5' } })
})

test('[as-run] an overlay that was never commanded has an empty log', async () => {
  expect(await read(await insertOverlay(database.sql))).toEqual({ asRun: [], total: 0, returned: 0 })
})

test.each([
  ['the parameter', { format: 'csv' }, ''],
  ['the Accept header', {}, 'text/csv'],
  ['an Accept header that prefers it', {}, 'text/html, text/csv;q=0.9, */*;q=0.1'],
])('[as-run] CSV by %s: header row, one line per row, a name to save it under', async (_how, query, accept) => {
  const overlay = await production()
  const csv = await answer(overlay, query, accept)
  if (!(csv instanceof Raw)) throw new Error('not CSV')
  expect(csv.contentType).toBe('text/csv; charset=utf-8')
  expect(csv.headers).toEqual({
    'Content-Disposition': `attachment; filename="as-run-${overlay.id}.csv"`,
    'X-Total-Count': '5',
  })
  let text = ''
  for await (const part of csv.body) text += part
  const lines = text.split('\r\n')
  expect(lines).toHaveLength(7)
  expect(lines[0]).toBe(
    'seq,at,action,graphicId,graphicName,presetId,values,asked,byType,byId,byName,requestId,commandId,painted,overlayId,adType,brand',
  )
  expect(lines[1]).toContain(',show,a,Graphic a,1,"{""name"":""Ada""}",')
})

test('[as-run] JSON wins when the Accept header names it first, or the parameter does', async () => {
  const overlay = await production()
  expect(await answer(overlay, {}, 'application/json, text/csv')).toMatchObject({ total: 5 })
  expect(await answer(overlay, {}, '*/*')).toMatchObject({ total: 5 })
  expect(await answer(overlay, { format: 'json' }, 'text/csv')).toMatchObject({ total: 5 })
})

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@sum', "'@sum"],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  ['=cmd|"/c calc"', `"'=cmd|""/c calc"""`],
])('[as-run] a graphic named %j cannot break out of its cell or run as a formula', (name, cell) => {
  const [, row] = asRunCsv([
    {
      seq: 1,
      at: '2026-01-01T00:00:00.000Z',
      action: 'show',
      graphicId: 'g',
      graphicName: name,
      presetId: 1,
      values: null,
      asked: {},
      by: { type: 'key', id: 1, name: null },
      requestId: 'r',
      commandId: 'c',
      painted: [],
      overlayId: 3,
      adType: 'brands',
      brand: null,
    },
  ]).split('\r\n')
  expect(row).toBe(`1,2026-01-01T00:00:00.000Z,show,g,${cell},1,,{},key,1,,r,c,,3,brands,`)
})
