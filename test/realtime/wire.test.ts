import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Demo } from '../../src/demo/seed.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { seedDemo } from '../support/demo.ts'
import { demoGraphics } from '../support/demo-theme.ts'
import { Renderer } from '../support/renderer.ts'

let app: TestApp
let demo: Demo
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  demo = await seedDemo(app)
})

const socketUrl = (query = '') =>
  `${app.origin.replace('http', 'ws')}/overlay/${demo.overlay.key}/socket${query && `?${query}`}`

const render = (query = '', reconnectMs = 50) => {
  const renderer = new Renderer({ url: socketUrl(query), reconnectMs })
  onTestFinished(() => renderer.close())
  return renderer
}

const fire = async (action: string, preset = 0, variableValues?: Record<string, string>) => {
  const path = `/v2/overlays/${demo.overlay.id}/graphics/commands`
  const presetId = demo.presets[preset]?.id
  const body = action === 'hideAll' ? { action } : { action, presetId, ...(variableValues && { variableValues }) }
  const answer = await app.call('POST', path, { key: demo.apiKey, body })
  expect(answer.status).toBe(200)
}
const idOf = (preset: number) => demo.presets[preset]?.graphicId ?? ''
const settings = async (body: object) => {
  const answer = await app.call('PATCH', `/v1/overlays/${demo.overlay.id}`, { key: demo.apiKey, body })
  expect(answer.status).toBe(200)
}

/** A bare client: what it got, and how it was closed. */
async function client(url: string) {
  const socket = new WebSocket(url)
  onTestFinished(() => socket.terminate())
  const frames: { type: string; payload: Record<string, unknown> }[] = []
  socket.on('message', (data) => frames.push(JSON.parse(String(data))))
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const status = await new Promise<number>((resolve, reject) => {
    socket.on('open', () => resolve(101))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
  return { socket, frames, closed, status }
}

test('[contract socket] a preset fired over REST is on every renderer, updates and hides follow', async () => {
  const renderers = [render(), render('heartbeat=2'), render('renderer=third')]
  await Promise.all(renderers.map((renderer) => renderer.waitFor(({ connected }) => connected)))
  await fire('show')
  for (const renderer of renderers) await renderer.waitFor((one) => one.shows().has(idOf(0)))
  await fire('show', 1)
  await fire('update', 1)
  for (const renderer of renderers) await renderer.waitFor((one) => one.shows().get(idOf(1))?.seq === 3)
  await fire('hideAll')
  for (const renderer of renderers) await renderer.waitFor((one) => one.shows().size === 0)
  expect(renderers.map(({ fault }) => fault)).toEqual([undefined, undefined, undefined])
})

test('[contract socket] a renderer that joins late, or comes back, gets exactly what is on air', async () => {
  await fire('show')
  const renderer = render()
  await renderer.waitFor((one) => one.shows().has(idOf(0)))
  renderer.interrupt()
  await fire('hide')
  await fire('show', 1)
  await renderer.waitFor((one) => one.shows().has(idOf(1)) && one.shows().size === 1)
  expect(renderer.connections).toBeGreaterThanOrEqual(2)
})

test('[contract commands] a restart of the server closes with 1012; the picture stays and seq goes on', async () => {
  const renderer = render()
  await fire('show')
  await renderer.waitFor((one) => one.shows().get(idOf(0))?.seq === 1)
  await app.restart()
  await renderer.waitFor(({ connected }) => connected)
  expect(renderer.closedWith[0]).toBe(1012)
  expect([...renderer.shows().keys()]).toEqual([idOf(0)])
  await fire('update')
  await renderer.waitFor((one) => one.shows().get(idOf(0))?.seq === 2)
})

test('[contract commands] a command whose request was accepted before the stop is done and answered', async () => {
  const body = JSON.stringify({ action: 'show', presetId: demo.presets[0]?.id })
  const asked = request(`${app.origin}/rest/v2/overlays/${demo.overlay.id}/graphics/commands`, {
    method: 'POST',
    // the server says 100 when it has the request
    headers: { Authorization: `Bearer ${demo.apiKey}`, 'Content-Length': body.length, Expect: '100-continue' },
  })
  const answered = new Promise<number>((resolve, reject) => {
    asked.on('response', ({ statusCode }) => resolve(statusCode ?? 0)).on('error', reject)
  })
  const accepted = new Promise((resolve) => asked.on('continue', resolve))
  asked.flushHeaders()
  await accepted
  const restarted = app.restart()
  await new Promise(setImmediate)
  asked.end(body)
  expect(await answered).toBe(200)
  await restarted
  const renderer = render()
  await renderer.waitFor((one) => one.shows().has(idOf(0)))
})

test('[contract socket] an unknown key or token answers the upgrade with 404', async () => {
  const origin = app.origin.replace('http', 'ws')
  for (const path of ['/overlay/nope/socket', `/monitor/${demo.overlay.key}/socket`, '/control/nope/socket'])
    expect((await client(origin + path)).status).toBe(404)
})

test('[contract REST] a socket that is asked for without an upgrade answers 426, with another method 405, by an unknown name 404', async () => {
  const { key, monitoringUrl, controlRoomUrl } = demo.overlay
  const pages = [`/overlay/${key}`, ...[monitoringUrl, controlRoomUrl].map((url) => new URL(url).pathname)]
  for (const path of [...pages, `${pages[1]}/picture`, `${pages[2]}/picture`]) {
    const asked = await fetch(`${app.origin}${path}/socket`)
    expect([asked.status, asked.headers.get('upgrade')]).toEqual([426, 'websocket'])
    expect(await asked.json()).toEqual({ message: 'Upgrade Required' })
  }
  const posted = await fetch(`${app.origin}${pages[0]}/socket`, { method: 'POST', body: '{}' })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect((await fetch(`${app.origin}/overlay/nope/socket`)).status).toBe(404)
})

test('[contract REST] while the database does not answer an unknown address is 503 within 2 s, and a known one is let in', async () => {
  const lock = await app.database.sql.reserve()
  onTestFinished(() => lock.release())
  await lock`begin`
  await lock`lock table overlay in access exclusive mode`
  onTestFinished(async () => void (await lock`rollback`))
  const startedMs = performance.now()
  const unknown = `/overlay/${randomUUID()}`
  const refused = await Promise.all([
    client(`${app.origin.replace('http', 'ws')}${unknown}/socket`),
    fetch(app.origin + unknown),
  ])
  expect(refused.map(({ status }) => status)).toEqual([503, 503])
  expect(performance.now() - startedMs).toBeLessThan(4_000)
  expect((await fetch(`${app.origin}/overlay/${demo.overlay.key}`)).status).toBe(200)
  const { status, socket } = await client(socketUrl())
  expect(status).toBe(101)
  socket.close()
})

test.each([
  ['a frame that is no message of this protocol', '{"type":"HELLO"}'],
  ['a frame that is not JSON', 'hello'],
  ['a paint report before READY', '{"type":"READY","payload":{"graphicId":"a","seq":1}}'],
])('[contract socket] %s closes with 1008 and leaves others alone', async (_what, text) => {
  const other = render()
  await other.waitFor(({ connected }) => connected)
  const { socket, closed } = await client(socketUrl())
  socket.send(text)
  expect(await closed).toBe(1008)
  expect(other.closedWith).toEqual([])
})

test('[live-path 18] a renderer that stops reading is closed, comes back with the difference, and never delays others', async () => {
  const slow = render()
  const fast = render()
  await Promise.all([slow, fast].map((renderer) => renderer.waitFor(({ connected }) => connected)))
  await fire('show')
  await slow.waitFor((one) => one.shows().size === 1)
  slow.pause()
  const text = 'x'.repeat(300_000)
  const graphic = demoGraphics.find(({ name }) => name === demo.presets[0]?.graphicName)
  const variable = graphic?.controlVariables.find(({ type }) => type === 'string')?.name ?? ''
  // far more than the socket buffers of the system hold
  for (let i = 1; i <= 40; i++) await fire('update', 0, { [variable]: `${i} ${text}` })
  await fast.waitFor((one) => one.shows().get(idOf(0))?.seq === 41)
  slow.resume()
  await slow.waitFor((one) => one.connections > 1 && one.shows().get(idOf(0))?.seq === 41)
  expect(fast.closedWith).toEqual([])
})

test('[live-path 22] with an encoding delay the picture waits, REST does not; lowering it releases', async () => {
  await settings({ encodingDelay: 60 })
  const renderer = render()
  await renderer.waitFor(({ connected }) => connected)
  await fire('show')
  const read = await app.call('GET', `/v2/overlays/${demo.overlay.id}`, { key: demo.apiKey })
  expect(Object.keys(read.body.manualGraphicState as object)).toEqual([demo.presets[0]?.graphicName])
  const reloaded = render('heartbeat=1')
  await expect(reloaded.waitFor((one) => one.shows().size > 0, 300)).rejects.toThrow('not within')
  await settings({ encodingDelay: 0 })
  for (const one of [renderer, reloaded]) await one.waitFor(() => one.shows().has(idOf(0)))
})

test('[live-path 15] deleting the overlay clears and closes with 1008', async () => {
  const renderer = render()
  await fire('show')
  await renderer.waitFor((one) => one.shows().size === 1)
  const answer = await app.call('DELETE', `/v1/overlays/${demo.overlay.id}`, { key: demo.apiKey })
  expect(answer.status).toBe(204)
  await renderer.waitFor(({ stopped }) => stopped)
  expect(renderer.shows().size).toBe(0)
  expect((await client(socketUrl())).status).toBe(404)
})

test('[live-path 21] what renderers painted is in the as-run log, by name', async () => {
  const renderer = render('renderer=Program+OBS')
  await fire('show')
  await renderer.waitFor((one) => one.shows().size === 1)
  const path = `/v2/overlays/${demo.overlay.id}/as-run`
  await vi.waitFor(async () => {
    const { body } = await app.call('GET', path, { key: demo.apiKey })
    expect(body).toMatchObject({ total: 1, asRun: [{ action: 'show', painted: [{ renderer: 'Program OBS' }] }] })
  }, 30_000)
  const csv = await fetch(`${app.origin}/rest${path}`, {
    headers: { Authorization: `Bearer ${demo.apiKey}`, Accept: 'text/csv' },
  })
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect((await csv.text()).split('\r\n')).toHaveLength(3)
})

test('[contract socket] the monitoring page is told what is on air, and that a renderer is connected', async () => {
  const { frames, socket, closed } = await client(`${demo.overlay.monitoringUrl.replace('http', 'ws')}/socket`)
  const renderer = render('renderer=main')
  await renderer.waitFor(({ connected }) => connected)
  await vi.waitFor(() => expect(frames).not.toEqual([]), 30_000)
  await fire('show')
  await vi.waitFor(() => {
    expect(frames[0]).toMatchObject({ type: 'SNAPSHOT', payload: { seq: 0, onAir: [] } })
    expect(frames).toContainEqual(
      expect.objectContaining({
        type: 'CHANGE',
        payload: expect.objectContaining({
          seq: 1,
          action: 'show',
          shown: [expect.objectContaining({ graphicId: idOf(0) })],
        }),
      }),
    )
    expect(frames).toContainEqual(
      expect.objectContaining({
        type: 'RENDERERS',
        payload: { renderers: [expect.objectContaining({ name: 'main', lastSeq: 1, state: 'current' })] },
      }),
    )
  }, 30_000)
  socket.send('anything')
  expect(await closed).toBe(1008)
})
