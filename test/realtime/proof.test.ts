import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { ProofOfPlay } from '../../src/resources/proof-of-play/schema.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { Renderer } from '../support/renderer.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const PATIENCE = 30_000

const render = (name: string) => {
  const { server, overlay } = production
  const url = `${server.origin.replace('http', 'ws')}/overlay/${overlay.key}/socket?renderer=${name}`
  const renderer = new Renderer({ url, reconnectMs: 20 })
  onTestFinished(() => renderer.close())
  return renderer
}

const proof = async (query = '') => {
  const { body } = await production.call('GET', `/v2/matches/${production.matchId}/proof-of-play${query}`)
  return ProofOfPlay.parse(body)
}

test('[issue 6.5] what a real renderer painted is proved, over a restart of the server and the deletion of the overlay', async () => {
  const main = render('main')
  await main.waitFor(({ connected }) => connected)
  await production.fire('show', 'Match partner')
  await main.waitFor((one) => one.shows().size === 1)
  await vi.waitFor(async () => expect((await proof()).plays[0]?.renderers).toHaveLength(1), PATIENCE)
  await production.server.restart()
  // the engine may drop a fresh socket, and the renderer tries again
  await main.waitFor((one) => one.connections >= 2 && one.connected, PATIENCE)
  // it comes back showing it, and nothing is sent again
  const before = (await proof()).plays[0]?.paintedSeconds ?? 0
  await vi.waitFor(async () => expect((await proof()).plays[0]?.paintedSeconds).toBeGreaterThan(before + 0.3), PATIENCE)
  await production.fire('show', 'Kit partner')
  await production.fire('hide', 'Kit partner')
  await main.waitFor((one) => one.shows().size === 0)
  await vi.waitFor(async () => expect((await proof()).plays).toHaveLength(2), PATIENCE)
  // reports of what went off are stored a moment later
  const { id } = production.overlay
  const { sql } = production.server.database
  await vi.waitFor(async () => {
    const [state] = await sql<{ reported: boolean }[]>`
      select coalesce((select max(seq) from paint where overlay_id = ${id}), 0) = seq as reported
      from actor where ref = ${`overlay/${id}`}`
    expect(state?.reported).toBe(true)
  }, PATIENCE)
  const told = await proof()
  expect(told.brands.map(({ brand }) => brand)).toEqual(['Fjordline Coffee', 'Kestrel Outdoor'])
  for (const { committedSeconds, paintedSeconds, gaps } of told.plays) {
    const explained = Object.values(gaps).reduce((sum, one) => sum + one, paintedSeconds)
    expect(explained).toBeCloseTo(committedSeconds, 2)
  }
  // the server was away for a moment, and nobody was connected to it
  expect(told.plays[0]?.gaps.noRendererSeconds).toBeGreaterThan(0)
  expect((await proof('?renderer=other')).paintedSeconds).toBe(0)
  await production.call('DELETE', `/v1/overlays/${production.overlay.id}`)
  const after = await proof()
  expect(after.overlays).toEqual([{ id: production.overlay.id, name: expect.any(String), removed: true }])
  expect(
    after.plays.map(({ brand, committedSeconds, paintedSeconds }) => [brand, committedSeconds, paintedSeconds]),
  ).toEqual(told.plays.map(({ brand, committedSeconds, paintedSeconds }) => [brand, committedSeconds, paintedSeconds]))
})
