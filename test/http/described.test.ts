import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changelog } from '../../src/changelog.ts'
import { type DocsOptions, docsPages } from '../../src/http/docs.ts'
import { openapi } from '../../src/http/openapi.ts'
import { routes, webhookSchemas } from '../../src/resources/index.ts'
import { testRouter } from '../support/http.ts'

const PUBLIC_URL = 'https://live.example/tally'
const options: DocsOptions = { routes, publicUrl: () => PUBLIC_URL, sockets: () => ({}), webhooks: webhookSchemas }
const swagger = (given: Partial<DocsOptions>) =>
  testRouter({ pages: docsPages({ ...options, ...given }) }).call('GET', '/rest/swagger.json')

test('the description that the build made is the one that the routes make, to the byte and the tag', async () => {
  const made = await swagger({})
  // nothing is described while it runs: there are no routes
  const built = await swagger({ routes: [], described: true })
  expect(built.json).toEqual(
    JSON.parse(
      JSON.stringify(openapi(routes, { publicUrl: PUBLIC_URL, changes: changelog, webhooks: webhookSchemas() })),
    ),
  )
  expect(built.headers).toEqual({ ...made.headers, 'X-Request-Id': built.headers['X-Request-Id'] })
})

test('a server that runs from the build answers that description', async () => {
  const built: typeof import('../../src/http/docs.ts') = await import('../../dist/src/http/docs.js' as string)
  const pages = built.docsPages({ ...options, routes: [] })
  const { json } = await testRouter({ pages }).call('GET', '/rest/swagger.json')
  expect(json).toMatchObject({ servers: [{ url: `${PUBLIC_URL}/rest` }] })
  expect(Object.keys(json.paths as object)).toEqual(expect.arrayContaining(routes.map(({ path }) => path)))
})

test('a description that is not there is an error that the next request tries anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pages = docsPages({ ...options, folder, described: true })
  const { call } = testRouter({ pages })
  expect((await call('GET', '/rest/swagger.json')).status).toBe(500)
  writeFileSync(join(folder, 'swagger.json'), '{"servers":[]}')
  expect(await call('GET', '/rest/swagger.json')).toMatchObject({ status: 200, json: { servers: [] } })
})
