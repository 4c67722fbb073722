import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localFile, newDesigner } from './code-graphics-support.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let url: string

beforeAll(async () => {
  production = await startProduction('built')
  const { sql } = production.server.database
  const [row] = await sql<{ hash: string }[]>`
    select bundle_hash as hash from graphic_version where graphic_id = ${production.preset('Score bug').graphicId}`
  url = `${production.server.origin}/bundles/${row?.hash}`
})
afterAll(() => production.close())

describe('bundles', () => {
  it('[live-path 23] files are sandboxed, open to any origin, immutable, and of the right type', async () => {
    const answer = await fetch(`${url}/index.html`)
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': 'sandbox allow-scripts',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    })
    const html = await answer.text()
    for (const [, name = ''] of html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
      const file = await fetch(`${url}/${name}`)
      expect([name, file.status]).toEqual([name, 200])
      const bytes = Buffer.from(await file.arrayBuffer())
      expect(file.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`)
    }
    expect(html).toMatch(/src="\.\/assets/)
  })

  it('a frame of our pages gets the page of a graphic with ours before it, by another tag; no other file changes', async () => {
    const read = async (path: string, headers = {}) => {
      const answer = await fetch(`${url}/${path}`, { headers })
      return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text() }
    }
    const plain = await read('index.html')
    const framed = await read('index.html?framed')
    expect(framed.tag).not.toBe(plain.tag)
    expect(framed.text).toContain('color-scheme:light')
    expect(framed.text.replace(/<script>\{.*\}<\/script>/, '')).toBe(plain.text)
    expect(await read('index.html?framed', { 'If-None-Match': framed.tag })).toMatchObject({ status: 304 })
    expect(await read('index.html?framed', { 'If-None-Match': plain.tag })).toEqual(framed)
    expect((await read('index.html?other')).text).toBe(plain.text)
    const script = /(assets\/[^"]+\.js)/.exec(plain.text)?.[1] ?? ''
    expect(await read(`${script}?framed`)).toEqual(await read(script))
  })

  it('a part of a file is sent when one is asked for, as video needs it', async () => {
    const whole = Buffer.from(await (await fetch(`${url}/index.html`)).arrayBuffer())
    const part = async (headers: Record<string, string>) => {
      const answer = await fetch(`${url}/index.html`, { headers })
      const bytes = Buffer.from(await answer.arrayBuffer())
      return {
        status: answer.status,
        range: answer.headers.get('content-range'),
        bytes,
        etag: answer.headers.get('etag'),
      }
    }
    const all = { status: 200, range: null, bytes: whole }
    const first = await part({ Range: 'bytes=0-9' })
    expect(first).toMatchObject({ status: 206, range: `bytes 0-9/${whole.length}`, bytes: whole.subarray(0, 10) })
    expect(await part({ Range: 'bytes=-5' })).toMatchObject({ status: 206, bytes: whole.subarray(-5) })
    expect(await part({ Range: 'bytes=7-' })).toMatchObject({ status: 206, bytes: whole.subarray(7) })
    expect(await part({ Range: 'bytes=0-1', 'If-Range': first.etag ?? '' })).toMatchObject({ status: 206 })
    expect(await part({ Range: 'bytes=0-1', 'If-Range': '"another"' })).toMatchObject(all)
    expect(await part({ Range: 'bytes=0-1,4-5' })).toMatchObject(all)
    expect(await part({ Range: 'lines=0-1' })).toMatchObject(all)
    expect(await part({ Range: `bytes=${whole.length}-` })).toMatchObject({
      status: 416,
      range: `bytes */${whole.length}`,
    })
  })

  it('the charset of a file is the one that its media type names, else UTF-8', async () => {
    const { sql } = production.server.database
    const hash = 'c'.repeat(64)
    const [row] = await sql<{ files: { name: string; blob: string }[] }[]>`
      select b.files from bundle b join graphic_version v on v.bundle_hash = b.hash
      where v.graphic_id = ${production.preset('Score bug').graphicId}`
    const { blob = '' } = row?.files.find(({ name }) => name === 'index.html') ?? {}
    const mimes = ['text/css', 'text/plain; charset=iso-8859-1', 'image/svg+xml', 'application/json', 'image/png']
    const files = mimes.map((mime, index) => ({ name: `${index}`, mime, size: 1, blob }))
    await sql`insert into bundle (hash, entry, files) values (${hash}, '0', ${sql.json(files)})`
    const types = mimes.map(async (_, index) => {
      const { headers } = await fetch(`${production.server.origin}/bundles/${hash}/${index}`)
      return headers.get('content-type')
    })
    expect(await Promise.all(types)).toEqual([
      'text/css; charset=utf-8',
      'text/plain; charset=iso-8859-1',
      'image/svg+xml; charset=utf-8',
      'application/json; charset=utf-8',
      'image/png',
    ])
    await sql`delete from bundle where hash = ${hash}`
  })

  it('[live-path 23] a known ETag answers 304 without a body', async () => {
    const etag = (await fetch(`${url}/index.html`)).headers.get('etag') ?? ''
    const answer = await fetch(`${url}/index.html`, { headers: { 'If-None-Match': etag } })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
  })

  it('[live-path 23] HEAD answers what GET answers, without the bytes', async () => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`${url}/index.html`, { method })))
    const named = (answer: Response | undefined) =>
      ['content-type', 'etag', 'cache-control', 'content-security-policy'].map((name) => answer?.headers.get(name))
    expect([head?.status, await head?.text(), named(head)]).toEqual([200, '', named(get)])
  })

  it('[issue 4.5] what a working copy holds is served as it was declared, fonts to graphics without an origin', async () => {
    const designer = await newDesigner(production.server)
    const { graphicId } = await designer.create('Types')
    const types = {
      'index.html': ['text/html', 'text/html; charset=utf-8'],
      'a.js': ['application/javascript', 'application/javascript; charset=utf-8'],
      'a.css': ['text/css; charset=iso-8859-1', 'text/css; charset=iso-8859-1'],
      'a.svg': ['image/svg+xml', 'image/svg+xml; charset=utf-8'],
      'brand font/Ää.woff2': ['font/woff2', 'font/woff2'],
      'a.wasm': ['application/wasm', 'application/wasm'],
    }
    const files = Object.entries(types).map(([name, [mime]]) => localFile(name, name, mime))
    const { bundleUrl } = await designer.upload(graphicId, files)
    for (const [name, [, served]] of Object.entries(types)) {
      const answer = await fetch(new URL(name, bundleUrl ?? ''), { headers: { Origin: 'null' } })
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, name])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': served,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': expect.stringMatching(/sandbox allow-scripts/),
      })
    }
  })

  it.each([
    '/',
    '/missing.js',
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/assets/../index.html%00',
    '/index.html/',
  ])('[pitfalls] %s is 404', async (path) => {
    const { status } = await production.server.app.request({
      method: 'GET',
      path: new URL(url).pathname + path,
      query: '',
      header: () => '',
      has: () => false,
      remoteAddress: '',
      body: async () => undefined,
      chunks: async function* () {},
    })
    expect([400, 404]).toContain(status)
  })

  it('[contract: the same files are one bundle] publishing them again changes no url', async () => {
    const path = `/v2/themes/${production.themeId}/code-graphics/${production.preset('Score bug').graphicId}`
    expect((await production.call('POST', `${path}/publish`)).status).toBe(201)
    const { body } = await production.call('GET', `${path}/versions`)
    const paths = (body as unknown as { bundleUrl: string }[]).map(({ bundleUrl }) => new URL(bundleUrl).pathname)
    const { pathname } = new URL(`${url}/index.html`)
    expect(paths).toEqual([pathname, pathname])
  })

  it('a page that holds a broken file asks at an address that no cache knows', async () => {
    const [kept, anew] = await Promise.all([fetch(`${url}/index.html`), fetch(`${url}~1763740800000/index.html`)])
    expect(anew.status).toBe(200)
    expect(await anew.text()).toBe(await kept.text())
    for (const odd of ['~', '~x', '~1~2', '~1234567890123456'])
      expect((await fetch(`${url}${odd}/index.html`)).status).toBe(404)
  })

  it('[pitfalls] damaged bytes are never served', async () => {
    const { sql } = production.server.database
    const [row] = await sql<{ files: { name: string; blob: string }[]; hash: string }[]>`
      select b.files, b.hash from bundle b join graphic_version v on v.bundle_hash = b.hash
      where v.graphic_id = ${production.preset('Match partner').graphicId}`
    const html = row?.files.find(({ name }) => name === 'index.html')
    const blob = html?.blob ?? ''
    const path = join(production.server.dataDir, 'blobs', blob.slice(0, 2), blob)
    const original = readFileSync(path)
    writeFileSync(path, Buffer.concat([original, Buffer.from('<script>')]))
    expect((await fetch(`${production.server.origin}/bundles/${row?.hash}/index.html`)).status).toBe(500)
    writeFileSync(path, original)
    expect((await fetch(`${production.server.origin}/bundles/${row?.hash}/index.html`)).status).toBe(200)
  })
})
