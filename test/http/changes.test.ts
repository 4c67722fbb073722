import { describe, expect, test } from 'vitest'
import { apiVersion, type ChangeEntry, changelog } from '../../src/changelog.ts'
import { docsPages } from '../../src/http/docs.ts'
import { openapi } from '../../src/http/openapi.ts'
import { operationName } from '../../src/http/operation.ts'
import { routes } from '../../src/resources/index.ts'
import { testRouter } from '../support/http.ts'

const numbers = (version: string) => version.split('.').map(Number)

/** Whether a version comes after another. */
function isNewer(one: string, other: string) {
  const [mine, theirs] = [numbers(one), numbers(other)]
  const at = mine.findIndex((number, index) => number !== theirs[index])
  return at >= 0 && (mine[at] ?? 0) > (theirs[at] ?? 0)
}

describe('[versioning.6] the change history', () => {
  test.each(changelog.map((entry, index) => [entry.version, entry, changelog[index - 1]] as const))(
    '%s is well-formed and comes after the one before it',
    (version, { date, changes, deprecates = [] }, before) => {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(new Date(date).toISOString()).toBe(`${date}T00:00:00.000Z`)
      if (before) {
        expect(isNewer(version, before.version)).toBe(true)
        expect(date >= before.date).toBe(true)
      }
      expect(changes.length + deprecates.length).toBeGreaterThan(0)
      for (const line of changes) {
        expect(line).toMatch(/^[A-Z`].*\.$/)
        expect(line.split('`').length % 2).toBe(1)
      }
      expect(new Set(changes).size).toBe(changes.length)
    },
  )

  test('[versioning.5] what it deprecates are operations, each once', () => {
    const named = changelog.flatMap(({ deprecates = [] }) => deprecates)
    expect(named.filter((operation) => !routes.some((route) => operationName(route) === operation))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
  })

  test('its newest version is that of the description', () => {
    const { info } = openapi(routes, { publicUrl: 'http://localhost', changes: changelog })
    expect(info).toMatchObject({ version: changelog.at(-1)?.version })
  })
})

const entries: readonly ChangeEntry[] = [
  { version: '1.0.0', date: '2026-03-01', changes: ['Lists take `a<b>` & "c".'] },
  { version: '1.1.0', date: '2026-04-30', changes: [], deprecates: ['GET /v1/teams/{teamId}'] },
]
const { call } = testRouter({
  pages: docsPages({ routes, publicUrl: () => 'http://localhost', sockets: () => ({}), changes: entries }),
})

describe('its pages', () => {
  test('[versioning.5] show people every entry, newest first, with what is deprecated and until when it works', async () => {
    const { status, headers, json } = await call('GET', '/docs/changes')
    const html = String(json.text)
    expect([status, headers['Content-Type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(html.indexOf('id="1.1.0"')).toBeLessThan(html.indexOf('id="1.0.0"'))
    expect(html).toContain('<code>a&lt;b&gt;</code> &amp; &quot;c&quot;.')
    expect(html).toContain('<time datetime="2026-04-30">30 April 2026</time>')
    expect(html.split('<code>GET /v1/teams/{teamId}</code>')).toHaveLength(3)
    expect(html.split('<time datetime="2027-04-30">30 April 2027</time>')).toHaveLength(3)
  })

  test('[versioning.5] tell machines the same', async () => {
    const { json, headers } = await call('GET', '/docs/changes.json')
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Access-Control-Allow-Origin': '*' })
    expect(json).toEqual({
      version: apiVersion(entries),
      entries: [
        {
          version: '1.1.0',
          date: '2026-04-30',
          changes: [],
          deprecates: [{ operation: 'GET /v1/teams/{teamId}', deprecated: '2026-04-30', sunset: '2027-04-30' }],
        },
        { version: '1.0.0', date: '2026-03-01', changes: entries[0]?.changes, deprecates: [] },
      ],
    })
  })

  test('say so where nothing is deprecated', async () => {
    const pages = docsPages({
      routes,
      publicUrl: () => 'http://localhost',
      sockets: () => ({}),
      changes: entries.slice(0, 1),
    })
    const { json } = await testRouter({ pages }).call('GET', '/docs/changes')
    expect(json.text).toContain('<p class="none">None.</p>')
  })
})
