import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Demo } from '../../../src/demo/seed.ts'
import { type LiveMessage, liveMessages } from '../../../src/realtime/followers/live-protocol.ts'
import { newKey, newOrganization, startApp, type TestApp } from '../../support/app.ts'
import { seedDemo } from '../../support/demo.ts'
import { commandsOf } from '../../support/guides.ts'
import { Renderer } from '../../support/renderer.ts'
import { root } from '../../support/root.ts'

type Of<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>['payload']

let app: TestApp
let demo: Demo
beforeAll(async () => {
  app = await startApp()
  demo = await seedDemo(app)
})
afterAll(() => app.close())

/** An overlay of its own for each test, in place of the demo's. */
async function newOverlay(): Promise<Demo['overlay']> {
  const { matchId, controlRoomId } = demo
  const made = await call('POST', '/v1/overlays', { name: 'Followed', matchId, controlRoomId })
  const { id, key, controlRoomUrl, monitoringUrl } = made as Demo['overlay']
  return { id, key, url: `${app.origin}/overlay/${key}`, controlRoomUrl, monitoringUrl }
}
beforeEach(async () => {
  demo = { ...demo, overlay: await newOverlay() }
})

const patience = { timeout: 30_000, interval: 20 }
const wsOf = (url: string) => url.replace(/^http/, 'ws')

/** A follower: what it was told, each message held against its schema. */
class Listener {
  readonly messages: LiveMessage[] = []
  /** 101, or how the upgrade was refused. */
  readonly answered: Promise<{ status: number; headers: Record<string, unknown>; body: unknown }>
  readonly closed: Promise<{ code: number; reason: string }>
  socket: WebSocket
  #answer: (answer: Awaited<Listener['answered']>) => void = () => {}
  #close: (closed: Awaited<Listener['closed']>) => void = () => {}
  #refused = false
  #over = false

  constructor(url: string, headers: Record<string, string> = {}) {
    this.answered = new Promise((resolve) => {
      this.#answer = resolve
    })
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    this.socket = this.#open(url, headers)
    onTestFinished(() => {
      this.#over = true
      this.socket.terminate()
    })
  }

  #open(url: string, headers: Record<string, string>): WebSocket {
    const socket = new WebSocket(wsOf(url), { headers })
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      // the picture of a page is sent what renderers are sent
      if (!(message.type in liveMessages)) return
      liveMessages[message.type as LiveMessage['type']].strict().parse(message.payload)
      this.messages.push(message)
    })
    socket.on('error', () => {})
    socket.on('open', () => this.#answer({ status: 101, headers: {}, body: undefined }))
    socket.on('close', (code, reason) => {
      // one that uWS dropped as it was upgraded (`uws-sockets.ts`) comes again, as pages do
      if (code === 1006 && this.messages.length === 0 && !this.#refused && !this.#over)
        this.socket = this.#open(url, headers)
      else this.#close({ code, reason: String(reason) })
    })
    socket.on('unexpected-response', (_request, response) => {
      this.#refused = true
      let text = ''
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () =>
        this.#answer({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      )
    })
    return socket
  }

  of<Type extends LiveMessage['type']>(type: Type): Of<Type>[] {
    return this.messages.flatMap((message) => (message.type === type ? [message.payload as Of<Type>] : []))
  }

  /** Waits for a message of this type that `accept` takes. */
  async heard<Type extends LiveMessage['type']>(type: Type, accept: (payload: Of<Type>) => boolean = () => true) {
    const heard = () => this.of(type).find(accept)
    await vi.waitFor(() => {
      if (!heard()) throw new Error(`no such ${type} among ${this.messages.map((message) => message.type).join()}`)
    }, patience)
    const found = heard()
    if (!found) throw new Error(`${type} was heard and is gone`)
    return found
  }
}

const byKey = (key = demo.apiKey, overlayId: number | string = demo.overlay.id, query = '') =>
  new Listener(`${app.origin}/rest/v2/overlays/${overlayId}/socket${query}`, { Authorization: `Bearer ${key}` })
const byControl = () => new Listener(`${demo.overlay.controlRoomUrl}/socket`)
const byMonitor = () => new Listener(`${demo.overlay.monitoringUrl}/socket`)

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await app.call(method, path, { key: demo.apiKey, ...(body !== undefined && { body }) })
  expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.body])
  return answer.body
}
const fire = (action: string, preset = 0) => {
  const body = action === 'hideAll' ? { action } : { action, presetId: demo.presets[preset]?.id }
  return call('POST', `/v2/overlays/${demo.overlay.id}/graphics/commands`, body)
}
const rotate = (...links: string[]) => call('POST', `/v2/overlays/${demo.overlay.id}/links/rotate`, { links })

describe('following', () => {
  test('[issue 6.2] key and page tokens are told the same truth, with who, what and when it was painted', async () => {
    const followers = [byKey(), byControl(), byMonitor()]
    for (const follower of followers) {
      const { overlay, seq, match } = await follower.heard('SNAPSHOT')
      expect([overlay.id, seq, match?.id]).toEqual([demo.overlay.id, 0, demo.matchId])
      expect(match?.competitors.map(({ isHome, score }) => [isHome, score])).toEqual([
        [true, 0],
        [false, 0],
      ])
    }
    const renderer = new Renderer({ url: `${wsOf(demo.overlay.url)}/socket?renderer=main`, reconnectMs: 50 })
    onTestFinished(() => renderer.close())
    await renderer.waitFor(({ connected }) => connected)
    await fire('show')
    for (const follower of followers) {
      const change = await follower.heard('CHANGE')
      expect(change).toMatchObject({
        seq: 1,
        action: 'show',
        by: { type: 'key' },
        shown: [{ graphicId: demo.presets[0]?.graphicId, presetId: demo.presets[0]?.id }],
      })
      const painted = await follower.heard('PAINTED', ({ graphics }) => graphics[0]?.painted.renderers === 1)
      expect(painted.graphics[0]?.seq).toBe(1)
      const list = await follower.heard('RENDERERS', ({ renderers }) => renderers[0]?.latency?.count === 1)
      expect(list.renderers).toMatchObject([{ name: 'main', state: 'current', lastSeq: 1 }])
    }
  })

  test('[show-control: Commands] a timed graphic is told with the time of its end, and then that its time was up', async () => {
    const follower = byKey()
    await follower.heard('SNAPSHOT')
    const presetId = demo.presets[0]?.id
    const path = `/v2/overlays/${demo.overlay.id}/graphics/commands`
    await call('POST', path, { action: 'show', presetId, durationSeconds: 2 })
    await call('POST', path, { action: 'update', presetId })
    const { shown, at } = await follower.heard('CHANGE')
    const until = new Date(Date.parse(at) + 2_000).toISOString()
    expect(shown).toMatchObject([{ since: at, until }])
    const updated = await follower.heard('CHANGE', ({ action }) => action === 'update')
    expect(updated.shown).toMatchObject([{ since: at, until }])
    const late = byMonitor()
    expect((await late.heard('SNAPSHOT')).onAir).toMatchObject([{ until }])
    const over = await late.heard('CHANGE')
    expect(over).toMatchObject({
      action: 'autoHide',
      by: { type: 'system', name: 'timer' },
      shown: [],
      hidden: [{ presetId }],
    })
  })

  test('[issue 6.2] the match, the room and the settings are told as they change', async () => {
    const follower = byControl()
    const { match } = await follower.heard('SNAPSHOT')
    expect(match).toMatchObject({ state: 'scheduled', sport: 'football', clock: { running: false } })
    await call('POST', `/v2/matches/${demo.matchId}/facts`, { type: 'matchStart' })
    await follower.heard('MATCH', ({ match }) => match?.state === 'live' && match.clock?.running === true)
    const [teamId] = demo.teamIds
    await call('POST', `/v2/matches/${demo.matchId}/facts`, { type: 'goal', teamId })
    await follower.heard('MATCH', ({ match }) => match?.competitors[0]?.score === 1)
    await call('PATCH', `/v1/teams/${teamId}`, { name: 'Another name' })
    await follower.heard('MATCH', ({ match }) => match?.competitors[0]?.name === 'Another name')
    const [preset] = demo.presets
    await call('PATCH', `/v2/control-rooms/${demo.controlRoomId}/presets/${preset?.id}`, { name: 'Renamed' })
    expect(await follower.heard('ROOM')).toEqual({ controlRoomId: demo.controlRoomId })
    await call('PATCH', `/v1/overlays/${demo.overlay.id}`, { encodingDelay: 12 })
    await follower.heard('OVERLAY', ({ overlay }) => overlay.encodingDelay === 12)
  })

  test('[issue 6.2] a restart of the server is resumed by cursor: no change is missed, none told twice', async () => {
    const first = byKey()
    await first.heard('SNAPSHOT')
    await fire('show')
    const { cursor } = await first.heard('CHANGE')
    await app.restart()
    expect((await first.closed).code).toBe(1012)
    await fire('show', 1)
    await fire('hideAll')
    const second = byKey(demo.apiKey, demo.overlay.id, `?cursor=${cursor}`)
    await second.heard('ROOM')
    await fire('show', 2)
    await second.heard('CHANGE', ({ seq }) => seq === 4)
    expect(second.of('CHANGE').map(({ seq, action }) => [seq, action])).toEqual([
      [2, 'show'],
      [3, 'hideAll'],
      [4, 'show'],
    ])
    expect(second.of('CHANGE')[1]?.hidden).toHaveLength(2)
    expect(second.of('SNAPSHOT')).toEqual([])
  })
})

test('[issue 6.2] the description of the sockets is served beside swagger.json, without a key', async () => {
  const answer = await fetch(`${app.origin}/rest/asyncapi.json`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  const document = JSON.parse(await answer.text())
  expect(document).toMatchObject({ asyncapi: '3.0.0', channels: { overlay: { parameters: { overlayId: {} } } } })
  for (const channel of Object.values(document.channels as Record<string, { address: string }>)) {
    const url = app.origin + channel.address.replace(/\{\w+\}/, 'nobody')
    // an address that upgrades refuses whom it does not know; any other path has no sockets
    expect([400, 401, 404]).toContain((await new Listener(url).answered).status)
  }
})

test('[issue 6.2] the script of the guide for clients follows an overlay as typed, also over a restart', async () => {
  const typed = commandsOf('docs/clients.md', 'Follow what is on air')
    .replaceAll('localhost:8080', new URL(app.origin).host)
    .replaceAll('/overlays/1/', `/overlays/${demo.overlay.id}/`)
  const script = spawn('bash', ['-e', '-c', typed.replace(/^node /m, 'exec node ')], {
    cwd: root,
    env: { KEY: demo.apiKey, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void script.kill())
  let told = ''
  script.stdout.on('data', (text) => {
    told += text
  })
  const says = (line: string) => vi.waitFor(() => expect(told.split('\n')).toContain(line), patience)
  const [first, second] = demo.presets.map(({ graphicName }) => graphicName)
  await says('nothing')
  await fire('show')
  await says(`${first} (on 0 of 0 screens)`)
  await app.restart()
  await fire('show', 1)
  await says(`${first} (on 0 of 0 screens), ${second} (on 0 of 0 screens)`)
  // it goes on with what it was told on its way back
  await fire('hide')
  await says(`${second} (on 0 of 0 screens)`)
})

describe('who may follow', () => {
  test('[auth.1 auth.7 auth.11] a key is refused as on any operation', async () => {
    const other = await newOrganization(app.database)
    const { key: scopeless } = await newKey(app.database, demo.organizationId, ['matches:write'])
    const refusals: [Listener, number, object][] = [
      [new Listener(`${app.origin}/rest/v2/overlays/${demo.overlay.id}/socket`), 401, { code: 'UNAUTHENTICATED' }],
      [byKey('service_unknown'), 401, { code: 'UNAUTHENTICATED' }],
      [byKey(scopeless), 403, { code: 'INSUFFICIENT_SCOPE', message: 'Missing scope: overlays:read' }],
      [byKey(demo.apiKey, 'abc'), 400, { details: { 'path.overlayId': expect.anything() } }],
      [byKey(demo.apiKey, 2_147_483_647), 404, { message: 'Not Found' }],
      [byKey(other.key), 403, { code: 'FORBIDDEN' }],
    ]
    for (const [listener, status, body] of refusals)
      expect(await listener.answered).toMatchObject({ status, body: expect.objectContaining(body) })
    expect((await refusals[0]?.[0].answered)?.headers['www-authenticate']).toBe('Bearer')
  })

  test('[issue 6.2] a key with overlays:read alone is enough, and its deletion closes the socket at once', async () => {
    const { key, keyId } = await newKey(app.database, demo.organizationId, ['overlays:read'])
    const follower = byKey(key)
    await follower.heard('SNAPSHOT')
    const started = performance.now()
    await app.database.sql`delete from api_key where id = ${keyId}`
    expect((await follower.closed).code).toBe(1008)
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  test('[issue 6.2] followers of one organization hear nothing of another', async () => {
    const mine = byKey()
    await mine.heard('SNAPSHOT')
    const before = demo
    demo = await seedDemo(app, 'Others')
    const theirs = byKey()
    await theirs.heard('SNAPSHOT')
    await fire('show')
    await theirs.heard('CHANGE')
    demo = before
    await fire('show', 1)
    await mine.heard('CHANGE')
    expect(mine.of('CHANGE').map(({ shown }) => shown[0]?.graphicId)).toEqual([demo.presets[1]?.graphicId])
    expect(theirs.of('CHANGE')).toHaveLength(1)
  })
})

describe('addresses', () => {
  test('[issue 6] a rotated address is refused at once on page, door, picture and sockets; the others go on', async () => {
    const { controlRoomUrl, monitoringUrl } = demo.overlay
    const control = byControl()
    const picture = new Listener(`${controlRoomUrl}/picture/socket`)
    const monitor = byMonitor()
    await Promise.all([control.heard('SNAPSHOT'), monitor.heard('SNAPSHOT'), picture.answered])
    const rotated = await rotate('control')
    expect(rotated).toMatchObject({ monitoringUrl, key: demo.overlay.key })
    expect(rotated.controlRoomUrl).not.toBe(controlRoomUrl)
    for (const path of ['', '/picture', '/picture/preload', '/rest/v1/room'])
      expect((await fetch(controlRoomUrl + path)).status).toBe(404)
    for (const path of ['/socket', '/picture/socket'])
      expect((await new Listener(controlRoomUrl + path).answered).status).toBe(404)
    expect(await control.closed).toEqual({ code: 1008, reason: 'this address was replaced' })
    expect((await picture.closed).code).toBe(1008)
    expect((await fetch(String(rotated.controlRoomUrl))).status).toBe(200)
    await new Listener(`${rotated.controlRoomUrl}/socket`).heard('SNAPSHOT')
    expect(monitor.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('[issue 6] so is the address of the browser source, whose renderers are shut out', async () => {
    const renderer = new Listener(`${demo.overlay.url}/socket`)
    await renderer.answered
    // what remembers keys has it now
    expect((await fetch(`${demo.overlay.url}/preload`)).status).toBe(200)
    const rotated = await rotate('production', 'monitoring')
    expect(rotated.key).not.toBe(demo.overlay.key)
    expect((await fetch(demo.overlay.url)).status).toBe(404)
    expect((await fetch(`${demo.overlay.url}/preload`)).status).toBe(404)
    expect((await renderer.closed).code).toBe(1008)
    await vi.waitFor(async () => {
      const late = new Listener(`${demo.overlay.url}/socket`)
      expect((await late.answered).status).toBe(404)
    }, patience)
    expect((await fetch(String(rotated.productionUrl))).status).toBe(200)
    expect((await fetch(demo.overlay.monitoringUrl)).status).toBe(404)
  })

  test('[issue 6] rotation is journaled without any address, and refused for what a running stream shows', async () => {
    const rotated = await rotate('control', 'monitoring')
    const ref = `overlay-settings/${demo.overlay.id}`
    const rows = await app.database.sql<{ row: string }[]>`select j::text as row from journal j where ref = ${ref}`
    const text = rows.map(({ row }) => row).join()
    expect(text).toContain('overlay.linksRotated')
    const secrets = [rotated.controlRoomUrl, rotated.monitoringUrl, demo.overlay.controlRoomUrl, demo.overlay.url]
    for (const url of secrets) expect(text).not.toContain(String(url).split('/').at(-1))
    for (const links of [[], ['control', 'control'], ['preview'], 'control']) {
      const answer = await app.call('POST', `/v2/overlays/${demo.overlay.id}/links/rotate`, {
        key: demo.apiKey,
        body: { links },
      })
      expect([links, answer.status]).toEqual([links, 400])
    }
    const { sql } = app.database
    await sql`update stream_settings set overlay_id = ${demo.overlay.id} where id = ${demo.streamSettingsId}`
    await sql`
      insert into actor (ref, organization_id, machine_version, snapshot)
      values (${`stream/${demo.streamSettingsId}`}, ${demo.organizationId}, 1, '{"context":{"phase":"running"}}')
      on conflict (ref) do update set snapshot = excluded.snapshot`
    const refused = await app.call('POST', `/v2/overlays/${demo.overlay.id}/links/rotate`, {
      key: demo.apiKey,
      body: { links: ['production'] },
    })
    expect([refused.status, refused.body.details]).toEqual([400, { 'body.links': expect.anything() }])
    await rotate('control')
  })

  test('[issue 6.1] the picture inside a page is the overlay page, is sent what is on air and never the key', async () => {
    await fire('show')
    const page = await fetch(`${demo.overlay.controlRoomUrl}/picture`)
    expect([page.status, await page.text()]).toEqual([200, await (await fetch(demo.overlay.url)).text()])
    const socket = new WebSocket(`${wsOf(demo.overlay.controlRoomUrl)}/picture/socket`)
    onTestFinished(() => socket.terminate())
    const frames: string[] = []
    socket.on('message', (data) => {
      frames.push(String(data))
      if (frames.length === 1) socket.send('{"type":"READY","payload":{"showing":[]}}')
    })
    // behind it come heartbeats
    await vi.waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(2), patience)
    const load = JSON.parse(frames[1] ?? '')
    expect(load).toMatchObject({ type: 'LOAD_GRAPHIC', payload: { graphicId: demo.presets[0]?.graphicId } })
    expect(frames.join()).not.toContain(demo.overlay.key)
    socket.send(
      JSON.stringify({ type: 'READY', payload: { graphicId: load.payload.graphicId, seq: load.payload.seq } }),
    )
    const follower = byMonitor()
    const { renderers, onAir } = await follower.heard('SNAPSHOT')
    expect([renderers, onAir[0]?.painted]).toEqual([[], { renderers: 0, of: 0, outOfView: 0, at: null }])
    expect(await call('GET', `/v2/overlays/${demo.overlay.id}`)).toMatchObject({ active: false })
  })
})
