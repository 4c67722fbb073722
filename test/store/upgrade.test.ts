import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { repairActors } from '../../src/actors/repair.ts'
import { SCOPE_RESOURCES } from '../../src/secrets/api-key.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { newKey, startApp, type TestApp } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { Renderer } from '../support/renderer.ts'
import { testKeys } from '../support/secrets.ts'

const overlayKey = 'f6c48398-5c0c-441d-bc37-60a7db88472b'
const commands = '/v2/overlays/1/graphics/commands'

let app: TestApp
let key: string

beforeAll(async () => {
  const database = await testDatabase()
  await toSchemaBefore(database, '0007')
  await database.sql.unsafe(readFileSync(new URL('older/0006.sql', import.meta.url), 'utf8'))
  await migrate(database.url, { keys: testKeys() })
  app = await startApp({}, undefined, undefined, database)
  const scopes = SCOPE_RESOURCES.map((resource) => `${resource}:write`)
  key = (await newKey(database, 1, scopes)).key
})
afterAll(() => app?.close())

/** The answer to an accepted request; each is held against the description. */
async function call(method: string, path: string, body?: object) {
  const answer = await app.call(method, path, { key, ...(body && { body }) })
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body
}

function renderer() {
  const one = new Renderer({ url: `ws://127.0.0.1:${app.port}/overlay/${overlayKey}/socket` })
  onTestFinished(() => one.close())
  return one
}

test('every actor of the older version loads', async () => {
  const { db, sql, url } = app.database
  const connect = () => connectDatabase(url, { connections: 1 }).sql
  const journal = createPostgresJournal({ connect, sql, secrets: db.secrets, projections: [matchProjection] })
  expect(await repairActors(journal)).toEqual({ checked: 2, repaired: [], failed: [] })
  await journal.close()
})

test('a renderer gets the picture that was on air, at its seq', async () => {
  const screen = renderer()
  await screen.waitFor((one) => one.shows().size === 2)
  expect(Object.fromEntries(screen.shows())).toMatchObject({
    bug: { seq: 1, presetId: 1, variableValues: { showClock: true }, data: { match: { id: 1 } } },
    lower: { seq: 5, presetId: 2, variableValues: { name: 'Astrid Holmgren', team: 'home', title: 'Unbeaten' } },
  })
})

test('every record of the older version is read as the description says', async () => {
  const lists = ['/v1/overlays', '/v2/themes/1/variables', '/v2/control-rooms', '/v1/streams/inputs']
  for (const path of lists) await call('GET', path)
  for (const team of [1, 2])
    for (const part of ['', '/players', `/players/${team}`]) await call('GET', `/v1/teams/${team}${part}`)
  expect(await call('GET', '/v1/matches/1/lineup')).toMatchObject({
    lineups: [
      { teamId: 1, players: [{ id: 1, number: '10', captain: true }] },
      { teamId: 2, players: [] },
    ],
  })
  expect(await call('GET', '/v2/matches/1')).toMatchObject({ state: 'scheduled', officials: [{ id: 1 }] })
  await call('GET', '/v2/matches/1/summary')
  for (const id of ['bug', 'lower', 'card']) {
    const graphic = `/v2/themes/1/code-graphics/${id}`
    expect(await call('GET', graphic)).toMatchObject({ version: 2, assets: [{ name: 'index.html' }] })
    await call('GET', `${graphic}/versions/1`)
  }
  expect(await call('GET', '/v2/themes/1/versions/1')).toMatchObject({ active: true })
  expect(await call('GET', '/v2/control-rooms/1')).toMatchObject({
    presets: [{ orderIndex: 0 }, { orderIndex: 1 }, { orderIndex: 0 }],
  })
  const section = await call('PATCH', '/v2/control-rooms/1/sections/lists', { colorKey: 'blue' })
  expect(section).toMatchObject({ name: 'Line-ups', orderIndex: 1 })
  expect(await call('GET', '/v2/competitions/1/theme-profiles')).toMatchObject([
    { name: 'Full graphics', isDefault: true },
    { name: 'Plain', isDefault: false },
  ])
  expect(await call('GET', '/v1/streams/1')).toMatchObject({ state: 'idle', resolution: '720p', autoStream: false })
  expect(await call('GET', '/v1/streams/1/destinations')).toMatchObject({
    destinations: [{ name: 'League channel', type: 'rtmp' }],
  })
})

test('what was on air before the upgrade is in the as-run log, also of an overlay that was deleted', async () => {
  const rows = (await call('GET', '/v2/matches/1/as-run')).asRun as { overlayId: number; action: string }[]
  expect(rows.map(({ overlayId, action }) => `${overlayId} ${action}`).sort()).toEqual([
    '1 hide',
    '1 show',
    '1 show',
    '1 show',
    '1 update',
    '2 hideAll',
    '2 show',
  ])
  await call('GET', '/v2/matches/1/proof-of-play')
})

test('a command that was sent before the upgrade is answered as it was and not done again; the show goes on, and its journal makes it anew', async () => {
  const screen = renderer()
  await screen.waitFor((one) => one.shows().size === 2)
  const update = { action: 'update', presetId: 2, variableValues: { title: 'Unbeaten' } }
  // as it was kept: what answers have gained since is not in it
  const kept = await fetch(`${app.origin}/rest${commands}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'kept' },
    body: JSON.stringify(update),
  })
  expect(kept.status).toBe(200)
  expect(await kept.json()).toMatchObject({
    manualGraphicState: { 'Lower third': { variableValues: { title: 'Unbeaten' } } },
  })
  expect(screen.shows().get('lower')?.seq).toBe(5)

  await call('POST', commands, { ...update, variableValues: { title: 'Coach' } })
  await screen.waitFor((one) => one.shows().get('lower')?.variableValues.title === 'Coach')
  expect(screen.shows().get('lower')?.seq).toBe(6)
  await call('POST', '/v2/matches/1/facts', { type: 'periodStart', timestamp: '2026-03-01T19:00:00Z' })
  await call('POST', '/v2/matches/1/facts', { type: 'goal', teamId: 1, playerId: 1, timestamp: '2026-03-01T19:10:00Z' })
  await screen.waitFor((one) => JSON.stringify(one.shows().get('bug')?.data).includes('"score":{"home":1,"away":0'))
  await call('POST', commands, { action: 'hide', presetId: 1 })
  await screen.waitFor((one) => !one.shows().has('bug'))

  // of what both versions wrote; in one statement, since live data may be announced at any moment
  for (const kind of ['overlay', 'match'] as const) {
    const [actor] = await app.database.sql`
      select snapshot, (select json_agg(events order by seq) from journal j where j.ref = actor.ref) as events
      from actor where ref = ${`${kind}/1`}`
    expect(kinds[kind].replay(actor?.events.flat())).toEqual(actor?.snapshot)
  }
})
