import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { Raw } from '../../src/http/route.ts'
import { proofOfPlayRoutes } from '../../src/resources/proof-of-play/routes.ts'
import { ProofOfPlay, ProofQuery } from '../../src/resources/proof-of-play/schema.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { shown } from '../support/studio.ts'

let database: TestDatabase
const runId = randomUUID()
beforeAll(async () => {
  database = await testDatabase()
  await database.sql`insert into server_run (id) values (${runId})`
})
afterAll(() => database.drop())

type Overlay = Awaited<ReturnType<typeof insertOverlay>>

/** Calls the route as the router does. */
async function answer(overlay: Overlay, query: object = {}, accept = ''): Promise<unknown> {
  const ctx = testContext(overlay.organizationId, { db: database.db })
  const input = { params: { overlayId: overlay.id }, query: ProofQuery.parse(query), body: undefined }
  // the router hands over what the schemas of the route made
  return proofOfPlayRoutes[0]?.handle(ctx, input as never, accept)
}
const read = async (overlay: Overlay, query: object = {}) => ProofOfPlay.parse(await answer(overlay, query))

/** A renderer that was connected from so many seconds ago to so many, or still is. */
async function connected(
  overlay: Overlay,
  renderer: string,
  from: number,
  to?: number,
  showing?: object[],
  outOfView: [from: number, to: number | null][] = [],
) {
  const now = Date.now()
  const spans = outOfView.map((span) => span.map((ago) => (ago === null ? null : now - ago * 1_000)))
  await database.sql`
    insert into renderer_session (id, overlay_id, run_id, renderer, opened_at, closed_at, showing, out_of_view)
    values (${randomUUID()}, ${overlay.id}, ${runId}, ${renderer}, clock_timestamp() - make_interval(secs => ${from}),
      clock_timestamp() - make_interval(secs => ${to ?? null}::float8), ${JSON.stringify(showing ?? [])}::text::json,
      ${JSON.stringify(spans)}::text::json)`
}

const paint = (overlay: Overlay, graphicId: string, seq: number, renderer: string, ago: number) => database.sql`
  insert into paint (overlay_id, graphic_id, seq, renderer, reported_at)
  values (${overlay.id}, ${graphicId}, ${seq}, ${renderer}, clock_timestamp() - make_interval(secs => ${ago}))`

type Times = Pick<
  z.output<typeof ProofOfPlay>['plays'][number],
  'committedSeconds' | 'paintedSeconds' | 'gaps' | 'overrunSeconds'
>

/** Whole seconds: [committed, painted, delay, no renderer, late, unreported, overrun]. */
const rounded = ({ committedSeconds, paintedSeconds, gaps, overrunSeconds }: Times) =>
  [
    committedSeconds,
    paintedSeconds,
    gaps.delaySeconds,
    gaps.noRendererSeconds,
    gaps.lateSeconds,
    gaps.unreportedSeconds + gaps.forgottenSeconds,
    overrunSeconds,
    // a rest of a float below nothing is nothing
  ].map((seconds) => Math.round(seconds) + 0)

async function overlayWith(options: { delaySeconds?: number } = {}) {
  const overlay = await insertOverlay(database.sql, options)
  return { overlay, journal: new OverlayJournal(database.sql, overlay) }
}

test('[issue 6.5] a brand is proved from its paint to the paint of its hide', async () => {
  const { overlay, journal } = await overlayWith()
  await connected(overlay, 'main', 200)
  await journal.commit({ type: 'show', graphic: shown('card', { sponsor: 'Fjordline' }) }, { ageSeconds: 100 })
  await paint(overlay, 'card', 1, 'main', 98)
  await journal.commit({ type: 'hide', graphicId: 'card' }, { ageSeconds: 60 })
  await paint(overlay, 'card', 2, 'main', 59)
  const proof = await read(overlay)
  expect(proof.plays).toHaveLength(1)
  expect(proof.plays.map(rounded)).toEqual([[40, 38, 0, 0, 2, 0, 1]])
  expect(proof.plays[0]).toMatchObject({ brand: 'Fjordline', graphicName: 'Graphic card', by: { type: 'key', id: 7 } })
  expect(proof.plays[0]?.renderers).toMatchObject([{ renderer: 'main' }])
  expect(proof).toMatchObject({ complete: true, knownFrom: null, total: 1, returned: 1 })
  expect(proof.brands.map(({ brand, plays }) => [brand, plays])).toEqual([['Fjordline', 1]])
})

test('[issue 6.5] another brand in the same graphic is another play, other values are not', async () => {
  const { overlay, journal } = await overlayWith()
  await connected(overlay, 'main', 200)
  const update = (values: Record<string, string>, ageSeconds: number) =>
    journal.commit({ type: 'update', graphicId: 'card', presetId: 1, sectionId: 's', values }, { ageSeconds })
  await journal.commit({ type: 'show', graphic: shown('card', { Brand: 'A', line: '1' }) }, { ageSeconds: 90 })
  await paint(overlay, 'card', 1, 'main', 90)
  await update({ Brand: 'A', line: '2' }, 70)
  await paint(overlay, 'card', 2, 'main', 70)
  await update({ Brand: 'B', line: '2' }, 60)
  await paint(overlay, 'card', 3, 'main', 60)
  await journal.commit({ type: 'hideAll' }, { ageSeconds: 10 })
  await paint(overlay, 'card', 4, 'main', 10)
  const proof = await read(overlay)
  expect(proof.plays.map(({ brand }) => brand)).toEqual(['A', 'B'])
  expect(proof.plays.map(rounded)).toEqual([
    [30, 30, 0, 0, 0, 0, 0],
    [50, 50, 0, 0, 0, 0, 0],
  ])
  expect(proof.graphics.map((one) => [one.plays, ...rounded(one)])).toEqual([[2, 80, 80, 0, 0, 0, 0, 0]])
  expect((await read(overlay, { brand: 'b' })).plays).toHaveLength(1)
})

test('[issue 6.5] gaps are told apart: nobody connected, late, connected without a report', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await connected(overlay, 'main-1', 80, 50)
  await paint(overlay, 'bug', 1, 'main-1', 75)
  // comes back under another name and never says that it painted
  await connected(overlay, 'main-2', 30)
  const proof = await read(overlay)
  expect(proof.plays.map(rounded)).toEqual([[100, 25, 0, 40, 5, 30, 0]])
  expect(proof.plays[0]).toMatchObject({ until: null, brand: null })
})

test('[issue 6.5] renderers that overlap count once together and each by itself; one that comes back showing it goes on', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await connected(overlay, 'a', 100, 40)
  await paint(overlay, 'bug', 1, 'a', 100)
  await connected(overlay, 'a', 20, undefined, [{ graphicId: 'bug', seq: 1 }])
  await connected(overlay, 'studio-x', 60)
  await paint(overlay, 'bug', 1, 'studio-x', 60)
  const proof = await read(overlay)
  expect(proof.plays.map(rounded)).toEqual([[100, 100, 0, 0, 0, 0, 0]])
  expect(
    proof.plays[0]?.renderers.map(({ renderer, paintedSeconds }) => [renderer, Math.round(paintedSeconds)]),
  ).toEqual([
    ['a', 80],
    ['studio-x', 60],
  ])
  expect((await read(overlay, { renderer: 'studio' })).plays.map(rounded)).toEqual([[100, 60, 0, 40, 0, 0, 0]])
})

test('what no program shows is on no screen: not before its first paint, not between, and it is seen again when it is shown again', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await connected(
    overlay,
    'obs',
    110,
    undefined,
    [],
    [
      [105, 80],
      [50, 30],
      [10, null],
    ],
  )
  await paint(overlay, 'bug', 1, 'obs', 78)
  const proof = await read(overlay)
  expect(proof.plays.map(rounded)).toEqual([[100, 48, 0, 0, 2, 0, 0]])
  expect(Math.round(proof.plays[0]?.gaps.outOfViewSeconds ?? 0)).toBe(50)
  expect(proof.plays[0]?.renderers.map(({ paintedSeconds }) => Math.round(paintedSeconds))).toEqual([48])
  // another that is in view sees it meanwhile
  await connected(overlay, 'vmix', 110)
  await paint(overlay, 'bug', 1, 'vmix', 60)
  const both = await read(overlay)
  expect(both.plays.map(rounded)).toEqual([[100, 78, 0, 0, 22, 0, 0]])
  expect(both.plays[0]?.gaps.outOfViewSeconds).toBe(0)
})

test('one that was out of view when it was hidden has not shown it for longer', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await connected(overlay, 'obs', 110, undefined, [], [[70, 20]])
  await paint(overlay, 'bug', 1, 'obs', 100)
  await journal.commit({ type: 'hideAll' }, { ageSeconds: 60 })
  await paint(overlay, 'bug', 2, 'obs', 19)
  expect((await read(overlay)).plays.map(rounded)).toEqual([[40, 30, 0, 0, 0, 0, 1]])
})

test('[live-path 22] under an encoding delay the proof is that much later, and what was not released yet is told', async () => {
  const { overlay, journal } = await overlayWith({ delaySeconds: 10 })
  await connected(overlay, 'main', 200)
  await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 100 })
  await paint(overlay, 'a', 1, 'main', 90)
  await journal.commit({ type: 'hide', graphicId: 'a' }, { ageSeconds: 50 })
  await paint(overlay, 'a', 2, 'main', 40)
  await journal.commit({ type: 'show', graphic: shown('b') }, { ageSeconds: 4 })
  expect((await read(overlay)).plays.map(rounded)).toEqual([
    [50, 50, 0, 0, 0, 0, 0],
    [4, 0, 4, 0, 0, 0, 0],
  ])
})

test('[live-path 22] a delay that becomes longer while something is on air takes nothing from the seconds that are told', async () => {
  const { overlay, journal } = await overlayWith({ delaySeconds: 10 })
  await connected(overlay, 'main', 200)
  await journal.settings('create', { encodingDelay: 0 }, 300)
  await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 100 })
  await paint(overlay, 'a', 1, 'main', 100)
  await journal.settings('update', { encodingDelay: 10 }, 70)
  await journal.commit({ type: 'hide', graphicId: 'a' }, { ageSeconds: 50 })
  await paint(overlay, 'a', 2, 'main', 40)
  expect((await read(overlay)).plays.map(rounded)).toEqual([[50, 50, 0, 0, 0, 0, 10]])
})

test('[issue 6.5] from and to cut plays and paints alike', async () => {
  const { overlay, journal } = await overlayWith()
  await connected(overlay, 'main', 200)
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await paint(overlay, 'bug', 1, 'main', 99)
  await journal.commit({ type: 'hide', graphicId: 'bug' }, { ageSeconds: 20 })
  await paint(overlay, 'bug', 2, 'main', 19)
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  expect((await read(overlay, { from: ago(60), to: ago(50) })).plays.map(rounded)).toEqual([[10, 10, 0, 0, 0, 0, 0]])
  expect((await read(overlay, { from: ago(15) })).plays).toEqual([])
})

test('[live-path 27] what retention took is told, and what was on air then is counted from there on', async () => {
  const { overlay, journal } = await overlayWith()
  await connected(overlay, 'main', 500)
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 300 })
  await journal.commit({ type: 'show', graphic: shown('card', { brand: 'A' }) }, { ageSeconds: 200 })
  await journal.commit({ type: 'refresh', revisions: { match: 3 } }, { ageSeconds: 100 })
  await journal.commit({ type: 'hide', graphicId: 'card' }, { ageSeconds: 50 })
  await database.sql`delete from journal where ref = ${`overlay/${overlay.id}`} and seq < 3`
  const proof = await read(overlay)
  expect(proof.complete).toBe(false)
  expect(proof.plays.map(({ graphicId, cut, brand, until }) => [graphicId, cut, brand, until === null])).toEqual([
    ['card', true, null, false],
    ['bug', true, null, true],
  ])
  expect(proof.plays.map(({ committedSeconds }) => Math.round(committedSeconds))).toEqual([50, 100])
  const later = new Date(Date.now() - 60_000).toISOString()
  expect(await read(overlay, { from: later })).toMatchObject({ complete: true })
})

test('[live-path 27] seconds of which retention took the reports are told apart from those that nobody saw', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await connected(overlay, 'main', 60)
  await paint(overlay, 'bug', 1, 'main', 50)
  await database.sql`
    insert into retention (what, deleted, kept_from) values ('paints', 7, clock_timestamp() - interval '70 seconds')`
  const proof = await read(overlay)
  await database.sql`delete from retention`
  const { gaps, paintedSeconds } = proof.plays[0] ?? {}
  expect(Math.round(paintedSeconds ?? 0)).toBe(50)
  expect(Object.values(gaps ?? {}).map(Math.round)).toEqual([0, 10, 10, 0, 0, 30])
  expect(proof.complete).toBe(false)
  expect(proof.reportsKnownFrom).not.toBeNull()
})

test('[live-path 27] when also the newest commands are gone, what is on air counts since the last of them', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug', { brand: 'A' }) }, { ageSeconds: 300 })
  await journal.commit(
    { type: 'update', graphicId: 'bug', presetId: 1, sectionId: 's', values: { brand: 'A', a: 1 } },
    { ageSeconds: 200 },
  )
  await database.sql`update actor set updated_at = clock_timestamp() - interval '200 seconds' where ref = ${`overlay/${overlay.id}`}`
  await database.sql`delete from journal where ref = ${`overlay/${overlay.id}`} and seq = 2`
  const proof = await read(overlay)
  expect(proof.complete).toBe(false)
  expect(proof.plays.map(({ cut, brand, committedSeconds }) => [cut, brand, Math.round(committedSeconds)])).toEqual([
    [true, 'A', 200],
  ])
})

test('[issue 6.5] reports from before connections were recorded prove what lies between them', async () => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await paint(overlay, 'bug', 1, 'old', 90)
  await journal.commit({ type: 'hide', graphicId: 'bug' }, { ageSeconds: 20 })
  await paint(overlay, 'bug', 2, 'old', 20)
  expect((await read(overlay)).plays.map(rounded)).toEqual([[80, 70, 0, 10, 0, 0, 0]])
})

test('[issue 6.5] a socket that a killed server left open ended when that server was last alive', async () => {
  const { overlay, journal } = await overlayWith()
  await connected(overlay, 'main', 100)
  const killed = randomUUID()
  await database.sql`insert into server_run (id, alive_at) values (${killed}, clock_timestamp() - interval '70 seconds')`
  await database.sql`update renderer_session set run_id = ${killed} where overlay_id = ${overlay.id}`
  await journal.commit({ type: 'show', graphic: shown('bug') }, { ageSeconds: 100 })
  await paint(overlay, 'bug', 1, 'main', 100)
  expect((await read(overlay)).plays.map(rounded)).toEqual([[100, 30, 0, 70, 0, 0, 0]])
})

test('[contract: 503] a database that does not answer is seen before the reading begins', async () => {
  const { overlay } = await overlayWith()
  const stuck = Object.assign(() => new Promise(() => {}), database.sql)
  const ctx = testContext(overlay.organizationId, {
    db: { ...database.db, sql: stuck as unknown as typeof database.sql },
  })
  const input = { params: { overlayId: overlay.id }, query: ProofQuery.parse({}), body: undefined }
  await expect(proofOfPlayRoutes[0]?.handle(ctx, input as never, '')).rejects.toMatchObject({ status: 503 })
})

test.each([
  ['plays', 'overlayId,seq,at,until,graphicId,graphicName,presetId,brand,adType,byType,byId,byName,', 3],
  ['graphics', 'graphicId,graphicName,plays,firstAt,lastAt,', 3],
  ['brands', 'brand,adType,plays,firstAt,lastAt,', 3],
])('[issue 6.5] CSV with a row for each of the %s', async (rows, header, count) => {
  const { overlay, journal } = await overlayWith()
  await journal.commit({ type: 'show', graphic: shown('a', { brand: '=A' }) }, { ageSeconds: 10 })
  await journal.commit({ type: 'show', graphic: shown('b') }, { ageSeconds: 10 })
  const csv = await answer(overlay, { format: 'csv', rows })
  if (!(csv instanceof Raw)) throw new Error('not CSV')
  let text = ''
  for await (const part of csv.body) text += part
  const lines = text.trimEnd().split('\r\n')
  expect(lines).toHaveLength(count)
  expect(lines[0]?.startsWith(header)).toBe(true)
  if (rows !== 'graphics') expect(text).toContain("'=A")
})

test('[issue 18.7] brands are told by their records, and slots with what was promised against what was painted', async () => {
  const { overlay, journal } = await overlayWith()
  const { sql } = database
  const brandIds: number[] = []
  for (const name of ['Alba', 'Brio', 'Cask']) {
    const [row] = await sql<{ id: number }[]>`
      insert into brand (organization_id, name, primary_color, text_color, active, house, deleted_at)
      values (${overlay.organizationId}, ${name}, '#000', '#fff', true, false, ${name === 'Cask' ? new Date() : null})
      returning id`
    brandIds.push(row?.id ?? 0)
  }
  const [alba = 0, brio = 0, cask = 0] = brandIds
  const shares = [
    { brandId: alba, share: 75 },
    { brandId: brio, share: 25 },
  ]
  await sql`
    with made as (insert into theme (organization_id, name, sports) values (${overlay.organizationId}, 'T', '{football}') returning id),
      room as (insert into control_room (organization_id, theme_id, name) select ${overlay.organizationId}, id, 'R' from made returning id),
      profile as (insert into theme_profile (organization_id, competition_id, theme_id, name, default_control_room_id)
        select ${overlay.organizationId}, m.competition_id, made.id, 'P', room.id from made, room,
          match m join overlay o on o.match_id = m.id where o.id = ${overlay.id} returning id)
    insert into sponsor_slots (theme_profile_id, slots)
    select id, ${JSON.stringify([{ id: 'breaks', name: 'Breaks', brands: shares }])}::text::json from profile`
  await connected(overlay, 'main', 500)
  const show = (values: Record<string, number>, ads: Record<string, string | null>, ageSeconds: number) =>
    journal.commit({ type: 'show', graphic: { ...shown('card', values), ads } }, { ageSeconds })
  const times: [Record<string, number>, Record<string, string | null>, number][] = [
    [{ sponsor: alba }, { sponsor: 'breaks' }, 200],
    [{ sponsor: brio, second: alba }, { sponsor: 'breaks', second: null }, 140],
    [{ sponsor: cask }, { sponsor: 'gone' }, 100],
  ]
  for (const [values, ads, ago] of times) {
    const seq = await show(values, ads, ago)
    await paint(overlay, 'card', seq, 'main', ago)
  }
  const last = await journal.commit({ type: 'hide', graphicId: 'card' }, { ageSeconds: 90 })
  await paint(overlay, 'card', last, 'main', 90)
  const proof = await read(overlay)
  expect(proof.brands.map((one) => [one.brandId, one.brand, one.plays, Math.round(one.paintedSeconds)])).toEqual([
    [alba, 'Alba', 2, 100],
    [brio, 'Brio', 1, 40],
    [cask, 'Cask', 1, 10],
  ])
  expect(proof.plays.map(({ brand, brandId }) => [brand, brandId])).toEqual([
    ['Alba', alba],
    ['Brio', brio],
    ['Cask', cask],
  ])
  const rows = proof.slots.flatMap(({ slotId, name, brands }) =>
    brands.map((one) => [slotId, name, one.name, one.promisedShare, one.paintedShare, Math.round(one.paintedSeconds)]),
  )
  expect(rows).toEqual([
    ['breaks', 'Breaks', 'Alba', 0.75, expect.closeTo(0.6, 2), 60],
    ['breaks', 'Breaks', 'Brio', 0.25, expect.closeTo(0.4, 2), 40],
    ['gone', null, 'Cask', 0, 1, 10],
  ])
  expect((await read(overlay, { brand: 'alba' })).plays).toHaveLength(2)
  const csv = await answer(overlay, { format: 'csv', rows: 'slots' })
  expect(String((csv as Raw).body).split('\r\n')).toEqual([
    'slotId,slot,brandId,brand,promisedShare,paintedShare,paintedSeconds',
    expect.stringMatching(new RegExp(`^breaks,Breaks,${alba},Alba,0.75,0\\.\\d+,60`)),
    expect.stringMatching(new RegExp(`^breaks,Breaks,${brio},Brio,0.25,0\\.\\d+,40`)),
    expect.stringMatching(new RegExp(`^gone,,${cask},Cask,0,1,10`)),
    '',
  ])
})
