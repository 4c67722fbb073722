import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../../bench/free-port.ts'
import { Matcher } from '../../src/http/matcher.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { root } from '../support/root.ts'

/** Of everything that the server serves, what is nobody's business outside of its network. */
const INTERNAL = ['/internal/ingest/{secret}', '/metrics', '/readyz', '/still']

const SECRET = 'ingest-secret'

function installed(): boolean {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Every path that the server answers, as it registers them itself, with a method that it takes. */
const served = new Map<string, string>()
let app: TestApp
let port: number
let end = async () => {}

/** What stands before the server answers by itself without an id of the request. */
const reached = (answer: Response) => answer.headers.has('x-request-id')

const askOnce = (path: string, method = 'GET') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, redirect: 'manual', ...(method !== 'GET' && { body: '{}' }) })

/** On a machine that is busy the balancer may think for a moment that there is no server, and ends what it asked it (502, 503, 504). */
const ask = (path: string, method?: string) =>
  vi.waitFor(
    async () => {
      const answer = await askOnce(path, method)
      expect(reached(answer) || answer.status < 500, `${path}: ${answer.status}`).toBe(true)
      return answer
    },
    { timeout: 30_000, interval: 100 },
  )

/** Asks with a path that no client of the usual kind would send. */
async function askRaw(method: string, target: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const head = ['Host: tally.example', 'Connection: close', 'Content-Length: 2', '', '{}'].join('\r\n')
  socket.write(`${method} ${target} HTTP/1.1\r\n${head}`)
  return text(socket)
}

describe.skipIf(!installed())('the balancer of docker-compose.yml', () => {
  beforeAll(async () => {
    const add = vi.spyOn(Matcher.prototype, 'add')
    app = await startApp({
      MEDIA_ENGINE: 'mediamtx',
      MEDIAMTX_URL: 'http://127.0.0.1:9',
      MEDIAMTX_SECRET: SECRET,
      TRUSTED_PROXIES: '1',
    })
    // operations stand below a prefix, which is registered too, as that of a door
    for (const [method, path, value] of add.mock.calls)
      if (typeof value === 'function' || (value instanceof Object && 'page' in value)) served.set(path, method)
    add.mockRestore()
    port = await freePort()
    const address = `127.0.0.1:${app.port}`
    const child = spawn('haproxy', ['-db', '-f', 'deploy/haproxy.cfg'], {
      cwd: root,
      // biome-ignore lint/style/noProcessEnv: a child process inherits it
      env: { ...process.env, LISTEN_PORT: String(port), NODE_1: address, NODE_2: address, NODE_3: address },
      stdio: 'ignore',
    })
    const exit = once(child, 'exit')
    end = async () => {
      child.kill('SIGKILL')
      await exit
    }
    await vi.waitFor(async () => expect((await askOnce('/healthz')).status).toBe(200), {
      timeout: 10_000,
      interval: 50,
    })
  })
  afterAll(async () => {
    await end()
    await app?.close()
  })

  test('[issue 15.4] passes on everything that the server serves but what is internal', async () => {
    const paths = [...served]
    expect(paths.length).toBeGreaterThan(30)
    const told = await Promise.all(
      paths.map(async ([path, method]) => {
        const asked = path.replaceAll(/\{\w+\*?\}/g, 'x')
        return { path, reached: reached(await ask(asked, method)) }
      }),
    )
    const kept = told.filter(({ reached }) => !reached).map(({ path }) => path)
    expect(kept.filter((path) => !INTERNAL.includes(path))).toEqual([])
    expect(INTERNAL.filter((path) => served.has(path)).filter((path) => !kept.includes(path))).toEqual([])
    expect(reached(await ask('/rest/v2/matches'))).toBe(true)
  })

  test('[issue 15.4] /internal, /metrics and /readyz are not there from outside, however they are written', async () => {
    // the server itself has them
    const own = (path: string) => fetch(`http://127.0.0.1:${app.port}${path}`)
    expect((await own('/readyz')).status).toBe(200)
    for (const path of [
      '/readyz',
      '/metrics',
      '/internal/ingest/x',
      `/internal/ingest/${SECRET}`,
      '/internal',
      '/none',
    ]) {
      const answer = await ask(path, path.startsWith('/internal/') ? 'POST' : 'GET')
      expect([path, reached(answer), answer.status, await answer.json()]).toEqual([
        path,
        false,
        404,
        { message: 'Not Found' },
      ])
    }
    const hidden = ['readyz', 'metrics', `internal/ingest/${SECRET}`]
    const ways = (path: string) => [
      ...[
        `/${path}/`,
        `//${path}`,
        `/./${path}`,
        `/%2e/${path}`,
        `/${path}?x=/rest/`,
        `/${path};/rest/`,
        `/${path}#/rest/`,
      ],
      ...[
        `/rest/../${path}`,
        `/overlay/x/../../${path}`,
        `/rest/%2e%2e/${path}`,
        `/rest/..%2f${path}`,
        `/live\\..\\${path}`,
      ],
      ...[
        `/${path.toUpperCase()}`,
        `/%${path.charCodeAt(0).toString(16)}${path.slice(1)}`,
        `http://tally.example/${path}`,
      ],
      ...[
        `http://tally.example/rest/../${path}`,
        `/assets/../${path}`,
        `/dashboard/../${path}`,
        `/bundles/x/../../${path}`,
      ],
    ]
    for (const target of hidden.flatMap(ways)) {
      const answers = [await askRaw('GET', target), await askRaw('POST', target)]
      for (const answer of answers) {
        expect([target, answer]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 \d{3} /)])
        // readiness, measures, and the yes, no and wrong method of who may publish
        expect([target, answer]).toEqual([
          target,
          expect.not.stringMatching(/"checks"|tally_|^HTTP\/1\.1 (204|403)|allow: POST, OPTIONS/i),
        ])
      }
    }
  })

  test('sockets go through', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/overlay/3bf83a74-0000-4000-8000-000000000000/socket`)
    const [, answer] = await once(socket, 'unexpected-response')
    expect([answer.statusCode, answer.headers['x-request-id'] ?? answer.headers.server]).toEqual([
      404,
      expect.anything(),
    ])
  })

  test('a server that does not answer is told in the shape of every error', async () => {
    await app.restart(async () => {
      await vi.waitFor(
        async () => {
          const answer = await askOnce('/rest/v2/matches')
          expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
          expect(await answer.json()).toEqual({ message: 'Temporarily unavailable, try again' })
        },
        { timeout: 30_000, interval: 100 },
      )
    })
  })
})
