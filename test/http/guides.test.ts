import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { docsPages } from '../../src/http/docs.ts'
import { guideFiles } from '../../src/http/guides/write.ts'
import { asyncapi } from '../../src/realtime/asyncapi.ts'
import { routes } from '../../src/resources/index.ts'
import { testRouter } from '../support/http.ts'
import { root } from '../support/root.ts'

const { call } = testRouter({
  pages: docsPages({ routes, publicUrl: () => 'https://tally.example/show', sockets: asyncapi }),
})
const html = async (path: string) => {
  const { status, headers, json } = await call('GET', path)
  expect([path, status]).toEqual([path, 200])
  return { text: String(json.text), headers }
}
const names = readdirSync(join(root, 'dist/guides')).map((file) => file.replace('.html', ''))

describe('guides below /docs', () => {
  test('are all pages that the repository has for people', () => {
    expect(names).toHaveLength(guideFiles(root).length)
    expect(names).toEqual(expect.arrayContaining(['overview', 'guides', 'operate', 'production', 'contributing']))
  })

  test.each(names)(
    '[issue 16.5] /docs/%s: what it links to is there, and nothing loads from elsewhere',
    async (name) => {
      const path = `/docs/${name}`
      const { text, headers } = await html(path)
      expect(headers['Content-Security-Policy']).toContain("default-src 'none'; script-src 'self' 'sha256-")
      for (const [, address = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        if (/^(https?:|data:)/.test(address)) continue
        const { pathname, hash } = new URL(address, `http://localhost${path}`)
        if (pathname.startsWith('/dashboard')) continue
        const target = pathname === path ? text : (await html(pathname)).text
        if (hash) expect([address, target.includes(` id="${hash.slice(1)}"`)]).toEqual([address, true])
      }
      expect(text.match(/<(?:script|img|link)[^>]* (?:src|href)="(?:https?:)?\/\//g)).toBe(null)
    },
  )

  test('carry the address of this server in their commands', async () => {
    const { text } = await html('/docs/clients')
    expect(text).toContain('https://tally.example/show/rest$2')
    expect(text).toContain('wss://tally.example/show/rest/v2/overlays/1/socket')
    expect(text).not.toContain('localhost:8080')
  })

  test('are searched chapter by chapter, with every operation of the API', async () => {
    const { text } = await html('/docs/search.json')
    const entries = JSON.parse(text) as { title: string; page: string; url: string }[]
    for (const { summary } of routes) expect(entries.map(({ title }) => title)).toContain(summary)
    expect(entries).toContainEqual(
      expect.objectContaining({ title: 'Backup and restore', url: 'docs/production#backup-and-restore' }),
    )
    expect(new Set(entries.map(({ url }) => url)).size).toBe(entries.length)
  })
})
