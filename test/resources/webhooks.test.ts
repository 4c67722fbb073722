import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openapi } from '../../src/http/openapi.ts'
import { routes } from '../../src/resources/index.ts'
import { WEBHOOK_TYPES } from '../../src/resources/webhooks/events.schema.ts'
import { newKey } from '../support/app.ts'
import { badFields, type Limit, textLimits } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const URL_OF = 'https://receiver.example/tally?token=planted'
const at = (id: unknown) => `/v2/webhooks/${id}`
const create = async (body: object = {}) => {
  const answer = await production.call('POST', '/v2/webhooks', { url: URL_OF, events: ['*'], ...body })
  expect(answer.status).toBe(201)
  return answer.body as { id: number; secret: string }
}
const keyWith = async (scopes: string[]) => {
  const { key } = await newKey(production.server.database, production.organizationId, scopes)
  return (method: string, path: string, body?: unknown) => production.server.call(method, path, { key, body })
}

describe('[issue 20.3] webhooks', () => {
  it('[integrations: Webhooks] are made with a secret that is shown once', async () => {
    const made = await create({ events: ['match.score_changed', 'match.created'], description: 'The club site' })
    const { secret, ...shown } = made
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(() => new Webhook(secret)).not.toThrow()
    expect(shown).toEqual({
      ...{ id: expect.any(Number), url: URL_OF, events: ['match.score_changed', 'match.created'] },
      ...{ description: 'The club site', enabled: true, lastSuccessAt: null, failingSince: null },
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
    })
    expect((await production.call('GET', at(made.id))).body).toEqual(shown)
    const { body } = await production.call('GET', '/v2/webhooks')
    expect(body.webhooks).toContainEqual(shown)
  })

  it('keep neither secret nor address in plain, also in the journal', async () => {
    const { id, secret } = await create()
    const { sql } = production.server.database
    const rows = await sql`select row_to_json(w)::text as text from webhook w where id = ${id}
      union all select row_to_json(j)::text from journal j where ref = ${`webhook/${id}`}`
    expect(rows).toHaveLength(2)
    for (const { text } of rows) for (const hidden of [secret.slice(6), 'planted']) expect(text).not.toContain(hidden)
  })

  const limits: Limit[] = [
    ['url', 'ftp://receiver.example/', false],
    ['url', 'https://user:pass@receiver.example/', false],
    ['url', 'receiver.example', false],
    ['url', 'http://127.0.0.1/', false],
    ['url', 'http://[::ffff:10.0.0.1]/', false],
    ['url', 'http://0x7f.1/', false],
    ['url', 'http://169.254.169.254/latest/meta-data', false],
    ['url', 'http://localhost:8080/', false],
    ['url', `https://receiver.example/${'a'.repeat(2_100)}`, false],
    ['events', [], false],
    ['events', ['match.exploded'], false],
    ['events', ['*', 'match.created'], false],
    ['events', ['match.created', 'match.created'], true],
    ['enabled', 'yes', false],
    ['enabled', false, true],
    ['description', null, true],
    ...textLimits('description', 0, 255),
  ]
  it.each(limits)('%s %j is allowed: %s', async (field, value, allowed) => {
    const answer = await production.call('POST', '/v2/webhooks', { url: URL_OF, events: ['*'], [field]: value })
    expect([answer.status, ...(allowed ? [] : [badFields(answer)[1]])]).toEqual(
      allowed ? [201] : [400, [expect.stringMatching(`^body\\.${field}`)]],
    )
    if (allowed) await production.call('DELETE', at(answer.body.id))
  })

  it('change what was sent, and are disabled and enabled', async () => {
    const { id } = await create()
    const changed = await production.call('PATCH', at(id), {
      url: 'https://other.example/',
      events: ['gameplan.fired'],
    })
    expect(changed.body).toMatchObject({ url: 'https://other.example/', events: ['gameplan.fired'], enabled: true })
    expect((await production.call('PATCH', at(id), { enabled: false })).body).toMatchObject({ enabled: false })
    expect(badFields(await production.call('POST', `${at(id)}/test`))).toEqual([400, ['path.webhookId']])
    expect(badFields(await production.call('PATCH', at(id), { url: 'http://10.0.0.1/' }))).toEqual([400, ['body.url']])
    expect((await production.call('PATCH', at(id), { enabled: true })).body).toMatchObject({ enabled: true })
    expect((await production.call('DELETE', at(id))).status).toBe(204)
    expect((await production.call('GET', at(id))).status).toBe(404)
  })

  it('do not show the secret again to a request that is repeated', async () => {
    const { server, apiKey: key } = production
    const headers = { 'Idempotency-Key': `once-${Date.now()}` }
    const body = { url: URL_OF, events: ['*'] }
    const [first, again] = [
      await server.call('POST', '/v2/webhooks', { key, body, headers }),
      await server.call('POST', '/v2/webhooks', { key, body, headers }),
    ]
    expect(first.body.secret).toEqual(expect.stringMatching(/^whsec_/))
    expect([again.status, again.body]).toEqual([201, { ...first.body, secret: null }])
  })

  it('have another secret when it is rotated, and the audit list says who did', async () => {
    const { id, secret } = await create()
    const rotated = await production.call('POST', `${at(id)}/secret/rotate`)
    expect(rotated).toMatchObject({ status: 200, body: { id, secret: expect.stringMatching(/^whsec_/) } })
    expect(rotated.body.secret).not.toBe(secret)
    const { sql } = production.server.database
    const told = await sql<{ events: { type: string }[]; name: string }[]>`
      select events, principal ->> 'type' as name from journal where ref = ${`webhook/${id}`} order by seq`
    expect(told.map(({ events: [event], name }) => [event?.type, name])).toEqual([
      ['webhook.created', 'key'],
      ['webhook.secretRotated', 'key'],
    ])
  })

  it('are of one organization', async () => {
    const { id } = await create()
    for (const [method, path, body] of [
      ['GET', at(id)],
      ['PATCH', at(id), { description: 'Theirs' }],
      ['DELETE', at(id)],
      ['POST', `${at(id)}/test`],
      ['POST', `${at(id)}/secret/rotate`],
      ['GET', `${at(id)}/deliveries`],
      ['POST', `${at(id)}/replay`, { from: '2026-01-01T00:00:00Z' }],
    ] as const)
      expect([method, path, (await stranger.call(method, path, body)).status]).toEqual([method, path, 403])
    expect((await stranger.call('GET', '/v2/webhooks')).body.webhooks).toEqual([])
  })

  it('are for keys with their own scope, which no other brings', async () => {
    const reader = await keyWith(['webhooks:read'])
    expect((await reader('GET', '/v2/webhooks')).status).toBe(200)
    const refused = await reader('POST', '/v2/webhooks', { url: URL_OF, events: ['*'] })
    expect([refused.status, refused.body.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
    const other = await keyWith(['themes:write', 'matches:write', 'overlays:write'])
    expect((await other('GET', '/v2/webhooks')).status).toBe(403)
    const { sql } = production.server.database
    const { key, keyId } = await newKey(production.server.database, production.organizationId, [])
    await sql`update api_key set legacy_access = 'write' where id = ${keyId}`
    const legacy = await production.server.call('GET', '/v2/webhooks', { key })
    expect(legacy.status).toBe(403)
  })

  it('have a schema of every type, for whoever reads themes or webhooks', async () => {
    const reader = await keyWith(['webhooks:read'])
    const { status, body } = await reader('GET', '/v2/schemas/webhooks')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([...WEBHOOK_TYPES, 'webhook.test'])
    expect(body['match.score_changed']).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { type: { const: 'match.score_changed' } },
    })
    const document = JSON.stringify(openapi(routes, { publicUrl: 'http://localhost', changes: [] }))
    for (const type of WEBHOOK_TYPES) expect(document).toContain(`"${type}"`)
  })

  it('stand in the section webhooks of the description of the API, with the same schemas', async () => {
    const reader = await keyWith(['webhooks:read'])
    const { body: schemas } = await reader('GET', '/v2/schemas/webhooks')
    const document = (await (await fetch(`${production.server.origin}/rest/swagger.json`)).json()) as {
      webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
    }
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(schemas))
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { $schema: _, ...schema } = schemas[type] as Record<string, unknown>
      const placed = JSON.stringify(post.requestBody.content['application/json']?.schema)
      const own = `#/webhooks/${type}/post/requestBody/content/application~1json/schema/$defs/`
      expect(JSON.parse(placed.replaceAll(own, '#/$defs/'))).toEqual(schema)
      // every reference leads somewhere in the document
      for (const [, pointer = ''] of placed.matchAll(/"\$ref":"#([^"]+)"/g)) {
        const path = pointer
          .slice(1)
          .split('/')
          .map((part) => part.replaceAll('~1', '/'))
        expect(
          path.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document),
        ).toBeDefined()
      }
    }
  })

  it('are at most 500', async () => {
    const crowd = await produce(production.server)
    const { sql } = production.server.database
    await sql`
      insert into webhook (organization_id, secrets, events, enabled)
      select ${crowd.organizationId}, 'none', '{*}', false from generate_series(1, 500)`
    onTestFinished(async () => void (await sql`delete from webhook where organization_id = ${crowd.organizationId}`))
    expect(badFields(await crowd.call('POST', '/v2/webhooks', { url: URL_OF, events: ['*'] }))).toEqual([
      400,
      ['body.url'],
    ])
  })
})
