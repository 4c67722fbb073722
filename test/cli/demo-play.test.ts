import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { admin } from '../support/admin.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('built')
})
afterAll(() => production.close())

const play = (...more: string[]) =>
  admin(['demo', '--play', ...more], {
    environment: { DATABASE_URL: production.server.database.url, PUBLIC_URL: production.server.origin },
  })
type Line = { action: string; graphicName: string; by: { type: string; name: string }; variableValues: object }
const asRun = async () =>
  (await production.call('GET', `/v2/overlays/${production.overlay.id}/as-run?limit=1000`)).body.asRun as Line[]
const shows = (lines: readonly Line[]) =>
  lines.flatMap(({ action, by }) => (action === 'show' && by.type === 'gamePlan' ? [by.name] : []))

test('[issue 18.8] the demo plays its match by itself: told over the API, its plan puts everything on air, and again', {
  timeout: 60_000,
}, async () => {
  const { code, stdout, stderr } = await play('--speed', '1200')
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  const { overlayId, facts, overlayUrl } = JSON.parse(stdout)
  expect(overlayId).toBe(production.overlay.id)
  expect(stderr.split('\n')[0]).toContain(`Open ${overlayUrl}?bg=checker`)
  expect(stderr).toContain("12' goal Norrvik Athletic Mateus Conceição")
  const { body } = await production.call('GET', `/v2/matches/${production.matchId}/summary`)
  expect(body).toMatchObject({ state: 'finished', score: { home: 2, away: 1 } })
  // delays are not accelerated: what was told before kick-off may come behind it
  await expect.poll(async () => shows(await asRun()), { timeout: 10_000 }).toContain('Full-time result')
  const first = shows(await asRun())
  const names = ['Home line-up before kick-off', 'Score bug with the half', 'Goal scorer', 'Half-time score']
  for (const name of names) expect(first).toContain(name)
  expect(first.filter((name) => name === 'Score bug with the half')).toHaveLength(2)
  const keys = await production.server.database.sql`select name from api_key where name like 'admin%'`
  expect(keys).toEqual([])

  const again = await play('--speed', '2400')
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout).facts).toBeGreaterThan(0)
  expect(JSON.parse(again.stdout).facts).toBeLessThanOrEqual(facts)
  const all = shows(await asRun())
  // of a time that passes so fast a busy machine may leave out what is over by the time it looks
  const begun = ['Home line-up before kick-off', 'Score bug with the half']
  const played = all.slice(first.length).filter((name) => begun.includes(name))
  expect(played.slice(0, 2)).toEqual(begun)
  const listed = await production.call('GET', `/v2/matches/${production.matchId}/facts?limit=1000`)
  expect((listed.body.facts as unknown[]).length).toBe(JSON.parse(again.stdout).facts)
})

test('what it needs is said in a line', async () => {
  expect((await play('--name', 'Mine')).stderr).toContain('leave out --name')
  expect((await play('--speed', '0')).stderr).toContain('--speed: must be 1 to 10000')
  expect((await admin(['demo', '--speed', '5'])).stderr).toContain('--speed is of --play')
})
