import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { scopesOf } from '../../src/http/scope.ts'
import { routes } from '../../src/resources/index.ts'
import { AuthenticationError, AuthorizationError, PlainError, ValidationError } from '../../src/schema/errors.ts'
import { badValues } from '../support/answers.ts'
import { newKey, newOrganization, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let key: string
let scopeless: string
let organizationId: number

beforeAll(async () => {
  app = await startApp()
  const organization = await newOrganization(app.database)
  key = organization.key
  organizationId = organization.id
  scopeless = (await newKey(app.database, organization.id, [])).key
})
afterAll(() => app.close())

/** A path with a value for each parameter; ids that nobody has unless said. */
const pathOf = ({ path }: Route, value = '2147483647') => path.replace(/\{\w+\}/g, value)

const fieldsOf = (schema: z.ZodObject | undefined) => Object.entries(schema?.shape ?? {})

/** Whether the field takes text as a number: 0 is then refused by Id. */
const isId = (field: z.core.$ZodType) => !z.safeParse(field, 0).success && z.safeParse(field, 1).success

const isStrict = (schema: z.ZodType | undefined): schema is z.ZodObject =>
  schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodNever

const those = (accept: (route: Route) => boolean): [string, Route][] =>
  routes.filter(accept).map((route) => [operationName(route), route])

const call = (
  route: Route,
  sent: { key?: string; path?: string; body?: unknown; headers?: Record<string, string> } = {},
) => {
  const { path = pathOf(route), body, ...rest } = sent
  // a client cannot send a body with GET
  return app.call(route.method.toUpperCase(), path, { ...rest, ...(route.method === 'get' ? {} : { body }) })
}

const betaOf = (route: Route) => (route.beta ? 'true' : null)

test.each(those(() => true))('[auth.1] %s without a key answers 401', async (_, route) => {
  const { status, body, headers } = await call(route)
  expect(status).toBe(401)
  expect(AuthenticationError.parse(body)).toEqual({ message: 'API key missing or unknown', code: 'UNAUTHENTICATED' })
  expect(headers.get('x-service-beta')).toBe(betaOf(route))
})

test.each(those(() => true))('[auth.7] %s without the scope answers 403 and names it', async (_, route) => {
  const { status, body, headers } = await call(route, { key: scopeless, body: '{' })
  expect(status).toBe(403)
  expect(AuthorizationError.parse(body)).toEqual({
    message: `Missing scope: ${scopesOf(route).join(' or ')}`,
    code: 'INSUFFICIENT_SCOPE',
  })
  expect(headers.get('x-service-beta')).toBe(betaOf(route))
})

const isRead = ({ method, path }: Route) => method === 'get' && !path.includes('/control-rooms')

test.each(those(isRead))('[auth.5] %s is opened by the read scope of its first segment', async (_, route) => {
  const { path, method } = route
  const scopes = scopesOf({ path, method })
  const opened = await newKey(app.database, organizationId, [...scopes])
  const { body } = await call(route, { key: opened.key })
  expect([scopes, body.code]).not.toEqual([scopes, 'INSUFFICIENT_SCOPE'])
})

const idsOf = (route: Route) => fieldsOf(route.params).flatMap(([name, field]) => (isId(field) ? [name] : []))

test.each(those((route) => idsOf(route).length > 0))(
  '%s refuses a path id out of range and names it',
  async (_, route) => {
    for (const value of ['0', 'abc', '2147483648', '1.5']) {
      const { status, body, headers } = await call(route, { key, path: pathOf(route, value), body: '{}' })
      expect(status).toBe(400)
      for (const name of idsOf(route)) expect(badValues(body)).toHaveProperty([`path.${name}`])
      expect(headers.get('x-service-beta')).toBe(betaOf(route))
    }
  },
)

test.each(those(({ body }) => isStrict(body)))(
  '%s refuses unknown keys in the body and names them',
  async (_, route) => {
    const { status, body } = await call(route, { key, body: { nonsense: 1, more: {} } })
    expect(status).toBe(400)
    const { details } = ValidationError.parse(body)
    expect(details).toHaveProperty(['body.nonsense'], { message: 'unknown key', value: 1 })
    expect(details).toHaveProperty(['body.more'])
  },
)

test.each(those(({ body }) => body !== undefined))('%s refuses a body that is not JSON', async (_, route) => {
  const { status, body } = await call(route, { key, body: '{"a":' })
  expect(status).toBe(400)
  expect(badValues(body)).toEqual({})
})

const isList = ({ query }: Route) => query !== undefined && 'limit' in query.shape

test.each(those(isList))('%s refuses a limit out of range and names it', async (_, route) => {
  for (const limit of ['0', '1001', 'x']) {
    const { status, body } = await call(route, { key, path: `${pathOf(route)}?limit=${limit}` })
    expect(status).toBe(400)
    expect(badValues(body)).toHaveProperty(['query.limit'])
  }
})

test.each(those(() => true))('the path of %s answers 405 to another method', async (_, route) => {
  const { status, body, headers } = await app.call('BREW', pathOf(route), { key })
  expect(status).toBe(405)
  expect(PlainError.parse(body)).toEqual({ message: 'Method Not Allowed' })
  expect(headers.get('allow')?.split(', ')).toContain(route.method.toUpperCase())
})

test.each(those(() => true))('every answer of %s names the request and is not stored', async (_, route) => {
  const { headers } = await call(route, { key, headers: { 'X-Request-Id': 'mine' } })
  expect(headers.get('x-request-id')).toBe('mine')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('access-control-allow-origin')).toBe('*')
})

test('[versioning.4] a body that is too large is refused with the mark of a Beta operation', async () => {
  const [route] = routes.filter(({ beta, body, maxBodyBytes }) => beta && body && maxBodyBytes === undefined)
  if (!route) throw new Error('no Beta operation has a body')
  const { status, headers } = await call(route, { key, body: { name: 'a'.repeat(1_048_576) } })
  expect([status, headers.get('x-service-beta'), headers.get('link')]).toEqual([
    413,
    'true',
    expect.stringContaining('rel="help"'),
  ])
})

test('every schema that a route shows is named, so that the description can refer to it', () => {
  const unnamed = routes.flatMap((route) =>
    [route.body, route.response]
      .filter((schema) => schema !== undefined && z.globalRegistry.get(schema)?.id === undefined)
      .map(() => operationName(route)),
  )
  expect(unnamed).toEqual([])
})

test('a route that names parameters has a schema for exactly these', () => {
  for (const route of routes) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect([operationName(route), Object.keys(route.params?.shape ?? {}).sort()]).toEqual([
      operationName(route),
      inPath.sort(),
    ])
  }
})

test('[versioning.4] the operations below /v2/themes are Beta', () => {
  for (const route of routes)
    if (route.path.startsWith('/v2/themes'))
      expect([operationName(route), route.beta]).toEqual([operationName(route), true])
})
