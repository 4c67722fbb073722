import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { MonitoredAsRun, MonitoredRoom, MonitoredStreams } from '../../src/resources/monitor-page/schema.ts'
import { signedIn } from '../accounts/support.ts'
import { Renderer } from '../support/renderer.ts'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio
beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())

const ask = (path: string, address = studio.production.overlay.monitoringUrl, method = 'GET') =>
  fetch(`${address}/rest${path}`, { method })

/** What the page of an overlay is told, held against its schema. */
async function told<Shape extends z.ZodType>(schema: Shape, path: string, address?: string): Promise<z.output<Shape>> {
  const answer = await ask(path, address)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  return schema.parse(await answer.json())
}

test('[issue 6.3] the page learns what presets and sections are called', async () => {
  const { presets, sectionIds } = studio.production
  const room = await told(MonitoredRoom, '/room')
  expect(room.sections.map(({ id }) => id)).toEqual(sectionIds)
  expect(room.presets.map(({ id, name, sectionId }) => ({ id, name, sectionId }))).toEqual(
    presets.map(({ id, name, sectionId }) => ({ id, name, sectionId })),
  )
  expect(JSON.stringify(room)).not.toContain('variableValues')
})

test('[issue 6.3] the streams of the overlay come first, then those of its match, with bitrates and without secrets', async () => {
  const { media, production, stream, destination, run, match } = studio
  const clean = await stream({ name: 'Clean feed', overlayId: null })
  const second = await stream({ name: 'Second feed' })
  const ofAnotherMatch = await stream({ name: 'Elsewhere', matchId: await match(), overlayId: null })
  const destinationId = await destination(second)
  await run(second)
  const history = [{ at: Date.now() - 5_000, bitrateKb: 4_100 }]
  media.measures.set(`input/${production.inputId}`, { bitrateKb: 4_200, history })
  const { streams } = await told(MonitoredStreams, '/streams')
  const ids = streams.map(({ streamSettingsId }) => streamSettingsId)
  expect(ids).toEqual([production.streamSettingsId, second, clean])
  expect(ids).not.toContain(ofAnotherMatch)
  expect(streams[1]).toMatchObject({
    name: 'Second feed',
    overlayId: production.overlay.id,
    state: 'live',
    input: { history: [{ bitrateKb: 4_100 }] },
    destinations: [{ id: destinationId, name: 'Channel', status: 'connecting' }],
  })
  const text = JSON.stringify(streams)
  for (const secret of ['very-secret-key', 'live.example.com', production.overlay.key, production.apiKey])
    expect(text).not.toContain(secret)
})

test('[issue 6.3] the last rows of the as-run log come newest first, with when they were painted', async () => {
  const { production } = studio
  const { overlay } = production
  expect(await told(MonitoredAsRun, '/as-run', studio.stranger.overlay.monitoringUrl)).toEqual({ asRun: [] })
  for (let count = 0; count < 20; count++) {
    await production.fire('show', 'Head coach')
    await production.fire('hide', 'Head coach')
  }
  const renderer = new Renderer({ url: `${overlay.url.replace('http', 'ws')}/socket?renderer=obs` })
  await renderer.waitFor(({ connected }) => connected)
  await production.fire('show', 'Score bug')
  await renderer.waitFor((shown) => shown.shows().size === 1)
  const latest = async () => (await told(MonitoredAsRun, '/as-run')).asRun
  await expect.poll(async () => (await latest())[0]?.painted.renderers, { timeout: 10_000 }).toBe(1)
  renderer.close()
  const rows = await latest()
  expect(rows).toHaveLength(30)
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => 41 - index))
  expect(rows[0]).toMatchObject({
    action: 'show',
    graphicName: 'Score bug',
    presetId: production.preset('Score bug').id,
    by: { type: 'key' },
    painted: { renderers: 1, firstMs: expect.any(Number), lastMs: expect.any(Number) },
  })
  expect(Object.keys(rows[0] ?? {})).not.toContain('asked')
})

test('[issue 6.3] a person is named without the address of their e-mail', async () => {
  const { server, organizationId, overlay } = studio.production
  const { browser, email } = await signedIn(server, organizationId, 'operator')
  const path = `/v2/overlays/${overlay.id}/graphics/commands`
  expect((await browser.api('POST', path, { action: 'hideAll' })).status).toBe(200)
  const rows = await told(MonitoredAsRun, '/as-run')
  expect(rows.asRun[0]?.by).toEqual({ type: 'person', name: email.split('@')[0] })
  expect(JSON.stringify(rows)).not.toContain(email)
})

test('[issue 6.3] nothing behind the door of the page can change anything', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    for (const path of ['/room', '/streams', '/as-run', '/graphics/commands', '/v1/teams'])
      expect([404, 405], `${method} ${path}`).toContain((await ask(path, undefined, method)).status)
})

test('[issue 6.3] an address that was made up opens nothing', async () => {
  const { origin } = studio.production.server
  for (const path of ['/room', '/streams', '/as-run'])
    for (const token of ['x', studio.production.overlay.key, 'a'.repeat(300)])
      expect((await ask(path, `${origin}/monitor/${token}`)).status).toBe(404)
})
