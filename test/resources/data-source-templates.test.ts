import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleDataSources } from '../../src/resources/data-sources/templates.queries.ts'
import type { Answer } from '../support/app.ts'
import { sheetXml, workbook, workbookParts, zipped } from '../support/workbook.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let base: string

beforeAll(async () => {
  production = await startProduction()
  base = `/v2/themes/${production.themeId}/data-source-templates`
})
afterAll(() => production.close())

const csv = { sourceType: 'csv', shape: 'rows', sample: 'team,number,points,note\nNorth,07,3,\nSouth,11,4.5,x\n' }
let aliases = 0
const create = (body: object) => production.call('POST', base, { alias: `table-${++aliases}`, ...csv, ...body })
const change = ({ body }: Answer, patch: object) => production.call('PATCH', `${base}/${body.id}`, patch)
const detailsOf = ({ status, body }: Answer) => {
  expect([status, body.message]).toEqual([400, 'Validation Failed'])
  return body.details as Record<string, { message: string }>
}

const column = (type: string) => ({ type, nullable: true })

describe('[themes.19] what a sample becomes', () => {
  it('a CSV: numbers are numbers, an empty cell is null, 07 stays text, every column is nullable', async () => {
    const { status, body } = await create({ alias: 'standings', description: 'League table' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      sampleHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      alias: 'standings',
      sourceType: 'csv',
      shape: 'rows',
      config: null,
      schema: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            team: column('string'),
            number: column('string'),
            points: column('number'),
            note: column('string'),
          },
          required: ['team', 'number', 'points', 'note'],
        },
      },
      sample: [
        { team: 'North', number: '07', points: 3, note: null },
        { team: 'South', number: '11', points: 4.5, note: 'x' },
      ],
      description: 'League table',
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    })
    expect((await production.call('GET', `${base}/${body.id}`)).body).toEqual(body)
    const { sql } = production.server.database.db
    expect((await sampleDataSources(sql, production.themeId)).standings).toEqual(body.sample)
  })

  it('keys and values, and a single cell', async () => {
    const kv = await create({ shape: 'kv', sample: 'key,value\nsponsor,Acme\ngoals,12\nnote,\n' })
    expect(kv.body.sample).toEqual({ sponsor: 'Acme', goals: 12, note: null })
    expect(kv.body.schema).toMatchObject({ properties: { sponsor: column('string'), goals: column('number') } })
    const plain = await create({ shape: 'kv', sample: 'sponsor;Acme\ngoals;12' })
    expect(plain.body.sample).toEqual({ sponsor: 'Acme', goals: 12 })
    const cell = await create({ shape: 'cell', sample: 'x,y\n1,41\n', config: { cell: 'B2' } })
    expect([cell.body.sample, cell.body.schema]).toEqual([41, column('number')])
  })

  it('at most twenty rows are kept, and all of them say what a column is', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => (index === 39 ? 'n/a' : index)).join('\n')
    const { body } = await create({ sample: `value\n${rows}` })
    expect(body.sample).toHaveLength(20)
    expect(body.sample).toContainEqual({ value: '19' })
    expect(body.schema).toMatchObject({ items: { properties: { value: column('string') } } })
  })

  it('bytes in base64 may be UTF-8 with a byte order mark or UTF-16, and nothing else', async () => {
    const text = 'team;points\r\nÖstby;1\r\n'
    const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
    for (const bytes of [Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16()]) {
      const { body } = await create({ sample: undefined, sampleBase64: bytes.toString('base64') })
      expect(body.sample).toEqual([{ team: 'Östby', points: 1 }])
    }
    const latin = await create({ sample: undefined, sampleBase64: Buffer.from(text, 'latin1').toString('base64') })
    expect(detailsOf(latin)).toHaveProperty(['body.sampleBase64'])
  })

  it('options say where the table is', async () => {
    const sample = 'League table;;\n;;\nteam;played;points\n2026;;\nNorth;3;7\n'
    const config = { headerRow: 3, dataStartRow: 5, delimiter: ';', range: 'A1:B9', sheet: null }
    const { body } = await create({ sample, config })
    expect(body.sample).toEqual([{ team: 'North', played: 3 }])
    expect(body.config).toEqual({ headerRow: 3, dataStartRow: 5, delimiter: ';', range: 'A1:B9' })
    const bare = await create({ sample: 'North,3\nSouth,4', config: { headerRow: false } })
    expect(bare.body.sample).toEqual([
      { A: 'North', B: 3 },
      { A: 'South', B: 4 },
    ])
    const defaults = await create({ config: { headerRow: null, dataStartRow: null } })
    expect([defaults.status, defaults.body.config]).toEqual([201, null])
  })

  it.each([
    ['an option that does not exist', { config: { head: 1 } }, 'body.config.head'],
    ['an option of workbooks', { config: { sheet: 'One' } }, 'body.config.sheet'],
    ['data above the header', { config: { headerRow: 3, dataStartRow: 2 } }, 'body.config.dataStartRow'],
    ['no sample', { sample: undefined }, 'body.sample'],
    ['two samples', { sampleBase64: 'YQ==' }, 'body.sampleBase64'],
    ['a workbook as text', { sourceType: 'xlsx' }, 'body.sample'],
    [
      'bytes that are no workbook',
      { sourceType: 'xlsx', sample: undefined, sampleBase64: 'YWJj' },
      'body.sampleBase64',
    ],
    ['an alias in capitals', { alias: 'Table' }, 'body.alias'],
    ['the alias of a part of the sport data', { alias: 'match' }, 'body.alias'],
    ['an alias that is of every object', { alias: '__proto__' }, 'body.alias'],
    ['an alias that hides others from expressions', { alias: 'constructor' }, 'body.alias'],
    ['the alias of selected records', { alias: 'selected' }, 'body.alias'],
    ['an empty sample', { sample: '\n' }, 'body.sample'],
    ['a quote that is never closed', { sample: 'a,b\n"1,2\n' }, 'body.sample'],
    ['two columns of one name', { sample: 'a,a\n1,2' }, 'body.sample'],
    ['a column without a name', { sample: 'a,\n1,2' }, 'body.sample'],
    ['a million columns', { sample: ','.repeat(1_000_000) }, 'body.sample'],
    ['too many rows', { sample: `a\n${'1\n'.repeat(5_001)}` }, 'body.sample'],
    ['more than a megabyte', { sample: `a\n${'x'.repeat(1_048_576)}` }, 'body.sample'],
    ['a schema that is none', { schema: { type: 'nonsense' } }, 'body.schema.type'],
    ['a schema that leads elsewhere', { schema: { $ref: 'https://example.com/schema' } }, 'body.schema'],
    ['a huge schema', { schema: { description: 'x'.repeat(70_000) } }, 'body.schema'],
    ['a schema that the sample breaks', { schema: { type: 'array', items: { required: ['other'] } } }, 'body.sample'],
  ])('refuses %s', async (_, body, place) => {
    expect(detailsOf(await create(body))).toHaveProperty([place])
  })

  it('[errors] names every field that is missing at once', async () => {
    const details = detailsOf(await production.call('POST', base, {}))
    expect(Object.keys(details).sort()).toEqual(['body.alias', 'body.sample', 'body.shape', 'body.sourceType'])
  })
})

describe('[themes.19] workbooks over HTTP', () => {
  const cell = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`
  const sheet = `<row r="1">${cell('A1', 'team')}${cell('B1', 'shirt')}${cell('C1', 'points')}</row>
    <row r="2">${cell('A2', 'North')}${cell('B2', '07')}<c r="C2"><v>3</v></c></row><row r="3">${cell('A3', 'South')}</row>`
  const base64 = (bytes: Buffer) => ({ sourceType: 'xlsx', sample: undefined, sampleBase64: bytes.toString('base64') })

  it('a sample becomes rows and a schema, and pushes are JSON or CSV as for any other', async () => {
    const made = await create({ alias: 'book', ...base64(workbook(sheet)) })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(made.body.sample).toEqual([
      { team: 'North', shirt: '07', points: 3 },
      { team: 'South', shirt: null, points: null },
    ])
    expect(made.body.schema).toMatchObject({
      items: { properties: { team: column('string'), shirt: column('string'), points: column('number') } },
    })
    const pushes = `/v2/data-sources/${production.themeProfileId}/book`
    const pushed = await production.call('POST', pushes, { csv: 'team,shirt,points\nEast,08,\n' })
    expect(pushed.body).toMatchObject({ alias: 'book', rowCount: 1 })
    expect((await production.call('GET', pushes)).body.rows).toEqual([{ team: 'East', shirt: '08', points: null }])
    expect(detailsOf(await change(made, { ...base64(workbook(sheet)), config: { sheet: 'Other' } }))).toHaveProperty([
      'body.config.sheet',
    ])
  })

  it('bombs are 400 with a reason, while other requests are answered', async () => {
    const bomb = zipped({ ...workbookParts({ One: sheetXml('') }), 'xl/big.xml': ' '.repeat(50 * 1_048_576) })
    const refused = Promise.all(Array.from({ length: 5 }, () => create(base64(bomb))))
    let answered = 0
    const others = async () => {
      for (let nth = 0; nth < 20; nth++) answered += (await production.call('GET', base)).status === 200 ? 1 : 0
    }
    const [answers] = await Promise.all([refused, others()])
    for (const answer of answers) expect(detailsOf(answer)).toHaveProperty(['body.sampleBase64'])
    expect(answered).toBe(20)
  })
})

describe('[themes.19] changing a template', () => {
  it('a new sample reinfers the schema unless one is sent; what is not named stays', async () => {
    const made = await create({ description: 'Before' })
    const inferred = await change(made, { sample: 'team\nNorth\n' })
    expect(inferred.status).toBe(200)
    expect(inferred.body).toMatchObject({
      description: 'Before',
      schema: { items: { properties: { team: column('string') } } },
      sample: [{ team: 'North' }],
    })
    const schema = { type: 'array', items: { type: 'object', properties: { team: { type: 'string', minLength: 2 } } } }
    const sent = await change(made, { sample: 'team\nSouth\n', schema })
    expect([sent.body.schema, sent.body.sample]).toEqual([schema, [{ team: 'South' }]])
    const only = await change(made, { schema: { type: 'array' } })
    expect([only.body.schema, only.body.sample]).toEqual([{ type: 'array' }, [{ team: 'South' }]])
    const cleared = await change(made, { description: null, config: { delimiter: ';' } })
    expect([cleared.body.description, cleared.body.config]).toEqual([null, { delimiter: ';' }])
    expect((await change(made, { config: null })).body.config).toBeNull()
  })

  it('alias, source type and shape never change', async () => {
    const made = await create({})
    const { body } = await change(made, { alias: 'other', sourceType: 'xlsx', shape: 'kv' })
    expect(body).toEqual(made.body)
  })

  it('what is broken changes nothing', async () => {
    const made = await create({})
    expect(detailsOf(await change(made, { sample: '"', description: 'x' }))).toHaveProperty(['body.sample'])
    expect((await production.call('GET', `${base}/${made.body.id}`)).body).toEqual(made.body)
  })

  it('[concurrency] of 50 writers that read the same, one wins; the others answer TARGET_CHANGED', async () => {
    const made = await create({})
    const ifUnchangedSince = made.body.updatedAt
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => change(made, { ifUnchangedSince, description: `${index}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'TARGET_CHANGED')).toHaveLength(49)
    const stale = await production.call('DELETE', `${base}/${made.body.id}?ifUnchangedSince=${ifUnchangedSince}`)
    expect([stale.status, stale.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect((await production.call('DELETE', `${base}/${made.body.id}`)).status).toBe(204)
    expect((await production.call('GET', `${base}/${made.body.id}`)).status).toBe(404)
  })

  it('[concurrency] a sample is read with the options that it ends up with, also when these change while it is read', async () => {
    const columnsOf = ({ body }: Answer) =>
      Object.keys((body.schema as { items: { properties: object } }).items.properties)
    for (let each = 0; each < 10; each++) {
      const made = await create({ sample: 'x,y\na,b\n1,2\n' })
      const [sampled, configured] = await Promise.all([
        change(made, { sample: 'x,y\na,b\n3,4\n' }),
        change(made, { config: { headerRow: 2 } }),
      ])
      expect([sampled.status, configured.status]).toEqual([200, 200])
      const optionsFirst = String(sampled.body.updatedAt) > String(configured.body.updatedAt)
      expect(columnsOf(sampled)).toEqual(optionsFirst ? ['a', 'b'] : ['x', 'y'])
    }
  })

  it('an alias is taken once per theme, also when 20 ask for it together', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ alias: 'wanted' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const refused of answers.filter(({ status }) => status !== 201))
      expect(detailsOf(refused)).toHaveProperty(['body.alias'])
  })

  it('the journal holds no sample', async () => {
    const secret = 'a-very-recognizable-cell'
    const made = await create({ sample: `a\n${secret}` })
    await change(made, { sample: `a\n${secret}` })
    const [row] = await production.server.database.db.sql<{ rows: number; leaks: number }[]>`
      select count(*)::int as rows, count(*) filter (where command::text || events::text like ${`%${secret}%`})::int as leaks
      from journal where ref = ${`data-source-template/${made.body.id}`}`
    expect(row).toEqual({ rows: 2, leaks: 0 })
  })
})
