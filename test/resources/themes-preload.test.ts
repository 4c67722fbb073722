import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Production, startProduction } from './support.ts'
import { publishGraphic } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const ask = (tag?: string | null) =>
  fetch(`${production.overlay.url}/preload`, { headers: tag ? { 'If-None-Match': tag } : {} })

it('the address of an overlay that is deleted, or that never was, answers 404', async () => {
  const { body } = await production.call('POST', '/v1/overlays', {
    name: 'Plain output',
    matchId: production.matchId,
    controlRoomId: null,
  })
  const address = `${production.server.origin}/overlay/${body.key}/preload`
  expect((await fetch(address)).status).toBe(200)
  await production.call('DELETE', `/v1/overlays/${body.id}`)
  expect((await fetch(address)).status).toBe(404)
  expect((await fetch(address.replace(String(body.key), 'nobody'))).status).toBe(404)
})

it('pages that ask what to preload get 304 until another version is active', async () => {
  const first = await ask()
  expect([first.status, ((await first.json()) as object[]).length]).toEqual([200, 7])
  const tag = first.headers.get('etag')
  const again = await ask(tag)
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag])
  const versions = `/v2/themes/${production.themeId}/versions`
  await publishGraphic(production, production.themeId, production.preset('Score bug').graphicId)
  await production.call('POST', versions, { activate: true })
  // the same bytes are the same bundle
  expect((await ask(tag)).status).toBe(304)
  await production.call('PATCH', `/v2/themes/${production.themeId}`, { activeVersion: null })
  const none = await ask(tag)
  expect([none.status, await none.json()]).toEqual([200, []])
  await production.call('POST', `${versions}/1/activate`, {})
  expect((await ask(tag)).status).toBe(304)
})
