import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { controlPageRoutes } from '../../src/resources/control-page/routes.ts'
import { routes, signedInRoutes } from '../../src/resources/index.ts'
import { deskRoutes } from '../../src/resources/matches/desk.routes.ts'
import { monitorPageRoutes } from '../../src/resources/monitor-page/routes.ts'
import { signedIn } from '../accounts/support.ts'
import { newKey } from '../support/app.ts'
import { digester } from '../support/digest.ts'
import { recordingLog } from '../support/http.ts'
import { Renderer } from '../support/renderer.ts'
import { Studio } from '../support/studio.ts'
import { type House, type Houses, type Secret, secretOf, startHouses } from './support.ts'

const { log, lines } = recordingLog()
let houses: Houses
let digest: () => Promise<string>
beforeAll(async () => {
  houses = await startHouses(log)
  // what the set-up set off is done before anything is compared
  const idle = async () =>
    expect(await houses.app.database.sql`select from outbox where kind = 'reaction'`).toHaveLength(0)
  await vi.waitFor(idle, { timeout: 30_000, interval: 50 })
  digest = await digester(houses.app.database)
})
afterAll(() => houses.app.close())

const OWN: Readonly<Record<string, readonly string[]>> = {
  control: controlPageRoutes.map(operationName),
  monitor: monitorPageRoutes.map(operationName),
  desk: deskRoutes.map(operationName),
}
const EVERY = [...routes, ...signedInRoutes, ...controlPageRoutes, ...monitorPageRoutes, ...deskRoutes]
const patience = { timeout: 10_000, interval: 50 }

/** The path of a route with ids that are there: what is refused is refused for who asks. */
function pathOf({ path }: Route, house: House): string {
  const ids: Readonly<Record<string, number | string | undefined>> = {
    overlayId: house.overlay.id,
    matchId: house.matchId,
    themeId: house.themeId,
    roomId: house.controlRoomId,
    presetId: house.presets[0]?.id,
    graphicId: house.presets[0]?.graphicId,
    sectionId: house.sectionIds[0],
    teamId: house.teamIds[0],
    streamSettingsId: house.streamSettingsId,
    inputId: house.inputId,
    destinationId: house.destinationIds[0],
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => String(ids[name] ?? 1))
}

/** Asks an operation with a body wherever it may have one. */
const asking = ({ method }: Route, url: string, headers: Record<string, string> = {}) =>
  houses.ask(method.toUpperCase(), url, { headers, body: method === 'get' ? '' : '{}' })

const fire = (house: House, action: string, preset = 'Head coach') => house.fire(action, preset)

test('[issue 6] addresses are unguessable, and none is like another', () => {
  const secrets = [...houses.own.secrets, ...houses.other.secrets]
  for (const { kind, value } of secrets)
    expect(value, kind).toMatch(kind === 'key' ? /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f-]{17}$/ : /^[\w-]{43}$/)
  expect(new Set(secrets.map(({ value }) => value)).size).toBe(secrets.length)
})

test('[issue 6] no address of a page is an API key: header, cookie or query, every operation answers 401', async () => {
  const before = await digest()
  const wrong: string[] = []
  for (const { kind, value } of houses.own.secrets) {
    const places: [string, Record<string, string>][] = [
      ['', { authorization: `Bearer ${value}` }],
      ['', { authorization: `Bearer service_${value}` }],
      ['', { 'x-service-api-key': value }],
      ['', { cookie: `token=${value}; better-auth.session_token=${value}` }],
      [`?token=${value}&key=${value}&apiKey=${value}&api_key=${value}&access_token=${value}`, {}],
    ]
    for (const route of EVERY)
      for (const [query, headers] of places)
        for (const prefix of ['/rest', '/dashboard/rest']) {
          const { status } = await asking(route, `${prefix}${pathOf(route, houses.own)}${query}`, {
            'x-requested-with': 'tally',
            ...headers,
          })
          if (status !== 401) wrong.push(`${status} ${prefix} ${operationName(route)} ${kind}`)
        }
  }
  expect(wrong).toEqual([])
  expect(await digest()).toBe(before)
})

test('[issue 6] behind the door of a page stands what the page is for, and nothing else of any door', async () => {
  const before = await digest()
  const wrong: string[] = []
  for (const { kind, value } of houses.own.secrets)
    for (const door of ['control', 'monitor', 'desk', 'overlay', 'preview', 'replay'])
      for (const route of EVERY) {
        const isOwn = kind === door && OWN[door]?.includes(operationName(route))
        // what it does is the matter of other tests
        if (isOwn && route.method !== 'get') continue
        const { status } = await asking(route, `/${door}/${value}/rest${pathOf(route, houses.own)}`)
        // nothing here has a browser to draw a picture with
        if (isOwn && route.path.endsWith('/still') && status === 404) continue
        if (isOwn ? status !== 200 : status !== 404 && status !== 405)
          wrong.push(`${status} /${door} ${operationName(route)} with ${kind}`)
      }
  expect(wrong).toEqual([])
  expect(await digest()).toBe(before)
})

test('[issue 6] no other spelling of a path leads out of a door, or in', async () => {
  const [control, monitor] = [secretOf(houses.own, 'control'), secretOf(houses.own, 'monitor')]
  const beyond = ['v1/teams', `v2/overlays/${houses.own.overlay.id}`, 'dashboard/rest/v1/me', 'v1/keys']
  const ways = ['/rest/../rest/', '/rest/../../../rest/', '/rest/%2e%2e/%2e%2e/%2e%2e/rest/', '/rest//', '/rest/./']
  const paths = [`/control/${control}`, `/monitor/${monitor}`].flatMap((page) =>
    [...ways, '/rest/..;/', '/rest%2f', '/rest\\', '/REST/', '//rest/'].flatMap((way) =>
      beyond.map((path) => `${page}${way}${path}`),
    ),
  )
  const strange = [
    `/control/${control}%00/rest/room`,
    `/control/${control}%20/rest/room`,
    `/control/ ${control}/rest/room`,
    `/control/${control.slice(0, -1)}/rest/room`,
    `/control/${control}a/rest/room`,
    `/control/${control.toLowerCase()}/rest/room`,
    `/control/%25/rest/room`,
    `/control/*/rest/room`,
    `/control/'%20or%20'1'='1/rest/room`,
    '/control//rest/room',
    '/monitor//rest/room',
    `/Monitor/${monitor}/rest/room`,
  ]
  for (const path of [...paths, ...strange]) {
    const { status, body } = await houses.ask('GET', path)
    expect([400, 401, 404, 405], path).toContain(status)
    expect(String(body), path).not.toMatch(/"(teams|overlay|presets|sections|email)"/)
  }
})

test('[issue 6.3] the monitoring page reads: no method, header or key makes a write of it', async () => {
  const page = `/monitor/${secretOf(houses.own, 'monitor')}/rest`
  const before = await digest()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'BREW'])
    for (const { path } of [...monitorPageRoutes, ...controlPageRoutes]) {
      const { status } = await houses.ask(method, `${page}${path}`, {
        headers: { 'idempotency-key': 'k', 'content-type': 'application/json' },
        body: '{"action":"hideAll"}',
      })
      expect([404, 405], `${method} ${path}`).toContain(status)
    }
  for (const header of ['x-http-method-override', 'x-original-url', 'x-rewrite-url'])
    await houses.ask('GET', `${page}/room?_method=POST`, { headers: { [header]: 'POST' } })
  expect(await digest()).toBe(before)
})

test('[issue 6.1] the control room page commands its own overlay with its own presets, whatever is asked', async () => {
  const { own, other } = houses
  const command = async (house: House, body: object, key = '') => {
    const { status, body: text } = await houses.ask(
      'POST',
      `/control/${secretOf(house, 'control')}/rest/graphics/commands`,
      { headers: key === '' ? {} : { 'idempotency-key': key }, body: JSON.stringify(body) },
    )
    return { status, answer: JSON.parse(String(text)) }
  }
  const stateOf = async ({ call, overlay }: House) =>
    (await call('GET', `/v2/overlays/${overlay.id}`)).body.manualGraphicState
  const [mine, theirs] = [own.preset('Head coach').id, other.preset('Head coach').id]
  expect((await command(own, { action: 'show', presetId: theirs })).status).toBe(400)
  await fire(other, 'show')
  const before = await stateOf(other)
  const [shown, aimed] = [
    await command(own, { action: 'show', presetId: mine }, 'one'),
    await command(own, { action: 'hideAll', overlayId: other.overlay.id, organizationId: other.organizationId }),
  ]
  expect(shown).toMatchObject({ status: 200, answer: { overlayId: own.overlay.id } })
  expect(aimed.status === 400 || aimed.answer.overlayId === own.overlay.id).toBe(true)
  expect(await stateOf(other)).toEqual(before)
  // the same key behind another door is another key
  const replayed = await command(other, { action: 'show', presetId: mine }, 'one')
  expect(JSON.stringify(replayed)).not.toContain(`"overlayId":${own.overlay.id}`)
  expect(replayed.status).toBe(400)
})

test('[issue 6] each page opens for the address that it belongs to, and for no other', async () => {
  const pages: Readonly<Record<Secret['kind'], readonly string[]>> = {
    key: ['/overlay/{}', '/overlay/{}/preload'],
    control: ['/control/{}', '/control/{}/picture', '/control/{}/picture/preload'],
    monitor: ['/monitor/{}', '/monitor/{}/picture', '/monitor/{}/picture/preload'],
    desk: ['/desk/{}', '/desk/{}/manifest.webmanifest'],
    preview: ['/preview/{}', '/preview/{}/info'],
    replay: ['/replay/{}', '/replay/{}/record'],
  }
  for (const [opener, patterns] of Object.entries(pages))
    for (const pattern of patterns)
      for (const { kind, value } of houses.own.secrets) {
        const { status, body } = await houses.ask('GET', pattern.replace('{}', value))
        expect([pattern, kind, status]).toEqual([pattern, kind, kind === opener ? 200 : 404])
        // what a page is told opens nothing else
        for (const other of houses.own.secrets.filter((secret) => secret.kind !== kind))
          expect([pattern, other.kind, String(body).includes(other.value)]).toEqual([pattern, other.kind, false])
      }
})

const SOCKETS = [...new Studio().hub.endpoints().map(({ path }) => path), '/desk/{token}/socket']
/** Whose address opens which socket. */
const opens = (path: string, kind: Secret['kind']) =>
  path.startsWith('/overlay/') ? kind === 'key' : path.startsWith(`/${kind}/`) && !path.startsWith('/rest')

test('[issue 6] each socket opens for the address that it belongs to, and for no other', async () => {
  const { own, knock } = houses
  expect(SOCKETS.length).toBeGreaterThanOrEqual(6)
  for (const pattern of SOCKETS)
    for (const { kind, value } of own.secrets) {
      const path = pattern.replace('{overlayId}', String(own.overlay.id)).replace(/\{\w+\}/, value)
      for (const headers of [{}, { Authorization: `Bearer ${value}` }, { 'x-service-api-key': value }]) {
        const { status, socket } = knock(`${path}?token=${value}&key=${value}`, headers)
        const expected = opens(pattern, kind) ? 101 : pattern.startsWith('/rest') ? 401 : 404
        expect([pattern, kind, await status]).toEqual([pattern, kind, expected])
        socket.terminate()
      }
    }
})

test('[issue 6] nobody who follows has a say: a word closes the socket, and a picture reports no paint', async () => {
  const { own, knock, app } = houses
  const { overlay } = own
  for (const url of [overlay.controlRoomUrl, overlay.monitoringUrl]) {
    const path = new URL(url).pathname
    const follower = knock(`${path}/socket`)
    expect(await follower.status).toBe(101)
    follower.socket.send(JSON.stringify({ type: 'READY', payload: { showing: [] } }))
    expect(await follower.closed).toBe(1008)
  }
  const ws = app.origin.replace('http', 'ws')
  const names = { picture: 'forged', renderer: 'honest' }
  const picture = new Renderer({
    url: `${ws}${new URL(overlay.monitoringUrl).pathname}/picture/socket?renderer=${names.picture}`,
  })
  const renderer = new Renderer({ url: `${ws}/overlay/${overlay.key}/socket?renderer=${names.renderer}` })
  await fire(own, 'hide')
  await fire(own, 'show')
  await picture.waitFor((one) => one.shows().size === 1)
  const paintedBy = async () => {
    const { body } = await own.call('GET', `/v2/overlays/${overlay.id}/as-run?limit=1000`)
    const [row] = (body.asRun as { painted: { renderer: string }[] }[]).slice(-1)
    return row?.painted.map((paint) => paint.renderer)
  }
  await expect.poll(paintedBy, patience).toEqual([names.renderer])
  const { body } = await own.call('GET', `/v2/overlays/${overlay.id}/as-run?limit=1000`)
  expect(JSON.stringify(body)).not.toContain(names.picture)
  picture.close()
  renderer.close()
})

test('[issue 6] a rotated address is refused at once everywhere, also to whoever repeats a command that was answered', async () => {
  const { own, ask, knock } = houses
  const [control, monitor, key] = [secretOf(own, 'control'), secretOf(own, 'monitor'), secretOf(own, 'key')]
  const again = { headers: { 'idempotency-key': 'hide' }, body: '{"action":"hideAll"}' }
  const commands = `/control/${control}/rest/graphics/commands`
  expect((await ask('POST', commands, again)).status).toBe(200)
  const paths = [`/control/${control}`, `/monitor/${monitor}`, `/overlay/${key}`]
  const sockets = paths.flatMap((path) => [
    `${path}/socket`,
    ...(path.startsWith('/o') ? [] : [`${path}/picture/socket`]),
  ])
  const open = sockets.map((path) => knock(path))
  expect(await Promise.all(open.map(({ status }) => status))).toEqual(sockets.map(() => 101))
  const closed = Promise.all(open.map((one) => one.closed))

  const links = ['control', 'monitoring', 'production']
  const rotated = await own.call('POST', `/v2/overlays/${own.overlay.id}/links/rotate`, { links })
  expect(rotated.status).toBe(200)

  expect((await ask('POST', commands, again)).status).toBe(404)
  const below = [
    '',
    '/picture',
    '/picture/preload',
    '/preload',
    '/file',
    '/rest/room',
    '/rest/choices',
    '/rest/streams',
    '/rest/as-run',
  ]
  for (const page of paths)
    for (const path of below) expect([page + path, (await ask('GET', page + path)).status]).toEqual([page + path, 404])
  for (const path of sockets) expect([path, await knock(path).status]).toEqual([path, 404])
  expect(await closed).toEqual(sockets.map(() => 1008))

  const { controlRoomUrl, monitoringUrl, productionUrl } = rotated.body as Record<string, string>
  for (const url of [controlRoomUrl, monitoringUrl, productionUrl]) {
    const path = new URL(url ?? '').pathname
    expect([control, monitor, key]).not.toContain(path.split('/').at(-1))
    expect((await ask('GET', path)).status).toBe(200)
  }
})

test('[issue 6] a deleted overlay takes all of its addresses along', async () => {
  const { other, ask, knock } = houses
  const made = await other.call('POST', '/v1/overlays', {
    name: 'Short',
    matchId: other.matchId,
    controlRoomId: other.controlRoomId,
  })
  const { id, key, controlRoomUrl, monitoringUrl } = made.body as Record<string, string>
  const pages = [controlRoomUrl, monitoringUrl].map((url) => new URL(url ?? '').pathname).concat(`/overlay/${key}`)
  for (const page of pages) expect((await ask('GET', page)).status).toBe(200)
  expect((await other.call('DELETE', `/v1/overlays/${id}`)).status).toBeLessThan(300)
  for (const page of pages) {
    for (const path of ['', '/rest/room', '/picture']) expect((await ask('GET', page + path)).status).toBe(404)
    expect(await knock(`${page}/socket`).status).toBe(404)
  }
})

test('[issue 6] a key that may only read is not told the address that commands', async () => {
  const { app, own, other } = houses
  const control = secretOf(other, 'control')
  const reads = ['overlays:read', 'matches:read', 'themes:read']
  const { key } = await newKey(app.database, other.organizationId, reads)
  for (const path of [
    `/v1/overlays/${other.overlay.id}`,
    `/v2/overlays/${other.overlay.id}`,
    '/v1/overlays',
    '/v2/overlays',
    `/v2/matches/${other.matchId}?include=o`,
    '/v2/matches?include=o',
    `/v2/control-rooms/${other.controlRoomId}`,
  ]) {
    const told = await app.call('GET', path, { key })
    expect([path, told.status]).toEqual([path, 200])
    expect(JSON.stringify(told.body), path).toContain(secretOf(other, 'monitor'))
    expect(JSON.stringify(told.body), path).not.toContain(control)
  }
  expect((await other.call('GET', `/v2/overlays/${other.overlay.id}`)).body.controlRoomUrl).toContain(control)
  expect(JSON.stringify((await own.call('GET', '/v2/overlays')).body)).not.toContain(control)
})

test('[issue 6.4] who is signed in at the dashboard has neither the API nor a socket by it', async () => {
  const { app, own, ask, knock } = houses
  const { browser } = await signedIn(app, own.organizationId, 'owner')
  const { cookie } = browser
  expect((await browser.api('GET', '/v1/me')).status).toBe(200)
  const path = `/v2/overlays/${own.overlay.id}`
  expect((await ask('GET', `/rest${path}`, { headers: { cookie, 'x-requested-with': 'tally' } })).status).toBe(401)
  expect(await knock(`/rest${path}/socket`, { Cookie: cookie }).status).toBe(401)
})

test('[issue 6] no address is in the log, the journal, any other row, or the metrics', async () => {
  const { app, own, other, ask } = houses
  const { secrets } = other
  // what is wrong is logged with more words
  for (const { value } of secrets) {
    await ask('GET', `/control/${value}/rest/room?limit=${value}`)
    await ask('POST', `/control/${value}/rest/graphics/commands`, { body: `{"action":"${value}"` })
    await ask('GET', `/rest/${value}`, { headers: { authorization: `Bearer ${value}` } })
    await ask('GET', `/nothing/${value}`)
  }
  const named = secrets.map(({ value }) => value).concat(own.secrets.map(({ value }) => value))
  const text = JSON.stringify(lines)
  expect(lines.length).toBeGreaterThan(1_000)
  expect(named.filter((value) => text.includes(value))).toEqual([])
  const metrics = String((await ask('GET', '/metrics')).body)
  expect(metrics).toContain('/control/{token}/rest/room')
  expect(named.filter((value) => metrics.includes(value))).toEqual([])

  const { sql } = app.database
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'overlay'`
  expect(tables.map(({ name }) => name)).toContain('journal')
  for (const { name } of tables)
    for (const value of named) {
      const [found] = await sql`select 1 from ${sql(name)} as t where t::text like ${`%${value}%`} limit 1`
      expect([name, found]).toEqual([name, undefined])
    }
})
