import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { changelog } from '../../src/changelog.ts'
import { openapi } from '../../src/http/openapi.ts'
import { operationName } from '../../src/http/operation.ts'
import type { Route } from '../../src/http/route.ts'
import { routes, webhookSchemas } from '../../src/resources/index.ts'
import { AuthorizationError } from '../../src/schema/errors.ts'
import { type Production, produce, startProduction } from '../resources/support.ts'
import { badValues, missingAt } from '../support/answers.ts'
import type { Answer } from '../support/app.ts'
import { Description, type Schema } from '../support/description.ts'
import { digester } from '../support/digest.ts'
import { type Field, fieldsOf, isClosed, probesOf, roundsOf, sampleOf } from './fields.ts'
import { namedPath, paramsOf, type Records, recordsOf } from './records.ts'

/** The bodies whose rules the description cannot say. */
const match = ({ competitionId, homeTeamId, awayTeamId }: Records) => ({
  competitionId,
  homeTeamId,
  awayTeamId,
  date: '2027-03-01T18:00:00Z',
})
const logo = () => ({ contentType: 'image/png', size: 1_000, sha256: 'a'.repeat(64) })
const BODIES: Readonly<Record<string, (own: Records) => object>> = {
  'POST /v2/themes/{themeId}/data-source-templates': () => ({
    alias: 'more',
    sourceType: 'csv',
    shape: 'cell',
    sample: '1',
  }),
  'POST /v2/data-sources/{competitionThemeSettingId}/{alias}': () => ({ rows: [] }),
  'POST /v1/matches': match,
  'POST /v1/teams/{teamId}/players/batch': () => ({ players: [{ firstName: 'Walk', lastName: 'Batch' }] }),
  'POST /v1/teams/batch': () => ({ teams: [{ name: 'Walk Batch', sport: 'football' }] }),
  'POST /v1/teams/clubs/batch': () => ({ clubs: [{ name: 'Walk Batch' }] }),
  'POST /v1/venues/batch': () => ({ venues: [{ name: 'Walk Batch' }] }),
  'POST /v1/officials/batch': () => ({ officials: [{ firstName: 'Walk', lastName: 'Batch' }] }),
  'POST /v1/competitions/batch': ({ gradeId }) => ({
    competitions: [{ name: 'Walk Batch', sport: 'football', age: 'Senior', gender: 'Mixed', gradeId }],
  }),
  'POST /v2/matches/batch': (own) => ({ matches: [match(own)] }),
  'POST /v1/teams/{teamId}/logo/uploads': logo,
  'POST /v1/teams/clubs/{clubId}/logo/uploads': logo,
  'POST /v2/brands/{brandId}/logo/uploads': logo,
  'POST /v2/competitions/{competitionId}/theme-profiles/{profileId}/game-plan/simulate': ({ matchId }) => ({ matchId }),
  'POST /v2/themes/{themeId}/motion-graphics/uploads': () => ({
    filename: 'card.riv',
    size: 1_000,
    sha256: 'a'.repeat(64),
    target: { graphicId: 'nobody', updatedAt: '2027-03-01T18:00:00Z' },
  }),
  'POST /v2/themes/{themeId}/ograf/imports': ({ uploadId }) => ({ uploadId }),
  'POST /v2/matches': match,
  'POST /v1/streams/{streamSettingsId}/destinations': () => ({
    name: 'Walk',
    type: 'rtmp',
    url: 'rtmp://live.example.com/app',
  }),
  'POST /v1/overlays/{overlayId}/graphics/commands': () => ({ action: 'hideAll' }),
  'POST /v2/overlays/{overlayId}/graphics/commands': () => ({ action: 'hideAll' }),
}

/** What must be asked with. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /v2/themes/{themeId}/motion-graphics/{graphicId}/files/metadata': '?version=working',
}

/** Records whose ids are not their own: the file of a graphic names them, or each overlay counts them. */
const NAMESAKES = ['dataBindingId', 'stateMachineInputId', 'motionAssetId', 'scheduledId']

const MISSING = 2_147_483_647

let production: Production
let description: Description
let own: Records
let foreign: Records
let digest: () => Promise<string>
/** What the database held when it was last looked at. */
let held: string

beforeAll(async () => {
  production = await startProduction()
  const served = await fetch(`${production.server.origin}/rest/swagger.json`)
  const document = (await served.json()) as Schema
  // so what each call holds its answer against is what the world is shown
  const made: Schema = openapi(routes, {
    publicUrl: production.server.origin,
    changes: changelog,
    webhooks: webhookSchemas(),
  })
  expect({ ...document, servers: [] }).toEqual(JSON.parse(JSON.stringify({ ...made, servers: [] })))
  description = new Description(document)
  own = await recordsOf(production, routes)
  foreign = await recordsOf(await produce(production.server), routes)
  // what the new records set off must not look like the work of a refused request
  digest = await digester(production.server.database)
  await vi.waitFor(
    async () => {
      const last = held
      held = await settled()
      expect(held).toBe(last)
    },
    { timeout: 60_000, interval: 500 },
  )
})
afterAll(() => production.close())

/** What the database holds once all that was set off is done; the rounds of the server wait for their time. */
async function settled(): Promise<string> {
  const undone = () => production.server.database.sql`select payload from outbox where payload ->> 'delayMs' is null`
  await vi.waitFor(async () => expect(await undone()).toEqual([]), { timeout: 30_000, interval: 20 })
  return digest()
}

/** Nothing that was asked since it was last looked at changed a row. */
async function unchanged() {
  const last = held
  held = await digest()
  expect(held).toBe(last)
}

/** Parameters that name a record; the others choose from a closed list. */
const recordsIn = (route: Route) => paramsOf(route).filter((name) => name.endsWith('Id'))

function pathOf(route: Route, records: Readonly<Record<string, string | number>>): string {
  return namedPath(route).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = records[name] ?? allowedValue(route, name)
    if (value === undefined) throw new Error(`test/generated/records.ts makes no ${name}, which ${route.path} needs`)
    return encodeURIComponent(value)
  })
}

const allowedValue = (route: Route, name: string): string | undefined => {
  const field = route.params?.shape[name]
  return field && 'options' in field && Array.isArray(field.options) ? String(field.options[0]) : undefined
}

const bodyOf = (route: Route): unknown => {
  const schema = description.bodyOf(route)
  if (!schema) return undefined
  return BODIES[operationName(route)]?.(own) ?? sampleOf(description, schema, own)
}

/** Sends; the call holds the answer against the description. */
const send = (route: Route, path: string, body?: unknown): Promise<Answer> =>
  production.call(
    route.method.toUpperCase(),
    path.includes('?') ? path : `${path}${QUERIES[operationName(route)] ?? ''}`,
    typeof body === 'string' ? JSON.stringify(body) : body,
  )

const missing = Object.fromEntries(routes.flatMap(paramsOf).map((name) => [name, MISSING]))

const those = (accept: (route: Route) => boolean): [string, Route][] =>
  routes.filter(accept).map((route) => [operationName(route), route])

const hasBody = ({ body }: Route) => body !== undefined

/** What a body's refusals are tried on: records that are missing, so that what is accepted changes nothing. */
const emptyPath = (route: Route) => pathOf(route, { ...missing, sport: 'football' })

const names = (answer: Answer, key: string) =>
  Object.keys(badValues(answer.body)).some(
    (name) => name === key || name.startsWith(`${key}.`) || name.startsWith(`${key}[`),
  )

describe('missing and foreign records', () => {
  const named = those((route) => recordsIn(route).length > 0)

  test.each(named)('[errors] %s answers 404 for what is missing, and changes nothing', async (_, route) => {
    // what is under something that is missing, then what is missing under something that is there
    for (const name of recordsIn(route)) {
      const answer = await send(route, pathOf(route, { ...own, [name]: MISSING }), bodyOf(route))
      expect([answer.status, answer.body]).toEqual([404, missingAt(route)])
    }
    await unchanged()
  })

  // themes, control rooms and roster players are not even admitted to exist. spec: Authentication 11, Teams 5
  const isHidden = ({ path }: Route) =>
    /^(\/v2)?\/(themes|control-rooms)\/|\/teams\/\{teamId\}\/players\/\{playerId\}/.test(path)

  // scenarios belong to nobody
  test.each(named.filter(([, { path }]) => !path.startsWith('/v2/scenarios/')))(
    '[auth.11] %s refuses what belongs to another organization, and changes nothing',
    async (_, route) => {
      const answer = await send(route, pathOf(route, foreign), bodyOf(route))
      if (isHidden(route)) expect([answer.status, answer.body]).toEqual([404, missingAt(route)])
      else {
        expect(answer.status).toBe(403)
        expect(AuthorizationError.parse(answer.body).code).toBe('FORBIDDEN')
      }
      await unchanged()
    },
  )

  test.each(
    those((route) => recordsIn(route).length > 1 && !recordsIn(route).some((name) => NAMESAKES.includes(name))),
  )('[errors] %s refuses what is not under the record that the path names', async (_, route) => {
    const [last = ''] = recordsIn(route).slice(-1)
    const answer = await send(route, pathOf(route, { ...own, [last]: foreign[last] ?? '' }), bodyOf(route))
    // a team is a record of its own, wherever it stands in a path
    if (last === 'teamId') expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
    else expect([answer.status, answer.body]).toEqual([404, missingAt(route)])
    await unchanged()
  })

  test.each(those((route) => route.method === 'get'))('%s answers as described for what is there', async (_, route) => {
    const answer = await send(route, pathOf(route, own))
    // nothing here has a browser to draw a picture with
    if (route.path.endsWith('/still')) expect([answer.status, answer.body.code]).toEqual([404, 'NO_STILL'])
    else expect(answer.status).toBe(200)
  })
})

describe('foreign ids in bodies', () => {
  // grades and scenarios belong to nobody, presets, uploads, rules and items are looked up below their overlay and team
  const UNOWNED = [
    'gradeId',
    'scenarioId',
    'presetId',
    'graphicId',
    'sectionId',
    'sectionIds',
    'uploadId',
    'uploadSessionId',
    'clientFactId',
    'ruleId',
    'itemId',
    'customActionId',
  ]
  const owned = routes.flatMap((route) =>
    Object.keys(route.body && 'shape' in route.body ? (route.body.shape as object) : {})
      .filter((name) => /Ids?$/.test(name) && !UNOWNED.includes(name))
      .map((name): [string, string, Route] => [operationName(route), name, route]),
  )

  test.each(owned)('[auth.11] %s with a foreign %s answers 403, and changes nothing', async (_, name, route) => {
    const record = foreign[name.replace(/s$/, '')]
    if (record === undefined) throw new Error(`test/generated/records.ts makes no ${name}`)
    const body = { ...(bodyOf(route) as object), [name]: name.endsWith('s') ? [record] : record }
    const answer = await send(route, pathOf(route, own), body)
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN'])
    await unchanged()
  })
})

describe('bodies', () => {
  const places = (route: Route) => fieldsOf(description, description.bodyOf(route) ?? {})

  /** Every value must be refused by name; `below` when it is a key of the value that is bad. */
  async function refuses(route: Route, valuesOf: (field: Field) => readonly unknown[], below = '') {
    for (const { body, sent } of roundsOf(places(route), valuesOf)) {
      const answer = await send(route, emptyPath(route), body)
      for (const { field, value } of sent)
        if (answer.status !== 400 || !names(answer, `${field.key}${below}`))
          throw new Error(`${field.key} = ${shown(value)} was not refused: ${answer.status} ${shown(answer.body)}`)
    }
    await unchanged()
  }

  const typeOf = (field: Field) => description.resolve(field.schema).type

  test.each(those(hasBody))(
    '[limits] %s names each value that its description refuses, and changes nothing',
    async (_, route) => {
      await refuses(route, (field) =>
        probesOf(description, field).filter((value) => !description.accepts(field.schema, value)),
      )
    },
  )

  test.each(those(hasBody))(
    '[limits] %s takes each minimum and maximum that its description shows',
    async (_, route) => {
      const accepted = (field: Field) =>
        probesOf(description, field).filter((value) => description.accepts(field.schema, value))
      for (const { body, sent } of roundsOf(places(route), accepted)) {
        const answer = await send(route, emptyPath(route), body)
        if (answer.status !== 400) continue
        const details = badValues(answer.body)
        for (const { field, value } of sent) {
          const said = details[field.key]?.message ?? ''
          // rules that a description cannot say may still refuse it, but not its type or size
          if (/^(Invalid (input|option)|Too (small|big))| characters$/.test(said))
            throw new Error(`${field.key} = ${shown(value)} was refused: ${said}`)
        }
      }
      // what a path without a record took is there now
      held = await settled()
    },
  )

  test.each(those(hasBody))(
    '%s refuses NUL and lone surrogates in every text and key, and changes nothing',
    async (_, route) => {
      const texts = ['abcdef\u0000', '\ud800abcdef', 'abcdef\udc00']
      await refuses(route, (field) => (typeOf(field) === 'string' ? texts : []))
      await refuses(route, (field) => (typeOf(field) === 'object' ? [{ 'a\u0000b': 1 }] : []), '.a\u0000b')
    },
  )

  test.each(those(hasBody))(
    '%s refuses unknown keys exactly where its description says so, and changes nothing',
    async (_, route) => {
      const unknown = { nonsense: 1 }
      await refuses(route, (field) => (isClosed(description, field) ? [unknown] : []), '.nonsense')
      for (const field of places(route)) {
        const { type, additionalProperties } = description.resolve(field.schema)
        if (type !== 'object' || additionalProperties !== undefined) continue
        const answer = await send(route, emptyPath(route), field.wrap(unknown))
        if (answer.status === 400) expect(names(answer, `${field.key}.nonsense`)).toBe(false)
      }
      held = await settled()
    },
  )
})

describe('queries', () => {
  test.each(those(({ query }) => query !== undefined))(
    '%s names each query value that its description refuses',
    async (_, route) => {
      // as for bodies, one request has a bad value of each parameter
      const of = { key: 'query', wrap: (query: unknown) => query }
      const fields = description
        .queryOf(route)
        .map(({ name, schema }): Field => ({ key: `query.${name}`, schema, wrap: of.wrap, of: { ...of, name } }))
      const written = ({ of: place }: Field, value: unknown) => `${place?.name}=${value}`
      const refused = ({ schema, ...field }: Field) => {
        const numeric = ['integer', 'number'].includes(String(description.resolve(schema).type))
        return ['', 'nonsense', '0', '-1', '1.5', ...probesOf(description, { schema, ...field })]
          .filter((value) => typeof value === 'string' || typeof value === 'number')
          .filter((value) => !description.accepts(schema, numeric && value !== '' ? Number(value) : String(value)))
          .map(encodeURIComponent)
      }
      const unreadable = ({ of: place }: Field) => ['%00', 'a%00', '%ED%A0%80', '%', `1&${place?.name}=2`]
      for (const { sent } of [...roundsOf(fields, refused), ...roundsOf(fields, unreadable)]) {
        const query = sent.map(({ field, value }) => written(field, value)).join('&')
        const answer = await send(route, `${pathOf(route, own)}?${query}`)
        for (const { field, value } of sent)
          if (answer.status !== 400 || !names(answer, field.key))
            throw new Error(`${written(field, value)} was not refused: ${answer.status} ${shown(answer.body)}`)
      }
      await unchanged()
    },
  )
})

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 300)
