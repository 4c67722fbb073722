import { once } from 'node:events'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { controlPageRoutes } from '../../src/resources/control-page/routes.ts'
import { routes, signedInRoutes } from '../../src/resources/index.ts'
import { monitorPageRoutes } from '../../src/resources/monitor-page/routes.ts'
import { SCOPE_RESOURCES } from '../../src/secrets/api-key.ts'
import { signedIn } from '../accounts/support.ts'
import { type Production, produce } from '../resources/support.ts'
import { newKey, startApp, type TestApp } from '../support/app.ts'
import { testMedia } from '../support/media-plane.ts'
import { foundIn, type Planted, plantSecrets } from '../support/planted.ts'
import { namedPath, type Records, recordsOf } from './records.ts'

let server: TestApp
let production: Omit<Production, 'close'>
let records: Records
let planted: Planted
/** What nobody may read who may not change streams, and not command overlays. */
let kept: Planted
let logged = ''

const log = pino(
  { level: 'trace' },
  new Writable({
    write(chunk, _encoding, done) {
      logged += chunk
      done()
    },
  }),
)

beforeAll(async () => {
  server = await startApp({ LOG_LEVEL: 'trace' }, testMedia(), log)
  production = await produce(server)
  records = await recordsOf(production, routes)
  planted = await plantSecrets(production)
  // the page of an overlay that only looks on is shown with the overlay. spec: Overlay
  kept = Object.fromEntries(Object.entries(planted).filter(([what]) => !/monitoring/i.test(what)))
})
afterAll(() => server?.close())

/** Each input and destination there is, beside the one record of every other kind. */
const each: Readonly<Record<string, string>> = { inputId: 'stream_input', destinationId: 'stream_destination' }

async function pathsOf(route: Route): Promise<string[]> {
  const path = namedPath(route)
  const many = Object.keys(each).find((name) => path.includes(`{${name}}`))
  const ids = many
    ? (await server.database.sql<{ id: number }[]>`select id from ${server.database.sql(each[many] ?? '')}`).map(
        ({ id }) => id,
      )
    : [0]
  const queries =
    path.includes('/matches') && route.query && 'include' in route.query.shape ? ['', '?include=s,o'] : ['']
  return ids.flatMap((id) =>
    queries.map(
      (query) =>
        path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(name === many ? id : (records[name] ?? (name === 'sport' ? 'football' : 'custom'))),
        ) + query,
    ),
  )
}

const readable = (list: readonly Route[]) => list.filter(({ method }) => method === 'get')

/** A socket that has been told something. One that uWS dropped as it was upgraded (`uws-sockets.ts`) comes again, as pages do. */
async function greeted(
  url: string,
  headers: Record<string, string>,
  heard: (frame: string) => void,
): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers })
  socket.on('message', (frame) => heard(String(frame)))
  const first = await Promise.race([once(socket, 'message'), once(socket, 'close')])
  if (first[0] === 1006) return greeted(url, headers, heard)
  return socket
}

type Read = (path: string) => Promise<{ status: number; text: string }>

const over =
  (prefix: string, headers: Record<string, string>): Read =>
  async (path) => {
    const answer = await fetch(`${server.origin}${prefix}${path}`, { headers, redirect: 'manual' })
    const text = await answer.text()
    return { status: answer.status, text: `${text} ${JSON.stringify([...answer.headers])}` }
  }

/** Reads everything there is, and tells where one of these stands; the number of answers that were more than a refusal. */
async function walk(read: Read, list: readonly Route[], secrets: Planted) {
  const leaks: string[] = []
  let answered = 0
  for (const route of readable(list))
    for (const path of await pathsOf(route)) {
      const { status, text } = await read(path)
      if (status === 200) answered++
      expect(status, `${operationName(route)} ${text}`).toBeLessThan(500)
      for (const what of foundIn(text, secrets)) leaks.push(`${path}: ${what}`)
    }
  return { leaks, answered }
}

describe('[issue 15.8] what lets people send or fetch video, or command an overlay, is told to nobody who only reads', () => {
  test.each([...SCOPE_RESOURCES])('a key with %s:read alone', async (resource) => {
    const { key } = await newKey(server.database, production.organizationId, [`${resource}:read`])
    const { leaks, answered } = await walk(over('/rest', { Authorization: `Bearer ${key}` }), routes, kept)
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(0)
  })

  test('a key with every read scope, and every write scope but that of streams and overlays', async () => {
    const scopes = SCOPE_RESOURCES.map((one) => `${one}:${one === 'streams' || one === 'overlays' ? 'read' : 'write'}`)
    const { key } = await newKey(server.database, production.organizationId, scopes)
    // who writes to matches may give the page at the pitch to somebody
    const { deskToken: _, ...others } = kept
    const { leaks, answered } = await walk(over('/rest', { Authorization: `Bearer ${key}` }), routes, others)
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(60)
  })

  test('an operator at the dashboard, who commands overlays', async () => {
    const { browser } = await signedIn(server, production.organizationId, 'operator')
    const read: Read = (path) => browser.send('GET', `/dashboard/rest${path}`)
    const streams = Object.fromEntries(Object.entries(kept).filter(([what]) => !what.startsWith('controlToken')))
    const { leaks, answered } = await walk(read, [...routes, ...signedInRoutes], streams)
    expect(leaks).toEqual([])
    expect(answered).toBeGreaterThan(60)
  })

  test('owners, for whom the audit list is, and whose own operations tell nothing of it', async () => {
    const { browser } = await signedIn(server, production.organizationId, 'owner')
    const { leaks } = await walk((path) => browser.send('GET', `/dashboard/rest${path}`), signedInRoutes, planted)
    expect(leaks).toEqual([])
  })

  test('the pages of an overlay', async () => {
    const { controlRoomUrl, monitoringUrl } = production.overlay
    const streams = Object.fromEntries(Object.entries(kept).filter(([what]) => !what.startsWith('controlToken')))
    for (const [url, list, secrets] of [
      [controlRoomUrl, controlPageRoutes, streams],
      [monitoringUrl, monitorPageRoutes, kept],
    ] as const) {
      const { pathname } = new URL(url)
      const { leaks, answered } = await walk(over(`${pathname}/rest`, {}), list, secrets)
      // nothing here has a browser to draw a picture with
      const drawn = readable(list).filter(({ path }) => path.endsWith('/still'))
      expect([leaks, answered]).toEqual([[], readable(list).length - drawn.length])
      expect(foundIn((await over('', {})(pathname)).text, secrets)).toEqual([])
    }
  })

  test('what needs no key: pages, descriptions, how the server is', async () => {
    const read = over('', {})
    for (const path of [
      '/',
      '/docs',
      '/docs/changes',
      '/dashboard',
      '/healthz',
      '/readyz',
      '/metrics',
      '/rest/swagger.json',
    ])
      expect([path, foundIn((await read(path)).text, planted)]).toEqual([path, []])
  })

  test('the sockets of an overlay', async () => {
    const { key } = await newKey(server.database, production.organizationId, ['overlays:read'])
    const { controlRoomUrl, monitoringUrl } = production.overlay
    const ways: [string, Record<string, string>][] = [
      [`/rest/v2/overlays/${production.overlay.id}/socket`, { Authorization: `Bearer ${key}` }],
      [`${new URL(monitoringUrl).pathname}/socket`, {}],
      [`${new URL(controlRoomUrl).pathname}/socket`, {}],
    ]
    for (const [path, headers] of ways) {
      let text = ''
      const socket = await greeted(`ws://127.0.0.1:${server.port}${path}`, headers, (frame) => {
        text += frame
      })
      // the whole state comes at once, and again with a change
      await production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, { action: 'hideAll' })
      await expect.poll(() => text).toContain('match')
      socket.terminate()
      expect([path, foundIn(text, planted)]).toEqual([path, []])
    }
  })

  test('a stored answer is not replayed to somebody who could not have asked for it', async () => {
    const { key } = await newKey(server.database, production.organizationId, ['streams:read'])
    const headers = { 'Idempotency-Key': 'camera-once' }
    const asked = { headers, body: { name: 'Kept' } }
    const first = await server.call('POST', '/v1/streams/inputs', { ...asked, key: production.apiKey })
    expect(first.status).toBe(201)
    const again = await server.call('POST', '/v1/streams/inputs', { ...asked, key })
    expect([again.status, JSON.stringify(again.body).includes(String(first.body.streamKey))]).toEqual([403, false])
  })

  test('the log, at its most talkative', () => {
    expect(logged.length).toBeGreaterThan(10_000)
    expect(foundIn(logged, planted)).toEqual([])
  })
})

test('[issue 15.8] who may change streams reads what is needed to send and fetch video', async () => {
  const { body } = await production.call('GET', '/v1/streams/inputs')
  expect(foundIn(JSON.stringify(body), planted)).toEqual(['sourceQuery', 'streamKeyNow'])
  const { key } = await newKey(server.database, production.organizationId, ['streams:read'])
  const masked = (await server.call('GET', '/v1/streams/inputs', { key })).body.inputs
  expect(masked).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'default', streamKey: '', srtUrl: 'srt://ingest.test:8890/…' }),
      expect.objectContaining({ type: 'pull', streamKey: '', srtUrl: '', sourceUrl: 'https://video.example.com/…' }),
    ]),
  )
})
