import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let base: string

beforeAll(async () => {
  production = await startProduction()
  base = `/v2/data-sources/${production.themeProfileId}`
})
afterAll(() => production.close())

let aliases = 0
const SAMPLE = 'team,number,points\nNorth,07,3\nSouth,11,4.5\n'

/** A new template; answers its alias and id. */
async function template(body: object = {}) {
  const alias = `push-${++aliases}`
  const path = `/v2/themes/${production.themeId}/data-source-templates`
  const made = await production.call('POST', path, { alias, sourceType: 'csv', shape: 'rows', sample: SAMPLE, ...body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { alias, path: `${path}/${made.body.id}` }
}

const push = (alias: string, body: unknown) => production.call('POST', `${base}/${alias}`, body)
const pushed = async (alias: string) => (await production.call('GET', `${base}/${alias}`)).body
const pushCsv = (alias: string, text: string | Buffer, type = 'text/csv; charset=utf-8') =>
  fetch(`${production.server.origin}/rest${base}/${alias}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${production.apiKey}`, 'Content-Type': type },
    body: new Uint8Array(Buffer.from(text)),
  }).then(async (answer) => ({ status: answer.status, body: (await answer.json()) as Record<string, unknown> }))

const detailsOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
  expect([status, body.message]).toEqual([400, 'Validation Failed'])
  return body.details as Record<string, { message: string; value?: unknown }>
}

describe('[data source template] a push', () => {
  it('rows are converted as a CSV is, and replace all that was there', async () => {
    const { alias } = await template()
    const rows = [
      { team: 'North', number: '07', points: '12' },
      { team: '', number: '9', points: '' },
      { team: 'East', points: 1.5 },
    ]
    const answer = await push(alias, { rows })
    expect([answer.status, answer.body]).toEqual([
      200,
      { alias, shape: 'rows', rowCount: 3, updatedAt: expect.stringMatching(/\.\d{6}Z$/) },
    ])
    const converted = [
      { team: 'North', number: '07', points: 12 },
      { team: null, number: '9', points: null },
      { team: 'East', number: null, points: 1.5 },
    ]
    expect(await pushed(alias)).toEqual({ ...answer.body, rows: converted })
    await push(alias, { rows: converted.slice(0, 1) })
    expect((await pushed(alias)).rows).toEqual(converted.slice(0, 1))
    await push(alias, { rows: [] })
    expect(await pushed(alias)).toMatchObject({ rowCount: 0, rows: [] })
  })

  it('CSV as text/csv, in UTF-8 or UTF-16, or as a member of JSON', async () => {
    const { alias } = await template()
    const text = 'team;number;points\r\nÖstby;07;2\r\n;;\r\n"A;B";8;\r\n'
    const rows = [
      { team: 'Östby', number: '07', points: 2 },
      { team: 'A;B', number: '8', points: null },
    ]
    for (const sent of [text, `\ufeff${text}`, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      expect((await pushCsv(alias, sent)).body).toMatchObject({ alias, rowCount: 2 })
      expect((await pushed(alias)).rows).toEqual(rows)
    }
    expect((await push(alias, { csv: text })).body).toMatchObject({ rowCount: 2 })
    expect(detailsOf(await pushCsv(alias, Buffer.from(text, 'latin1')))).toHaveProperty(['body'])
    expect(detailsOf(await pushCsv(alias, 'team,"points\n'))).toHaveProperty(['body.csv'])
    // any other type is read as JSON
    expect((await pushCsv(alias, text, 'text/plain')).status).toBe(400)
  })

  it('keys and values, and a cell', async () => {
    const kv = await template({ shape: 'kv', sample: 'key,value\nsponsor,Acme\ngoals,3\n' })
    await push(kv.alias, { values: { sponsor: 'Blue', goals: '7', more: 'yes' } })
    expect(await pushed(kv.alias)).toMatchObject({ rowCount: 3, values: { sponsor: 'Blue', goals: 7, more: 'yes' } })
    await pushCsv(kv.alias, 'key,value\ngoals,8\n')
    expect((await pushed(kv.alias)).values).toMatchObject({ goals: 8 })
    const cell = await template({ shape: 'cell', sample: '41' })
    await push(cell.alias, { value: '42' })
    expect(await pushed(cell.alias)).toMatchObject({ rowCount: 1, value: 42 })
    await push(cell.alias, { value: null })
    expect((await pushed(cell.alias)).value).toBeNull()
  })

  it('[errors] each bad cell has its own entry in details, and nothing changes', async () => {
    const { alias } = await template()
    await push(alias, { rows: [{ team: 'North', number: '1', points: 1 }] })
    const before = await pushed(alias)
    const rows = [
      { team: 'North', number: '07', points: 3 },
      { team: 5, number: '08', points: 4 },
      { team: 'East', number: '09', points: 5 },
      { team: 'West', number: '10', points: 'many' },
      { team: 'Mid', number: '11', points: '07' },
    ]
    expect(detailsOf(await push(alias, { rows }))).toEqual({
      'body.rows[1].team': { message: 'expected string or null', value: 5 },
      'body.rows[3].points': { message: 'expected number or null', value: 'many' },
      'body.rows[4].points': { message: 'expected number or null', value: '07' },
    })
    expect(detailsOf(await pushCsv(alias, 'team,number,points\na,1,2\nb,2,x\n'))).toEqual({
      'body.rows[1].points': { message: 'expected number or null', value: 'x' },
    })
    // a column that no row has is a mistake in its name rather than an empty cell
    expect(detailsOf(await push(alias, { rows: [{ team: 'North', number: '07', point: 3 }] }))).toHaveProperty([
      'body.rows[0].points',
    ])
    expect(detailsOf(await push(alias, { rows: ['North'] }))).toHaveProperty(['body.rows[0]'])
    const all = Array.from({ length: 5_000 }, () => ({ team: 1, number: 1, points: 'x' }))
    const places = Object.keys(detailsOf(await push(alias, { rows: all })))
    expect(places).toHaveLength(100)
    const numbers = places.map((place) => Number(/\d+/.exec(place)?.[0]))
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    expect(await pushed(alias)).toEqual(before)
  })

  it('[errors] a column that the schema refuses is told of the rows that have it only', async () => {
    const items = { type: 'object', properties: { team: { type: 'string' } }, additionalProperties: false }
    const { alias } = await template({ schema: { type: 'array', items }, sample: 'team\nNorth\n' })
    expect(detailsOf(await push(alias, { rows: [{ team: 'North' }, { team: 'South', points: 3 }] }))).toEqual({
      'body.rows[1].points': { message: 'is not in the schema', value: 3 },
    })
  })

  it('[limits] over 5,000 rows is 400, over 1 MiB 413, another shape or none 400', async () => {
    const { alias } = await template()
    const row = { team: 'a', number: '1', points: 1 }
    expect(detailsOf(await push(alias, { rows: Array.from({ length: 5_001 }, () => row) }))).toHaveProperty([
      'body.rows',
    ])
    expect(detailsOf(await pushCsv(alias, `team,number,points\n${'a,1,1\n'.repeat(5_001)}`))).toHaveProperty([
      'body.csv',
    ])
    expect((await pushCsv(alias, 'x'.repeat(1_100_000))).status).toBe(413)
    expect((await push(alias, { rows: Array.from({ length: 5_000 }, () => row) })).body).toMatchObject({
      rowCount: 5_000,
    })
    expect(detailsOf(await push(alias, { values: {} }))).toHaveProperty(['body.values'])
    expect(detailsOf(await push(alias, {}))).toHaveProperty(['body'])
    expect(detailsOf(await push(alias, { rows: [], csv: 'a' }))).toHaveProperty(['body'])
  })

  it('a schema that was sent is what counts: patterns, enums, ranges, references and nullable', async () => {
    const schema = {
      type: 'array',
      maxItems: 3,
      items: { $ref: '#/$defs/row' },
      $defs: {
        row: {
          type: 'object',
          properties: {
            code: { type: 'string', pattern: '^[A-Z]{3}$' },
            place: { type: 'integer', minimum: 1, nullable: true },
            group: { enum: ['A', 'B'], nullable: true },
            out: { type: 'boolean' },
          },
          required: ['code'],
          additionalProperties: false,
        },
      },
    }
    const { alias } = await template({ schema, sample: 'code,place,group,out\nNOR,1,A,TRUE\n' })
    await push(alias, { rows: [{ code: 'SOU', place: '2', group: null, out: 'false' }] })
    expect((await pushed(alias)).rows).toEqual([{ code: 'SOU', place: 2, group: null, out: false }])
    const sparse = [{ code: 'SOU' }, { code: 'NOR', place: 1, group: 'B', out: true }]
    await push(alias, { rows: sparse })
    expect((await pushed(alias)).rows).toEqual([{ code: 'SOU', place: null, group: null }, sparse[1]])
    const bad = { code: 'sou', place: 1.5, group: 'C', out: 'perhaps', more: 1 }
    expect(Object.keys(detailsOf(await push(alias, { rows: [bad] }))).sort()).toEqual(
      ['code', 'group', 'more', 'out', 'place'].map((name) => `body.rows[0].${name}`),
    )
    const four = Array.from({ length: 4 }, () => ({ code: 'NOR' }))
    expect(detailsOf(await push(alias, { rows: four }))).toHaveProperty(['body.rows'])
  })
})

describe('[auth.11] whose data source', () => {
  it('an unknown alias or profile is 404, another organization 403', async () => {
    const { alias } = await template()
    const foreign = await produce(production.server)
    for (const [path, status] of [
      [`${base}/unknown`, 404],
      [`/v2/data-sources/2147483647/${alias}`, 404],
      [`/v2/data-sources/${foreign.themeProfileId}/${alias}`, 403],
    ] as const) {
      expect([path, (await production.call('POST', path, { rows: [] })).status]).toEqual([path, status])
      expect([path, (await production.call('GET', path)).status]).toEqual([path, status])
      expect([path, (await production.call('DELETE', path)).status]).toEqual([path, status])
    }
  })

  it('[auth.4] pushes need data-sources:write, reads data-sources:read', async () => {
    const { alias } = await template()
    const { key } = await newKey(production.server.database, production.organizationId, ['data-sources:read'])
    const refused = await production.server.call('POST', `${base}/${alias}`, { key, body: { rows: [] } })
    expect([refused.status, refused.body.message]).toEqual([403, 'Missing scope: data-sources:write'])
    expect((await production.server.call('GET', `${base}/${alias}`, { key })).status).toBe(200)
  })
})

describe('what stays', () => {
  it('a list names every alias, pushed or not; clearing takes the data away and may be repeated', async () => {
    const { alias } = await template()
    const inList = async () => {
      const { body } = await production.call('GET', `${base}?limit=1000`)
      return (body.dataSources as { alias: string }[]).find((source) => source.alias === alias)
    }
    const nothing = { alias, shape: 'rows', rowCount: 0, updatedAt: null }
    expect(await inList()).toEqual(nothing)
    expect(await pushed(alias)).toEqual(nothing)
    const { body } = await push(alias, { rows: [{ team: 'a', number: '1', points: 1 }] })
    expect(await inList()).toEqual(body)
    for (let times = 0; times < 2; times++)
      expect((await production.call('DELETE', `${base}/${alias}`)).status).toBe(204)
    expect(await pushed(alias)).toEqual(nothing)
  })

  it('a changed schema judges the next push, and leaves what was pushed', async () => {
    const { alias, path } = await template()
    const rows = [{ team: 'a', number: '1', points: 1 }]
    await push(alias, { rows })
    await production.call('PATCH', path, { sample: 'team,won\nNorth,3\n' })
    expect((await pushed(alias)).rows).toEqual(rows)
    expect(detailsOf(await push(alias, { rows }))).toHaveProperty(['body.rows[0].won'])
  })

  it('many pushes at once: each is whole, and the last one stays', async () => {
    const { alias } = await template()
    const body = (points: number) => ({ rows: Array.from({ length: 50 }, () => ({ team: 'a', number: '1', points })) })
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => push(alias, body(index))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body.updatedAt)).size).toBe(12)
    const last = answers.reduce((one, other) =>
      String(one.body.updatedAt) > String(other.body.updatedAt) ? one : other,
    )
    const stored = await pushed(alias)
    expect(stored.updatedAt).toBe(last.body.updatedAt)
    expect(new Set((stored.rows as { points: number }[]).map(({ points }) => points)).size).toBe(1)
  })

  it('the journal holds digests and counts, and what was pushed survives a restart', async () => {
    const { alias } = await template()
    const rows = [{ team: 'a-very-recognizable-cell', number: '1', points: 1 }]
    await push(alias, { rows })
    const journal = await production.server.database.db.sql<{ text: string }[]>`
      select command::text || events::text as text from journal where ref = ${`data-source/${production.themeProfileId}`}
      order by seq desc limit 1`
    expect(journal[0]?.text).toContain('"sha256"')
    expect(journal[0]?.text).not.toContain('recognizable')
    await production.server.restart()
    expect(await pushed(alias)).toMatchObject({ rowCount: 1, rows })
  })
})
