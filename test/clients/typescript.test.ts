import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Production, startProduction } from '../resources/support.ts'
import { newKey } from '../support/app.ts'
import { cardZip } from '../support/ograf.ts'
import { proxyTo } from '../support/proxy.ts'
import { root } from '../support/root.ts'
import { buildClient, client } from './built.ts'

const run = promisify(execFile)

type Message = { type: string; payload: Record<string, unknown> }
type Call = (path: string, asked?: object) => Promise<Record<string, unknown>>
type Tally = Record<'get' | 'post' | 'put' | 'patch' | 'delete', Call> & {
  follow(overlay: number | string, following?: object): AsyncGenerator<Message>
}
/** What it is built to; its types are looked at by the test of types. */
let createTally: (connection: object) => Tally

beforeAll(async () => {
  await buildClient()
  const built = await import(pathToFileURL(join(client, 'dist/index.js')).href)
  createTally = built.createTally
})

describe('[issue 20.5] the types', () => {
  test('know every operation, its answer and the messages, and let nothing else through', async () => {
    const tsc = join(client, 'node_modules/typescript/bin/tsc')
    const said = await run(process.execPath, [tsc, '-p', join(client, 'test')]).catch(({ stdout }) => ({ stdout }))
    expect(said.stdout).toBe('')
  })
})

type Answering = (request: IncomingMessage, response: ServerResponse) => void

/** A server that gives these answers, one after the other. */
async function scripted(...answers: Answering[]) {
  const heard: { method: string | undefined; url: string | undefined; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    const key = request.headers['idempotency-key']
    heard.push({ method: request.method, url: request.url, key: typeof key === 'string' ? key : undefined })
    request.resume().on('end', () => answers[Math.min(heard.length, answers.length) - 1]?.(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answering =>
  (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
const hangsUp: Answering = (request) => request.socket.destroy()
const busy = json(503, { message: 'Temporarily unavailable, try again' }, { 'Retry-After': '0' })

describe('[issue 20.5] requests', () => {
  test('a write that was not answered is sent again under its key until it is', async () => {
    const { heard, url } = await scripted(
      hangsUp,
      busy,
      json(429, { message: 'x' }, { 'Retry-After': '0' }),
      json(200, { id: 7 }),
    )
    expect(await createTally({ url }).post('/v1/teams', { body: { name: 'North' } })).toEqual({ id: 7 })
    expect(heard.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST'])
    expect(new Set(heard.map(({ key }) => key)).size).toBe(1)
    expect(heard[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  })

  test('paths and queries are written out, and a read has no key', async () => {
    const { heard, url } = await scripted(json(200, []))
    const asked = { path: { providerId: 'a/b c' }, query: { ids: [1, 2], name: 'ä&b', none: undefined } }
    await createTally({ url: `${url}/` }).get('/v1/teams/{providerId}', asked)
    expect(heard).toEqual([
      { method: 'GET', url: '/rest/v1/teams/a%2Fb%20c?ids=1&ids=2&name=%C3%A4%26b', key: undefined },
    ])
    await expect(createTally({ url }).get('/v1/teams/{teamId}', { path: {} })).rejects.toThrow('path.teamId is missing')
  })

  test('what is refused is thrown at once, as the server said it', async () => {
    const details = { 'body.name': { message: 'too long', value: 'x' } }
    const { heard, url } = await scripted(
      json(400, { message: 'Validation Failed', code: 'INVALID', details }, { 'X-Request-Id': 'r1' }),
    )
    await expect(createTally({ url }).post('/v1/teams', { body: {} })).rejects.toMatchObject({
      name: 'TallyError',
      message: 'Validation Failed',
      status: 400,
      code: 'INVALID',
      details,
      requestId: 'r1',
    })
    expect(heard).toHaveLength(1)
  })

  test('the time for tries is over sometime, a try that takes too long is one, and a signal ends all of it', async () => {
    const silent = await scripted(() => {})
    await expect(createTally({ url: silent.url, retryForMs: 0, timeoutMs: 50 }).get('/v1/teams')).rejects.toMatchObject(
      {
        message: 'The server did not answer in time',
        status: 0,
      },
    )
    const always = await scripted(busy)
    await expect(createTally({ url: always.url, retryForMs: 0 }).get('/v1/teams')).rejects.toMatchObject({
      status: 503,
    })
    expect(always.heard).toHaveLength(1)
    const given = new AbortController()
    const call = createTally({ url: silent.url }).get('/v1/teams', { signal: given.signal })
    given.abort(new Error('enough'))
    await expect(call).rejects.toThrow('enough')
  })
})

/** A server of sockets that does this with each connection, by its number from 0. */
async function socketServer(connected: (socket: WebSocket, url: string, index: number) => void) {
  const urls: string[] = []
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket, request) => {
    urls.push(request.url ?? '')
    connected(socket, request.url ?? '', urls.length - 1)
  })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    server.close()
  })
  return { urls, page: `http://127.0.0.1:${(server.address() as AddressInfo).port}/control/token` }
}
/** A socket that is closed before it was open. */
class Refused {
  onmessage = null
  onerror = null
  onclose: ((event: { code: number; reason: string }) => void) | null = null
  constructor() {
    setImmediate(() => this.onclose?.({ code: 1006, reason: '' }))
  }
  close() {}
}
const says = (socket: WebSocket, type: string, payload: object) => socket.send(JSON.stringify({ type, payload }))

describe('[issue 20.5] following', () => {
  test('a pulse with another cursor, and five seconds of silence, lose the line; it goes on where it was', async () => {
    const { urls, page } = await socketServer((socket, _url, index) => {
      if (index === 0) {
        says(socket, 'SNAPSHOT', { cursor: 'a', onAir: [] })
        says(socket, 'PULSE', { cursor: 'b' })
      } else says(socket, 'CHANGE', { cursor: `c${index}` })
    })
    const states: string[] = []
    const heard: string[] = []
    for await (const { type, payload } of createTally({ url: 'http://127.0.0.1:1' }).follow(page, {
      WebSocket,
      onConnection: (state: string) => states.push(state),
    })) {
      heard.push(`${type} ${payload.cursor}`)
      if (heard.length === 3) break
    }
    expect(heard).toEqual(['SNAPSHOT a', 'CHANGE c1', 'CHANGE c2'])
    expect(urls).toEqual(['', '?cursor=a', '?cursor=c1'].map((query) => `/control/token/socket${query}`))
    expect(states).toEqual(['connected', 'lost', 'connected', 'lost', 'connected'])
  })

  test('who reads slowly keeps no more than a thousand messages, and misses none', async () => {
    const { urls, page } = await socketServer((socket, url) => {
      const from = Number(/cursor=(\d+)/.exec(url)?.[1] ?? 0)
      for (let seq = from + 1; seq <= Math.min(from + 2_500, 4_000); seq++) says(socket, 'CHANGE', { cursor: `${seq}` })
    })
    const heard: number[] = []
    for await (const { payload } of createTally({ url: 'http://127.0.0.1:1' }).follow(page, { WebSocket })) {
      if (heard.length === 0) await vi.waitFor(() => expect(urls).toHaveLength(1))
      heard.push(Number(payload.cursor))
      if (heard.length % 500 === 1) await new Promise((resolve) => setImmediate(resolve))
      if (heard.length === 4_000) break
    }
    expect(heard).toEqual(Array.from({ length: 4_000 }, (_, index) => index + 1))
    expect(urls.length).toBeGreaterThan(1)
  })

  test('a server that takes connections and says nothing ends neither for ever nor later than the signal', async () => {
    const silent = await scripted(() => {})
    const page = `${silent.url}/control/token`
    const given = new AbortController()
    const heard = createTally({ url: silent.url }).follow(page, { WebSocket: Refused, signal: given.signal }).next()
    await vi.waitFor(() => expect(silent.heard).toHaveLength(1))
    given.abort()
    expect(await heard).toEqual({ done: true, value: undefined })
    const following = createTally({ url: silent.url, timeoutMs: 50 }).follow(page, { WebSocket: Refused })
    void following.next()
    await vi.waitFor(() => expect(silent.heard.length).toBeGreaterThan(2))
  })

  test('where there is no WebSocket, or one that takes no key, the error says what to do', async () => {
    vi.stubGlobal('WebSocket', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    const tally = createTally({ url: 'http://127.0.0.1:1', key: 'k' })
    await expect(tally.follow(1).next()).rejects.toThrow("import { WebSocket } from 'ws'")
    class OfBrowsers {
      constructor(_url: string, protocols?: unknown) {
        if (protocols !== undefined) throw new SyntaxError('invalid protocol')
      }
    }
    await expect(tally.follow(1, { WebSocket: OfBrowsers }).next()).rejects.toThrow('controlRoomUrl')
  })
})

describe('[issue 20.5] with a real server', () => {
  let production: Production
  beforeAll(async () => {
    production = await startProduction()
  })
  afterAll(() => production.close())

  /** Follows until the function says that it heard enough. */
  async function heardUntil(messages: AsyncGenerator<Message>, isEnough: (message: Message) => boolean) {
    const heard: Message[] = []
    for await (const message of messages) {
      heard.push(message)
      if (isEnough(message)) break
    }
    return heard
  }

  test('the loop goes on over a lost line and a restart, and nothing is told twice or not at all', async () => {
    const { server, overlay, apiKey, preset } = production
    const line = await proxyTo(server.origin)
    const tally = createTally({ url: line.url.replace(/\/+$/, ''), key: apiKey })
    const command = (action: string, name: string) =>
      tally.post('/v2/overlays/{overlayId}/graphics/commands', {
        path: { overlayId: overlay.id },
        body: { action, presetId: preset(name).id },
      })
    const shown: unknown[] = []
    let snapshots = 0
    const following = heardUntil(tally.follow(overlay.id, { WebSocket }), ({ type, payload }) => {
      if (type === 'SNAPSHOT') snapshots++
      if (type === 'CHANGE') shown.push(payload.seq)
      return shown.length === 4
    })
    await vi.waitFor(() => expect(snapshots).toBe(1))
    await command('show', 'Score bug')
    line.cut()
    await command('hide', 'Score bug')
    await Promise.all([server.restart(), command('show', 'Score bug')])
    await command('hide', 'Score bug')
    await following
    expect(shown).toEqual([1, 2, 3, 4])
    expect(snapshots).toBe(1)
  })

  test('a table is sent as its text, and an archive as its bytes', async () => {
    const { server, apiKey: key, themeId, themeProfileId } = production
    const tally = createTally({ url: server.origin, key })
    const source = { path: { competitionThemeSettingId: themeProfileId, alias: 'table' } }
    const template = { alias: 'table', sourceType: 'csv', shape: 'rows', sample: 'team,points\nNorth,3\n' }
    await tally.post('/v2/themes/{themeId}/data-source-templates', { path: { themeId }, body: template })
    await tally.post('/v2/data-sources/{competitionThemeSettingId}/{alias}', {
      ...source,
      body: 'team,points\nNorth,3\n',
    })
    const pushed = await tally.get('/v2/data-sources/{competitionThemeSettingId}/{alias}', source)
    expect(pushed).toMatchObject({ rows: [{ team: 'North', points: 3 }] })
    const zip = cardZip()
    const graphicIds = new Set<unknown>()
    for (const body of [zip, new Blob([zip], { type: 'application/x-zip-compressed' }), new Uint8Array(zip).buffer]) {
      const { graphics, errors } = await tally.post('/v2/themes/{themeId}/ograf/imports', { path: { themeId }, body })
      expect([graphics, errors]).toEqual([[expect.objectContaining({ ografId: 'card', name: 'Card' })], []])
      graphicIds.add((graphics as { graphicId: string }[])[0]?.graphicId)
    }
    // the same graphic each time
    expect(graphicIds.size).toBe(1)
  })

  test('by the address of a page no key is needed; a key that is deleted, or an overlay that is not there, ends it', async () => {
    const { server, overlay } = production
    const nobody = createTally({ url: server.origin })
    const heard = await heardUntil(nobody.follow(overlay.controlRoomUrl, { WebSocket }), () => true)
    expect(heard.map(({ type }) => type)).toEqual(['SNAPSHOT'])
    await expect(nobody.follow(`${server.origin}/control/nothing`, { WebSocket }).next()).rejects.toMatchObject({
      status: 404,
    })
    await expect(nobody.follow(overlay.id, { WebSocket }).next()).rejects.toMatchObject({ status: 401 })
    const key = await newKey(server.database, production.organizationId, ['overlays:read'])
    const messages = createTally({ url: server.origin, key: key.key }).follow(overlay.id, { WebSocket })
    await messages.next()
    await server.database.sql`delete from api_key where id = ${key.keyId}`
    const rest = heardUntil(messages, () => false)
    await expect(rest).rejects.toMatchObject({ name: 'TallyError' })
  })

  test('the package as it is published plays the half of its README', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tally-client-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: client,
    })
    const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }]
    expect(files.map(({ path }) => path)).toContain('LICENSE')
    expect(files.filter(({ path }) => !/^(dist\/.*\.(js|d\.ts)|README\.md|LICENSE|package\.json)$/.test(path))).toEqual(
      [],
    )
    const installed = join(folder, 'node_modules/@tally/client')
    mkdirSync(installed, { recursive: true })
    await run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed])
    symlinkSync(join(root, 'node_modules/ws'), join(folder, 'node_modules/ws'))
    cpSync(join(client, 'README.md'), join(folder, 'README.md'))
    const code = /```js\n([\s\S]*?)```/.exec(readFileSync(join(folder, 'README.md'), 'utf8'))?.[1] ?? ''
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(34)
    writeFileSync(join(folder, 'half.mjs'), code)
    const { server, apiKey } = production
    const child = spawn(process.execPath, ['half.mjs'], {
      cwd: folder,
      env: { PATH: '', TALLY_URL: server.origin, TALLY_KEY: apiKey },
    })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    child.stderr.on('data', (chunk) => {
      said += chunk
    })
    await new Promise((resolve) => child.once('close', resolve))
    expect(said).toMatch(/^on air: /)
    expect(said).toContain('now on air: ')
    expect(said).toContain('score: 1-0')
  })
})
