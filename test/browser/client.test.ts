import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildClient, client } from '../clients/built.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { shellPath } from '../support/browsers.ts'
import { noChromium } from './support/chromium.ts'

/** A machine of somebody's network: no https, and another origin than the server's. */
const STATION = 'station.test'

/** What a page of this kind does, as its own script. */
const PANEL = `async ({ url, key, overlayId, room, presetId }) => {
  const { createTally } = await import('/index.js')
  const tally = createTally({ url, key })
  const heard = []
  for await (const { type } of tally.follow(room)) {
    heard.push(type)
    const asked = { path: { overlayId }, body: { action: 'show', presetId } }
    if (type === 'SNAPSHOT') await tally.post('/v2/overlays/{overlayId}/graphics/commands', asked)
    if (type === 'CHANGE') break
  }
  const lamps = async (has) => {
    const headers = { Authorization: 'Bearer ' + key, ...(has && { 'If-None-Match': has }) }
    const answer = await fetch(url + '/rest/v2/overlays/' + overlayId + '/state', { headers, cache: 'no-store' })
    return { status: answer.status, etag: answer.headers.get('etag') }
  }
  const first = await lamps()
  let last = first
  // what was shown may not have reached the lamps yet
  for (let tries = 0; tries < 50 && last.status === 200; tries++) last = await lamps(last.etag)
  return { isSecure: isSecureContext, heard, etag: first.etag, again: last.status }
}`
type Seen = { isSecure: boolean; heard: string[]; etag: string | null; again: number }

describe.skipIf(noChromium)('[issue 20.5] the client in a page of somebody else', () => {
  let production: Production
  let browser: Browser
  const pages = createServer(async (request, response) => {
    const name = basename(request.url ?? '')
    const isModule = /^[a-z]+\.js$/.test(name)
    response.setHeader('Content-Type', isModule ? 'text/javascript' : 'text/html')
    response.end(isModule ? await readFile(join(client, 'dist', name)) : '<!doctype html><title>Panel</title>')
  })
  beforeAll(async () => {
    await buildClient()
    production = await startProduction()
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({
      executablePath: shellPath ?? '',
      args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${STATION} 127.0.0.1`],
    })
  })
  afterAll(async () => {
    await browser?.close()
    pages.close()
    await production?.close()
  })

  test('commands and follows an overlay, and is not told the same lamps twice', async () => {
    const page = await browser.newPage()
    await page.goto(`http://${STATION}:${(pages.address() as AddressInfo).port}/`)
    const { server, overlay, apiKey: key, preset } = production
    const asked = { url: server.origin, key, overlayId: overlay.id, room: overlay.controlRoomUrl }
    const given = JSON.stringify({ ...asked, presetId: preset('Score bug').id })
    const seen = await page.evaluate<Seen>(`(${PANEL})(${given})`)
    expect(seen).toMatchObject({ isSecure: false, etag: expect.stringMatching(/^".+"$/), again: 304 })
    expect([seen.heard[0], seen.heard.at(-1)]).toEqual(['SNAPSHOT', 'CHANGE'])
  })
})
