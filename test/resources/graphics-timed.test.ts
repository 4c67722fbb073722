import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const path = () => `/v2/overlays/${production.overlay.id}`
const command = (action: string, name: string, more: object = {}) =>
  production.call('POST', `${path()}/graphics/commands`, { action, presetId: production.preset(name).id, ...more })
const onAir = async () => Object.keys((await production.call('GET', path())).body.manualGraphicState as object)
const patience = { timeout: 10_000, interval: 20 }

type Row = { seq: number; at: string; action: string; graphicName: string; asked: object; by: object }
const log = async () => (await production.call('GET', `${path()}/as-run?limit=1000`)).body.asRun as Row[]

test('[show-control: Commands] a timed graphic goes off air by itself, and only that one, as the log tells', async () => {
  const shown = await command('show', 'Head coach', { durationSeconds: 1 })
  expect(Object.keys(shown.body)).toEqual(['overlayId', 'manualGraphicState', 'previewState', 'scheduled'])
  await command('show', 'Score bug')
  expect(await onAir()).toEqual(['Lower third', 'Score bug'])
  await expect.poll(onAir, patience).toEqual(['Score bug'])
  const rows = await log()
  expect(rows.map(({ seq, action, graphicName }) => [seq, action, graphicName])).toEqual([
    [1, 'show', 'Lower third'],
    [2, 'show', 'Score bug'],
    [3, 'autoHide', 'Lower third'],
  ])
  expect(rows[2]?.by).toEqual({ type: 'system', id: null, name: 'timer' })
  const late = Date.parse(rows[2]?.at ?? '') - Date.parse(rows[0]?.at ?? '') - 1_000
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThan(1_000)
  const only = await production.call('GET', `${path()}/as-run?action=autoHide`)
  expect(only.body).toMatchObject({ total: 1, asRun: [{ seq: 3 }] })
})

test('[show-control: Commands] an update leaves the time or takes it away; a later show starts it anew', async () => {
  const from = (await log()).length
  await command('show', 'Head coach', { durationSeconds: 1 })
  await command('update', 'Head coach', { variableValues: { title: 'Manager' } })
  await command('show', 'Home line-up', { durationSeconds: 1 })
  expect((await command('update', 'Home line-up', { durationSeconds: null })).status).toBe(200)
  await command('show', 'Score bug', { durationSeconds: 1 })
  await new Promise((resolve) => setTimeout(resolve, 600))
  await command('show', 'Score bug', { durationSeconds: 1 })
  await expect.poll(onAir, patience).toEqual(['Line-up card'])
  const rows = (await log()).slice(from)
  const outs = rows.filter(({ action }) => action === 'autoHide')
  expect(outs.map(({ graphicName }) => graphicName)).toEqual(['Lower third', 'Score bug'])
  const shows = rows.filter(({ action, graphicName }) => action === 'show' && graphicName === 'Score bug')
  expect(Date.parse(outs[1]?.at ?? '') - Date.parse(shows[1]?.at ?? '')).toBeGreaterThanOrEqual(1_000)
  const { sql } = production.server.database
  expect(await sql`select name from timer where ref = ${`overlay/${production.overlay.id}`}`).toEqual([])
  await command('hide', 'Home line-up')
})

test.each([
  ['show', 0],
  ['show', 3_601],
  ['show', 1.5],
  ['show', '8'],
  ['update', 8],
  ['hide', 8],
  ['hide', null],
])('%s with durationSeconds %s is refused, and nothing happens', async (action, durationSeconds) => {
  const before = (await log()).length
  const refused = await command(action, 'Head coach', { durationSeconds })
  expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([400, ['body.durationSeconds']])
  expect((await log()).length).toBe(before)
})
