import { afterAll, beforeAll, expect, test } from 'vitest'
import { indexAt, lanesOf, momentsOf } from '../../src/pages/replay/moments.ts'
import { patched } from '../../src/pages/replay/patch.ts'
import { clockText, clockValue } from '../../src/pages/shared/clock.ts'
import { loadFrame } from '../../src/realtime/renderers/frames.ts'
import { liveText } from '../../src/realtime/renderers/live-text.ts'
import { liveData } from '../../src/resources/matches/live-data.ts'
import { ProofOfPlay } from '../../src/resources/proof-of-play/schema.ts'
import { difference } from '../../src/resources/replays/patch.ts'
import { ReplayRecord } from '../../src/resources/replays/schema.ts'
import { inThePast, playMatch } from '../support/played-match.ts'
import { type Production, startProduction } from './support.ts'

const MINUTE = 60_000
const kickOff = Date.now() - 150 * MINUTE

let production: Production
let path: string
beforeAll(async () => {
  production = await startProduction()
  path = `/v2/overlays/${production.overlay.id}`
  await playMatch(production, inThePast(production, kickOff))
})
afterAll(() => production.close())

const read = async (query = '') => {
  const { status, body } = await production.call('GET', `${path}/replay${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return ReplayRecord.parse(body)
}
/** As the page has it: type and values from JSON. */
const moments = async (query = '') => {
  const record = await read(query)
  return momentsOf({ ...record, expiresAt: '' } as Parameters<typeof momentsOf>[0])
}
const minute = (at: number) => Math.round(((at - kickOff) / MINUTE) * 10) / 10
const names = (graphics: ReadonlyMap<string, { graphicName: string }>) =>
  [...graphics.values()].map(({ graphicName }) => graphicName)

test('[issue 6.5] a replay has every change of a played match in order, with what was on air from each on', async () => {
  const record = await read()
  expect(record.complete).toBe(true)
  expect(record.match.name).toContain('–')
  const all = await moments()
  expect(all.map(({ at, step, graphics }) => [minute(at), step.kind, names(graphics)])).toEqual([
    [-12, 'start', []],
    [-12, 'show', ['Line-up card']],
    [-11.5, 'hide', []],
    [-2, 'show', ['Score bug']],
    [0, 'match', ['Score bug']],
    [9, 'match', ['Score bug']],
    [23, 'match', ['Score bug']],
    [23.2, 'show', ['Score bug', 'Lower third']],
    [23.4, 'hide', ['Score bug']],
    [45, 'match', ['Score bug']],
    [46, 'hide', []],
    [47, 'show', ['Sponsor card']],
    [49, 'show', ['Sponsor card']],
    [50, 'hide', []],
    [60, 'match', []],
    [60.1, 'show', ['Score bug']],
    [71, 'match', ['Score bug']],
    [88, 'match', ['Score bug']],
    [107, 'match', ['Score bug']],
    [107.1, 'match', ['Score bug']],
    [108, 'show', ['Score bug', 'Result card']],
    [110, 'hide', []],
  ])
  expect(
    all.map(({ match }) => `${match?.score.home}-${match?.score.away}`).filter((one, i, list) => one !== list[i - 1]),
  ).toEqual(['0-0', '1-0', '1-1', '2-1'])
})

test('[issue 6.5] graphics get the data of then: score, facts and clock', async () => {
  const all = await moments()
  const bugAt = (at: number) => {
    const found = all[indexAt(all, kickOff + at * MINUTE)]
    const bug = [...(found?.graphics.values() ?? [])].find(({ graphicName }) => graphicName === 'Score bug')
    if (!bug) throw new Error('no score bug on air')
    const { match } = bug.data as {
      match: { score: { home: number; away: number }; clock: Parameters<typeof clockValue>[0] }
    }
    return `${match.score.home}-${match.score.away} ${clockText(clockValue(match.clock, kickOff + at * MINUTE))}`
  }
  expect([-1, 10, 30, 65, 80, 100].map(bugAt)).toEqual([
    '0-0 00:00',
    '0-0 10:00',
    '1-0 30:00',
    '1-0 50:00',
    '1-1 65:00',
    '2-1 85:00',
  ])
})

test('[issue 6.5] at the end a graphic has exactly what its frame on air carries', async () => {
  const { sql } = production.server.database
  await production.fire('show', 'Score bug')
  await production.fire('show', 'Goal scorer')
  const found = [...((await moments()).at(-1)?.graphics.values() ?? [])]
  const live = liveText(await liveData(sql, production.server.origin, production.overlay.id))
  const [actor] =
    await sql`select snapshot->'context'->'graphics' as graphics from actor where ref = ${`overlay/${production.overlay.id}`}`
  expect(found).toHaveLength(2)
  for (const { graphicId, data, variableValues, themeVariables } of found) {
    const { payload } = JSON.parse(loadFrame(actor?.graphics[graphicId], 'football', live, ''))
    expect(data).toEqual(payload.data)
    expect([variableValues, themeVariables]).toEqual([payload.variableValues, payload.themeVariables])
  }
  await production.call('POST', `${path}/graphics/commands`, { action: 'hideAll' })
})

test('[issue 6.5] from and to choose a part, which begins with what was on air then', async () => {
  const at = (minutes: number) => new Date(kickOff + minutes * MINUTE).toISOString()
  const all = await moments(`?from=${at(30)}&to=${at(48)}`)
  expect(all.map(({ step, graphics }) => [step.kind, names(graphics)])).toEqual([
    ['start', ['Score bug']],
    ['match', ['Score bug']],
    ['hide', []],
    ['show', ['Sponsor card']],
  ])
  expect(
    lanesOf(all, kickOff + 48 * MINUTE).map(({ name, bars }) => [name, bars.map(({ from }) => minute(from))]),
  ).toEqual([
    ['Score bug', [30]],
    ['Sponsor card', [47]],
  ])
})

test('[live-path 27] a replay says that retention took its beginning', async () => {
  const { sql } = production.server.database
  const rows = await sql`delete from journal where ref = ${`overlay/${production.overlay.id}`} and seq <= 2 returning *`
  expect((await read()).complete).toBe(false)
  for (const { ref, seq, at, organization_id, command_id, request_id, principal, command, events } of rows)
    await sql`insert into journal values (${ref}, ${seq}, ${at}, ${organization_id}, ${command_id}, ${request_id},
      ${JSON.stringify(principal)}::text::json, ${JSON.stringify(command)}::text::json, ${JSON.stringify(events)}::text::json)`
  expect((await read()).complete).toBe(true)
})

test('[issue 6.5] an address plays it without a key until it expires', async () => {
  const { status, body } = await production.call('POST', `${path}/replays`, {})
  expect(status).toBe(201)
  const url = String(body.url)
  expect(url).toMatch(/\/replay\/[\w-]{43}$/)
  const page = await fetch(url)
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const record = await (await fetch(`${url}/record`)).json()
  expect(record).toMatchObject({ complete: true, overlay: { id: production.overlay.id } })
  const token = url.split('/').at(-1) ?? ''
  for (const headers of [{ Authorization: `Bearer ${token}` }, { 'x-service-api-key': token }])
    expect((await fetch(`${production.server.origin}/rest${path}/replay`, { headers })).status).toBe(401)
  for (const other of ['overlay', 'control', 'monitor', 'preview'])
    expect((await fetch(`${production.server.origin}/${other}/${token}`)).status).toBe(404)
  expect((await fetch(`${url}/record`, { method: 'POST' })).status).toBe(405)
  const { sql } = production.server.database
  await sql`update replay set expires_at = now() - interval '1 second'`
  expect((await fetch(url)).status).toBe(404)
  expect((await fetch(`${url}/record`)).status).toBe(404)
})

test('[issue 6.5] the same match proves its sponsors: seconds by the journal, and that nobody was there to see them', async () => {
  const { body } = await production.call('GET', `/v2/matches/${production.matchId}/proof-of-play`)
  const proof = ProofOfPlay.parse(body)
  const sponsors = proof.brands.filter(({ brand }) => brand !== null)
  expect(
    sponsors.map(({ brand, adType, committedSeconds, paintedSeconds, gaps }) => ({
      brand,
      adType,
      committedSeconds,
      paintedSeconds,
      noRenderer: gaps.noRendererSeconds,
    })),
  ).toEqual([
    { brand: 'Fjordline Coffee', adType: 'brands', committedSeconds: 120, paintedSeconds: 0, noRenderer: 120 },
    { brand: 'Kestrel Outdoor', adType: 'brands', committedSeconds: 60, paintedSeconds: 0, noRenderer: 60 },
  ])
})

test.each([
  [1, 2],
  [
    [1, 2, 3],
    [1, 2, 3, 4],
  ],
  [
    [1, 2, 3],
    [1, 5],
  ],
  [[], [{}]],
  [
    { a: 1, b: { c: [1] } },
    { b: { c: [1, 2] }, d: null },
  ],
  [{ a: { x: 1 } }, { a: [1] }],
  [undefined, { a: 1 }],
  [null, { a: null }],
  [{ a: null }, null],
])('[issue 6.5] the patch from %j to %j makes the one of the other', (before, after) => {
  expect(patched(before, difference(before, after) ?? null)).toEqual(after)
  expect(difference(after, structuredClone(after))).toBeUndefined()
})
