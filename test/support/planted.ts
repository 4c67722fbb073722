import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { connectProvider } from '../../src/resources/providers/commands.ts'
import type { Production } from '../resources/support.ts'

/** Secrets that a test has given a server or been given by it, by what they are. */
export type Planted = Readonly<Record<string, string>>

const recognisable = (what: string) => `${what}-${randomBytes(12).toString('hex')}`
/** The unguessable part of a page's address. */
const tokenOf = (url: unknown) => String(url).split('/').at(-1) ?? ''

/**
 * Gives one organization every kind of secret there is, through the API as a client would, each request under an
 * Idempotency-Key, so that the kept answers hold them too. The media plane must be the one of the tests.
 */
export async function plantSecrets(production: Omit<Production, 'close'>): Promise<Planted> {
  const { server, apiKey, organizationId, streamSettingsId, matchId, overlay, controlRoomId } = production
  const send = async (method: string, path: string, body?: object) => {
    const headers = { 'Idempotency-Key': recognisable('once') }
    const answer = await server.call(method, path, { key: apiKey, headers, ...(body && { body }) })
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    return answer.body
  }
  const secret = Object.fromEntries(
    'sourcePath sourceQuery destinationPath destinationKey passphrase streamId feedToken feedQuery'
      .split(' ')
      .map((what) => [what, recognisable(what)]),
  )

  const camera = await send('POST', '/v1/streams/inputs', { name: 'Camera' })
  const rotated = await send('POST', `/v1/streams/inputs/${camera.id}/key`)
  const pulled = await send('POST', '/v1/streams/inputs', {
    name: 'Fetched',
    type: 'pull',
    sourceUrl: `rtmp://video.example.com/app/${secret.sourcePath}`,
  })
  const sourceUrl = `https://video.example.com/a.m3u8?k=${secret.sourceQuery}`
  await send('PATCH', `/v1/streams/inputs/${pulled.id}`, { sourceUrl })

  const destinations = `/v1/streams/${streamSettingsId}/destinations`
  const pushed = await send('POST', destinations, {
    name: 'Channel',
    type: 'rtmp',
    url: `rtmp://live.example.com/${secret.destinationPath}`,
    streamKey: recognisable('earlier'),
  })
  await send('PATCH', `/v1/streams/destinations/${pushed.id}`, { streamKey: secret.destinationKey })
  await send('POST', destinations, {
    name: 'Partner',
    type: 'srt',
    url: `srt://live.example.com:9000?streamid=${secret.streamId}&passphrase=${secret.passphrase}`,
  })
  const fetched = await send('POST', destinations, { name: 'Players', type: 'pull' })

  await connectProvider(server.database.db, organizationId, {
    provider: 'custom',
    url: `https://feed.example.com/matches?key=${secret.feedQuery}`,
    intervalSeconds: 3_600,
    token: secret.feedToken ?? '',
  })

  const made = await send('POST', '/v1/overlays', { name: 'Second screen', matchId, controlRoomId })
  await send('POST', `/v2/overlays/${made.id}/links/rotate`, { links: ['control', 'monitoring'] })
  const links = await send('GET', `/v2/overlays/${made.id}`)
  // by the link of the page, which is in the path that is kept with the answer
  const pressed = await fetch(`${overlay.controlRoomUrl}/rest/graphics/commands`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': recognisable('press') },
    body: JSON.stringify({ action: 'hideAll' }),
  })
  expect(pressed.status).toBe(200)

  const desk = await send('POST', `/v2/matches/${matchId}/links/rotate`, { links: ['desk'] })

  return {
    ...secret,
    deskToken: tokenOf(desk.deskUrl),
    streamKey: String(camera.streamKey),
    streamKeyNow: String(rotated.streamKey),
    pullToken: /live\/([^/]+)/.exec(String(fetched.url))?.[1] ?? '',
    controlToken: tokenOf(overlay.controlRoomUrl),
    monitoringToken: tokenOf(overlay.monitoringUrl),
    earlierControlToken: tokenOf(made.controlRoomUrl),
    earlierMonitoringToken: tokenOf(made.monitoringUrl),
    controlTokenNow: tokenOf(links.controlRoomUrl),
    monitoringTokenNow: tokenOf(links.monitoringUrl),
  }
}

/** Which of these stand in a text, as they are or as a URL or JSON writes them. */
export const foundIn = (text: string, planted: Planted): string[] =>
  Object.entries(planted)
    .filter(([, value]) => text.includes(value))
    .map(([what]) => what)
