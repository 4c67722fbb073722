import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { httpRequest } from '../support/http.ts'
import { type House, house, secretOf } from './support.ts'

let app: TestApp
let own: House
let pages: Record<string, string>
beforeAll(async () => {
  app = await startApp()
  own = await house(app)
  const [control, monitor] = [secretOf(own, 'control'), secretOf(own, 'monitor')]
  pages = {
    overlay: `/overlay/${secretOf(own, 'key')}`,
    'picture in the control room page': `/control/${control}/picture`,
    'picture in the monitoring page': `/monitor/${monitor}/picture`,
    control: `/control/${control}`,
    monitor: `/monitor/${monitor}`,
    desk: `/desk/${secretOf(own, 'desk')}`,
    preview: `/preview/${secretOf(own, 'preview')}`,
    replay: `/replay/${secretOf(own, 'replay')}`,
    dashboard: '/dashboard',
    'view of the dashboard': '/dashboard/matches/1',
  }
})
afterAll(() => app.close())

const open = async (path: string, host = 'tally.example') => {
  const { status, headers, body } = await app.app.request(httpRequest('GET', path, { headers: { host } }))
  expect([path, status]).toEqual([path, 200])
  const policy = new Map(
    (headers['Content-Security-Policy'] ?? '').split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/)
      return [name, sources] as const
    }),
  )
  return { headers, policy, html: String(body) }
}

test('[issue 6] every page loads from its server only, and runs no script but its own', async () => {
  for (const [name, path] of Object.entries(pages)) {
    const { policy } = await open(path)
    expect([name, policy.get('default-src')]).toEqual([name, ["'none'"]])
    expect([name, policy.get('base-uri'), policy.get('form-action')]).toEqual([name, ["'none'"], ["'none'"]])
    for (const [directive, sources] of policy) {
      const allowed = /^('self'|'none'|data:|'nonce-[\w+/=]+'|'sha256-[\w+/=]+'|wss?:\/\/tally\.example)$/
      expect([name, directive, sources.filter((source) => !allowed.test(source))]).toEqual([name, directive, []])
    }
    expect([name, policy.get('script-src')?.filter((source) => source.startsWith("'nonce"))]).toEqual([name, []])
  }
})

test('the bare address of the server leads to the dashboard', async () => {
  const answer = await fetch(`${app.origin}/`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'dashboard'])
  expect((await fetch(`${app.origin}/`)).url).toBe(`${app.origin}/dashboard`)
})

test('the file that waits for the overlay knows the server by the name that it was asked at, and takes the query along', async () => {
  const path = `${pages.overlay}/file`
  const answer = await fetch(`${app.origin}${path}?layers=a,it's%20%22<b>`)
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="tally-overlay.html"',
  ])
  expect(await answer.text()).toContain(`= '${app.origin}${pages.overlay}?layers=a%2Cit%27s+%22%3Cb%3E'\n`)
  for (const host of ['10.0.0.5:8080', 'studio.local']) {
    const { html } = await open(path, host)
    expect(html).toContain(`= 'http://${host}${pages.overlay}'\n`)
  }
  expect((await open(path, "x'><script>")).html).toContain(
    `= 'http://localhost:${new URL(app.origin).port}${pages.overlay}'\n`,
  )
})

test('[issue 6] a nonce is good for one answer', async () => {
  for (const path of [pages.control, pages.monitor, pages.dashboard]) {
    const nonces = new Set<string | undefined>()
    for (let count = 0; count < 5; count++) {
      const { policy, html } = await open(path ?? '')
      const nonce = policy.get('style-src')?.find((source) => source.startsWith("'nonce-"))
      expect(html).toContain(`nonce="${nonce?.slice(7, -1)}"`)
      nonces.add(nonce)
    }
    expect(nonces.size).toBe(5)
  }
})

test('[issue 6] no page tells another site where it is, is kept anywhere, or found by a search', async () => {
  for (const [name, path] of Object.entries(pages)) {
    const { headers, html } = await open(path)
    expect([name, headers['Referrer-Policy'], headers['Cache-Control']]).toEqual([name, 'no-referrer', 'no-store'])
    expect([name, headers['X-Content-Type-Options'], headers['X-Robots-Tag']]).toEqual([name, 'nosniff', 'noindex'])
    expect([name, html.match(/(src|href)="(https?:)?\/\/[^"]*/g)]).toEqual([name, null])
  }
  for (const kind of ['control', 'monitor'] as const) {
    const { headers } = await open(`/${kind}/${secretOf(own, kind)}/rest/room`)
    expect([headers['Referrer-Policy'], headers['Cache-Control']]).toEqual(['no-referrer', 'no-store'])
    expect(headers['Access-Control-Allow-Origin']).toBeUndefined()
  }
})

test('[issue 6] what people work with cannot be pressed through a page of somebody else; a browser source stands where it likes', async () => {
  for (const [name, path] of Object.entries(pages)) {
    const { policy } = await open(path)
    expect([name, policy.get('frame-ancestors')]).toEqual([name, name === 'overlay' ? undefined : ["'self'"]])
  }
})

test('[issue 6] a Host header cannot write into the policy of a page', async () => {
  for (const host of ["evil.example; script-src 'unsafe-inline'", 'evil.example *', 'a b', "x' 'unsafe-eval"]) {
    const { policy } = await open(pages.control ?? '', host)
    expect(policy.get('connect-src')).toEqual(["'self'"])
    expect(policy.get('script-src')?.join(' ')).not.toContain('unsafe')
  }
})

test('[issue 6] another origin is not told that it may ask behind a door', async () => {
  for (const path of [`${pages.control}/rest/room`, `${pages.monitor}/rest/as-run`, '/dashboard/rest/v1/me']) {
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const { headers } = await app.app.request(httpRequest('OPTIONS', path, { headers: asked }))
    expect(Object.keys(headers).filter((name) => /^access-control/i.test(name))).toEqual([])
  }
})
