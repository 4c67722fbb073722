import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { apiVersion, changelog } from '../../src/changelog.ts'
import { locked, targetChanged } from '../../src/errors.ts'
import { openapi } from '../../src/http/openapi.ts'
import { type Route, route } from '../../src/http/route.ts'
import { routes } from '../../src/resources/index.ts'
import { Id } from '../../src/schema/fields.ts'
import { startApp, type TestApp } from '../support/app.ts'

type Json = Record<string, unknown>

const describeRoutes = (list: readonly Route[], changes = changelog) =>
  JSON.parse(JSON.stringify(openapi(list, { publicUrl: 'http://localhost:8080', changes })))

/** The operations of the specification that this version serves. */
const SPECIFIED = [
  'POST /v1/overlays',
  'GET /v1/overlays/{overlayId}',
  'GET /v2/overlays/{overlayId}',
  'POST /v2/overlays/{overlayId}/control-room/graphics',
  'POST /v1/overlays/{overlayId}/graphics/commands',
  'POST /v2/overlays/{overlayId}/graphics/commands',
  'GET /v2/control-rooms',
  'GET /v2/control-rooms/{roomId}',
  'GET /v2/control-rooms/{roomId}/sections',
  'GET /v2/control-rooms/{roomId}/presets',
  'GET /v2/themes/{themeId}',
  'GET /v2/themes/{themeId}/variables',
  'GET /v2/themes/{themeId}/motion-graphics',
  'POST /v2/themes/{themeId}/motion-graphics/uploads',
  'GET /v2/themes/{themeId}/motion-graphics/{graphicId}/files/metadata',
  'POST /v2/themes/{themeId}/motion-graphics/{graphicId}/control-variables',
  'POST /v2/themes/{themeId}/motion-graphics/{graphicId}/user-expressions',
  'PATCH /v2/themes/{themeId}/motion-graphics/{graphicId}/user-expressions/{id}',
  'POST /v2/themes/{themeId}/motion-graphics/{graphicId}/evaluate',
  'GET /v2/competitions/{competitionId}/theme-profiles',
  'GET /v1/competitions/grades',
  'GET /v1/matches',
  'GET /v2/matches',
  'GET /v1/teams/{teamId}/players',
  'POST /v1/teams/{teamId}/players',
  'PATCH /v1/teams/{teamId}/players/{playerId}',
  'GET /v1/players',
  'GET /v1/officials',
  'GET /v1/officials/{officialId}',
  'GET /v1/venues',
  'GET /v1/matches/{matchId}/lineup',
  'PUT /v2/matches/{matchId}/lineup',
]

const refsIn = (value: unknown): string[] => {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, item]) => (key === '$ref' ? [String(item)] : refsIn(item)))
}

const at = (document: Json, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (value, key) => (value && typeof value === 'object' ? Reflect.get(value, key) : undefined),
      document,
    )

describe('the description of all routes', () => {
  const document = describeRoutes(routes)

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(document.openapi).toMatch(/^3\.1/)
  })

  test('resolves every reference', () => {
    const refs = new Set(refsIn(document))
    expect(refs.size).toBeGreaterThan(20)
    expect([...refs].filter((ref) => at(document, ref) === undefined)).toEqual([])
  })

  test('shows every route once, under its own operation id', () => {
    const operations = routes.map(({ method, path }) => document.paths[path]?.[method])
    expect(operations.every(Boolean)).toBe(true)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  })

  test.each(SPECIFIED)('has %s', (operation) => {
    const [method = '', path = ''] = operation.split(' ')
    expect(document.paths[path]?.[method.toLowerCase()]).toBeDefined()
  })

  test('[versioning.6] carries the version of the newest entry of the change history', () => {
    expect(document.info.version).toBe(changelog.at(-1)?.version)
  })

  test('[auth.3] offers both headers, either of which is enough', () => {
    expect(document.security).toEqual([{ bearer: [] }, { serviceApiKey: [] }])
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      serviceApiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
    })
  })

  test('[errors] every operation lists the common error set', () => {
    for (const { method, path } of routes)
      expect(Object.keys(document.paths[path][method].responses)).toEqual(
        expect.arrayContaining(['400', '401', '403', '404', '429', '500']),
      )
  })

  test('[versioning.4] x-beta is the string "true" on the beta operations, and absent elsewhere', () => {
    for (const { method, path, beta } of routes)
      expect(document.paths[path][method]['x-beta']).toBe(beta ? 'true' : undefined)
  })
})

describe('the description of a route', () => {
  const Body = z.strictObject({ name: z.string(), size: z.int32().default(1) }).meta({ id: 'TestBody' })
  const Answer = z.strictObject({ id: Id, body: Body }).meta({ id: 'TestAnswer' })
  const one = route({
    method: 'put',
    path: '/v2/themes/{themeId}/things/{name}',
    summary: 'A thing',
    status: 201,
    beta: true,
    params: z.object({ themeId: Id, name: z.string() }),
    query: z.object({ include: z.string().optional().meta({ description: 'What to add' }), version: Id }),
    body: Body,
    response: Answer,
    produces: ['text/csv'],
    throws: [locked, targetChanged],
    handle: () => ({ id: 1, body: { name: 'a', size: 1 } }),
  })
  const document = describeRoutes([one])
  const operation = document.paths[one.path].put

  test('prints parameters with where they stand and whether they are needed', () => {
    expect(operation.parameters).toEqual([
      { name: 'themeId', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } },
      { name: 'name', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'include',
        in: 'query',
        required: false,
        description: 'What to add',
        schema: { description: 'What to add', type: 'string' },
      },
      {
        name: 'version',
        in: 'query',
        required: true,
        description: 'Identifier',
        schema: { $ref: '#/components/schemas/Id' },
      },
      { $ref: '#/components/parameters/IdempotencyKey' },
    ])
  })

  test('tells what goes in apart from what comes out where defaults make them differ', () => {
    expect(operation.requestBody.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/TestBodyInput',
    })
    const { TestBody, TestBodyInput, TestAnswer } = document.components.schemas
    expect(TestBodyInput.required).toEqual(['name'])
    expect(TestBody.required).toEqual(['name', 'size'])
    expect(TestAnswer.properties.body).toEqual({ $ref: '#/components/schemas/TestBody' })
  })

  test('lists the errors that it throws beside the common ones', () => {
    expect(operation.responses['409'].content['application/json'].schema.oneOf).toEqual([
      { $ref: '#/components/schemas/PlainError' },
      { $ref: '#/components/schemas/LockedError' },
      { $ref: '#/components/schemas/TargetChangedError' },
    ])
  })

  test('prints the success status, its other content types and its headers', () => {
    expect(Object.keys(operation.responses['201'].content)).toEqual(['application/json', 'text/csv'])
    expect(Object.keys(operation.responses['201'].headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'RateLimit', 'Idempotency-Replayed', 'X-Service-Beta', 'Link']),
    )
  })

  test('names the scope and says that it is Beta', () => {
    expect(operation.description).toContain('**Beta.**')
    expect(operation.description).toContain('`themes:write`')
  })

  test('[versioning.5] marks a deprecated operation and says until when it works', () => {
    const changes = [{ version: '9.0.0', date: '2026-05-01', changes: [], deprecates: [`PUT ${one.path}`] }]
    const old = describeRoutes([one], changes)
    expect(old.info.version).toBe('9.0.0')
    expect(old.paths[one.path].put).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('2027-05-01'),
    })
    for (const answer of Object.values<{ headers: object }>(old.paths[one.path].put.responses))
      expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']))
    for (const name of ['Deprecation', 'Sunset']) {
      expect(old.components.headers).toHaveProperty(name)
      expect(operation.responses['201'].headers).not.toHaveProperty(name)
    }
  })

  test('refuses an error that it does not know', () => {
    const unknown = route({ method: 'get', path: '/v1/teams', summary: '', throws: [mystery], handle: () => undefined })
    expect(() => describeRoutes([unknown])).toThrow('mystery')
  })
})

const mystery = () => locked(null)

describe('the change history', () => {
  test('[versioning.7] holds the versions 0.0.20 to 0.0.23 and goes on', () => {
    const versions = changelog.map(({ version }) => version)
    expect(versions.slice(0, 4)).toEqual(['0.0.20', '0.0.21', '0.0.22', '0.0.23'])
    expect(versions.length).toBeGreaterThan(4)
    expect(apiVersion(changelog)).toBe(versions.at(-1))
  })
})

describe('served', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startApp({ PUBLIC_URL: 'https://graphics.example.com/' })
  })
  afterAll(() => app.close())

  test('swagger.json needs no key, names the public address, and is not sent twice', async () => {
    const first = await fetch(`${app.origin}/rest/swagger.json`)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json')
    expect(first.headers.get('access-control-allow-origin')).toBe('*')
    expect(await first.json()).toMatchObject({ servers: [{ url: 'https://graphics.example.com/rest' }] })
    const again = await fetch(`${app.origin}/rest/swagger.json`, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
  })

  test('the reference page and its script come from here, and may load nothing from elsewhere', async () => {
    const page = await fetch(`${app.origin}/docs`)
    const html = await page.text()
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain('id="beta"')
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '')
    expect(addresses.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([])
    expect((await fetch(`${app.origin}/docs/reference.js`)).status).toBe(200)
  })

  test('[versioning.6] the change history is a page', async () => {
    const html = await (await fetch(`${app.origin}/docs/changes`)).text()
    for (const { version, date } of changelog) {
      expect(html).toContain(version)
      expect(html).toContain(date)
    }
  })
})
