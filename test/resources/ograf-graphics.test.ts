import { createHash } from 'node:crypto'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { cardZip, manifest, moduleText, sendZip, zipOf } from '../support/ograf.ts'
import { newDesigner } from './code-graphics-support.ts'

let server: TestApp
let designer: Awaited<ReturnType<typeof newDesigner>>
beforeAll(async () => {
  server = await startApp()
  designer = await newDesigner(server)
})
afterAll(() => server.close())

const at = (below: string) => `/v2/themes/${designer.themeId}${below}`
const send = (zip: Uint8Array<ArrayBuffer>) => sendZip({ server, ...designer }, zip)
const list = async () =>
  (await designer.call('GET', at('/ograf-graphics'))).body as unknown as Record<string, unknown>[]

describe('[issue 20.1] an archive of OGraf graphics', () => {
  test('becomes a graphic with its variables, actions, steps and files', async () => {
    const zip = zipOf({
      'lower/l3.ograf.json': manifest({
        id: 'org.example.l3',
        name: 'Lower third',
        stepCount: 3,
        v_tool: { kept: true },
        schema: {
          type: 'object',
          properties: {
            note: { type: 'string', gddType: 'multi-line', order: 2 },
            name: { type: 'string', title: 'Full name', default: 'Ann', order: 1 },
            accent: { type: 'string', gddType: 'color-rrggbb', pattern: '^#[0-9a-f]{6}$', default: '#ff0000' },
            hidden: { type: 'boolean', hidden: true },
            size: { type: 'string', enum: ['s', 'l'], gddType: 'select', gddOptions: { labels: { s: 'Small' } } },
            picture: { type: 'string', gddType: 'file-path/video-path' },
            lines: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } } } },
          },
        },
        customActions: [{ id: 'highlight', name: 'Highlight', schema: null }],
        thumbnails: [{ file: '../thumb.png', resolution: { width: 16, height: 9 } }],
      }),
      'lower/graphic.mjs': moduleText(),
      'thumb.png': new Uint8Array([1, 2, 3]),
      '__MACOSX/lower/._graphic.mjs': 'nothing',
    })
    const { status, body } = await send(zip)
    expect([status, body]).toMatchObject([201, { errors: [] }])
    expect(body.graphics).toEqual([
      { graphicId: expect.any(String), ografId: 'org.example.l3', name: 'Lower third', warnings: [] },
    ])
    const graphic = (await designer.call('GET', at(`/ograf-graphics/${body.graphics[0]?.graphicId}`))).body
    expect(graphic).toMatchObject({
      type: 'ograf',
      ografId: 'org.example.l3',
      stepCount: 3,
      manifestPath: 'lower/l3.ograf.json',
      manifest: { v_tool: { kept: true } },
      customActions: [{ id: 'highlight', name: 'Highlight', schema: null }],
      thumbnails: [{ url: expect.stringContaining('/thumb.png'), width: 16, height: 9 }],
      sports: ['football'],
      publishedVersions: [],
    })
    const { controlVariables, files, thumbnails } = graphic as {
      controlVariables: { name: string }[]
      files: { name: string; mime: string }[]
      thumbnails: { url: string }[]
    }
    expect(
      controlVariables.map(({ schema: _, id: __, ...one }: Record<string, unknown> & { name: string }) => one),
    ).toEqual([
      { name: 'name', type: 'string', title: 'Full name', defaultValue: 'Ann', order: 1 },
      { name: 'note', type: 'string', gddType: 'multi-line', order: 2 },
      { name: 'accent', type: 'string', gddType: 'color-rrggbb', defaultValue: '#ff0000' },
      { name: 'hidden', type: 'boolean', hidden: true },
      { name: 'size', type: 'enum', options: ['s', 'l'], gddType: 'select' },
      { name: 'picture', type: 'string', gddType: 'file-path' },
      { name: 'lines', type: 'array' },
    ])
    expect(files.map(({ name, mime }) => [name, mime])).toEqual([
      ['lower/graphic.mjs', 'text/javascript'],
      ['lower/l3.ograf.json', 'application/json'],
      ['thumb.png', 'image/png'],
    ])
    expect((await fetch(thumbnails[0]?.url ?? '')).status).toBe(200)
  })

  test('with several manifests becomes as many graphics, which share their files', async () => {
    const zip = zipOf({
      'one.ograf.json': manifest({ id: 'one', name: 'One' }),
      'two.ograf.json': manifest({ id: 'two', name: 'Two', main: './lib/two.js' }),
      'graphic.mjs': moduleText(),
      'lib/two.js': moduleText(),
    })
    const { status, body } = await send(zip)
    expect([status, body.graphics.map(({ name }) => name)]).toEqual([201, ['One', 'Two']])
    const found = (await list()).filter(({ name }) => name === 'One' || name === 'Two')
    expect(found.map(({ files }) => (files as unknown[]).length)).toEqual([4, 4])
  })

  test('with an id that the theme has replaces the working copy of its graphic, and is published as another version', async () => {
    const first = await send(cardZip({ id: 'again', name: 'Again' }))
    const graphicId = first.body.graphics[0]?.graphicId ?? ''
    const publish = () => designer.call('POST', at(`/ograf-graphics/${graphicId}/publish`))
    expect((await publish()).body).toMatchObject({ publishedVersion: 1, graphic: { publishedVersions: [1] } })
    const second = await send(cardZip({ id: 'again', name: 'Again, with a new name', stepCount: 2 }))
    expect(second.body.graphics).toEqual([
      { graphicId, ografId: 'again', name: 'Again, with a new name', warnings: [] },
    ])
    expect((await publish()).body).toMatchObject({ publishedVersion: 2 })
    const versions = [1, 2].map(
      async (version) => (await designer.call('GET', at(`/ograf-graphics/${graphicId}/versions/${version}`))).body,
    )
    expect((await Promise.all(versions)).map(({ stepCount }) => stepCount)).toEqual([1, 2])
    const theme = (await designer.call('GET', at(''))).body as unknown as {
      graphics: { graphicId: string; type: string }[]
    }
    expect(theme.graphics.find((one) => one.graphicId === graphicId)?.type).toBe('ograf')
  })

  test('may be uploaded to a signed address first, and is used up by the import', async () => {
    const zip = cardZip({ id: 'uploaded', name: 'Uploaded' })
    const sha256 = createHash('sha256').update(zip).digest('hex')
    const opened = await designer.call('POST', at('/ograf/uploads'), { size: zip.length, sha256 })
    const { uploadId, url, headers } = opened.body as { uploadId: number; url: string; headers: Record<string, string> }
    expect((await designer.call('POST', at('/ograf/imports'), { uploadId })).status).toBe(400)
    expect((await fetch(url, { method: 'PUT', headers, body: zip })).status).toBe(200)
    const imported = await designer.call('POST', at('/ograf/imports'), { uploadId })
    expect([imported.status, imported.body.errors]).toEqual([201, []])
    const again = await designer.call('POST', at('/ograf/imports'), { uploadId })
    expect([again.status, again.body.details]).toMatchObject([
      400,
      { 'body.uploadId': { message: 'was used already' } },
    ])
  })

  test('is not a code graphic, and a code graphic is none of it', async () => {
    const { body } = await send(cardZip({ id: 'kind', name: 'Kind' }))
    const graphicId = body.graphics[0]?.graphicId ?? ''
    expect((await designer.call('GET', at(`/code-graphics/${graphicId}`))).status).toBe(404)
    const listed = (await designer.call('GET', at('/code-graphics'))).body as unknown as { graphicId: string }[]
    expect(listed.map((one) => one.graphicId)).not.toContain(graphicId)
    const code = await designer.create('Code')
    expect((await designer.call('GET', at(`/ograf-graphics/${code.graphicId}`))).status).toBe(404)
  })

  test('is locked while somebody else edits one of its graphics', async () => {
    const { body } = await send(cardZip({ id: 'locked', name: 'Locked' }))
    const other = await designer.colleague()
    await other.call('PUT', at(`/ograf-graphics/${body.graphics[0]?.graphicId}/lock`))
    expect(await send(cardZip({ id: 'locked', name: 'Locked' }))).toMatchObject({
      status: 409,
      body: { code: 'LOCKED' },
    })
    await other.call('DELETE', at(`/ograf-graphics/${body.graphics[0]?.graphicId}/lock`))
    expect((await send(cardZip({ id: 'locked', name: 'Locked' }))).status).toBe(201)
  })

  test('goes when it is deleted, and its id and name are free', async () => {
    const { body } = await send(cardZip({ id: 'gone', name: 'Gone' }))
    const graphicId = body.graphics[0]?.graphicId ?? ''
    expect((await designer.call('DELETE', at(`/ograf-graphics/${graphicId}`))).status).toBe(204)
    expect((await designer.call('GET', at(`/ograf-graphics/${graphicId}`))).status).toBe(404)
    expect((await send(cardZip({ id: 'gone', name: 'Gone' }))).body.graphics[0]?.graphicId).not.toBe(graphicId)
  })

  test('warns of what it leaves alone', async () => {
    const schema = {
      type: 'object',
      properties: { colour: { type: 'string', gddType: 'color-rrggbb', pattern: '^#[0-9a-f]{6}$', default: 'Hello' } },
    }
    const { status, body } = await send(
      cardZip({
        id: 'odd',
        name: 'Odd',
        rendering: 1,
        schema,
        supportsRealTime: false,
        thumbnails: [{ file: '../../etc/x.png' }],
      }),
    )
    expect([status, body.graphics[0]?.warnings]).toEqual([
      201,
      [
        '/rendering: not a member of OGraf 1.0; one of a vendor begins with v_',
        '/schema/properties/colour/default: expected a colour as #rrggbb',
        '/thumbnails/0/file: ../../etc/x.png is not in the archive',
        '/supportsRealTime: it is refused on air',
      ],
    ])
  })
})

describe('[issue 20.1] an archive that is wrong imports nothing', () => {
  /** A zip whose one entry has this name, which fflate writes as it is. */
  const named = (name: string) =>
    Buffer.from(zipSync({ [name]: new Uint8Array([1]), 'card.ograf.json': new Uint8Array() }))
  const link = () => {
    const json = Buffer.from(JSON.stringify(manifest()))
    // a symbolic link of Unix: its type is in the mode, its target is the content
    return Buffer.from(
      zipSync({
        'card.ograf.json': json,
        'graphic.mjs': [Buffer.from('/etc/passwd'), { os: 3, attrs: (0o120777 << 16) >>> 0 }],
      }),
    )
  }
  const many = () => {
    const files: Record<string, Uint8Array> = {}
    for (let n = 0; n < 70_000; n++) files[`${n}`] = new Uint8Array()
    return Buffer.from(zipSync(files, { level: 0 }))
  }
  const bomb = () => zipOf({ 'card.ograf.json': manifest(), 'graphic.mjs': new Uint8Array(64 * 1_048_576) })

  test.each([
    ['no zip', () => Buffer.from('nothing of the kind'), /the archive is broken/],
    ['nothing at all', () => zipOf({ 'readme.txt': 'hello' }), /no manifest/],
    ['a path out of it', () => named('../../evil.mjs'), /invalid relative path/],
    ['an absolute path', () => named('/etc/evil.mjs'), /absolute path/],
    ['a path of Windows', () => named('c:\\evil.mjs'), /(absolute|invalid) .*path|invalid characters/],
    ['a link', link, /graphic\.mjs is a link/],
    ['a bomb', bomb, /unpacks to more than 200 times its size/],
    ['70,000 files', many, /at most 4000 are taken/],
  ])('%s', async (_, zip, message) => {
    const before = (await list()).length
    const { status, body } = await send(zip())
    expect([status, body.graphics]).toEqual([400, []])
    expect(body.errors[0]?.message).toMatch(message)
    expect((await list()).length).toBe(before)
  })

  test.each([
    [{ $schema: 'https://ograf.ebu.io/v2/schema.json' }, '/$schema', /expected "https:/],
    [{ id: undefined }, '/id', /is missing/],
    [{ id: 'a/b' }, '/id', /without \//],
    [{ name: '' }, '/name', /1 to 255 characters/],
    [{ main: 'other.mjs' }, '/main', /not a file of the archive/],
    [{ main: '../../../etc/passwd' }, '/main', /not a file of the archive/],
    [{ supportsRealTime: 'yes' }, '/supportsRealTime', /expected boolean/],
    [{ stepCount: 1.5 }, '/stepCount', /whole number/],
    [{ stepCount: -2 }, '/stepCount', /must be >= -1/],
    [
      { schema: { type: 'object', properties: { a: { type: 'text' } } } },
      '/schema/properties/a/type',
      /expected one of/,
    ],
    [{ schema: { type: 'array', items: { type: 'string' } } }, '/schema/type', /expected object/],
    [
      { schema: { type: 'object', properties: { constructor: { type: 'string' } } } },
      '/schema/properties/constructor',
      /this name/,
    ],
    [
      {
        customActions: [
          { id: 'a', name: 'A' },
          { id: 'a', name: 'B' },
        ],
      },
      '/customActions/1/id',
      /twice/,
    ],
    [{ actionDurations: [{ type: 'playAction', duration: -1 }] }, '/actionDurations', /expected a list/],
    [{ author: 'me' }, '/author', /expected object/],
  ])('a manifest with %j', async (more, path, message) => {
    const { status, body } = await send(cardZip({ id: 'wrong', name: 'Wrong', ...more }))
    expect(status).toBe(400)
    expect(body.errors).toContainEqual({ file: 'card.ograf.json', path, message: expect.stringMatching(message) })
    expect((await list()).some(({ ografId }) => ografId === 'wrong')).toBe(false)
  })

  test('of two manifests that have one id, or one name, or that of another graphic', async () => {
    await designer.create('Taken')
    const zip = zipOf({
      'a.ograf.json': manifest({ id: 'same', name: 'Taken' }),
      'b.ograf.json': manifest({ id: 'same', name: 'B' }),
      'graphic.mjs': moduleText(),
    })
    expect((await send(zip)).body.errors).toEqual([
      { file: 'b.ograf.json', path: '/id', message: 'same: a.ograf.json has this id, too' },
    ])
    const { status, body } = await send(cardZip({ id: 'new', name: 'Taken' }))
    expect([status, body.errors]).toEqual([
      400,
      [{ file: 'card.ograf.json', path: '/name', message: 'Taken: another graphic of the theme has this name' }],
    ])
  })

  test('a manifest that is no JSON, and one that is nested without end', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    const zip = zipOf({ 'a.ograf.json': '{ broken', 'b.ograf.json': deep, 'c.ograf.json': '[]' })
    expect((await send(zip)).body.errors.map(({ file, message }) => [file, message])).toEqual([
      ['a.ograf.json', expect.stringContaining('not JSON')],
      ['b.ograf.json', 'nested too deep'],
      ['c.ograf.json', 'a manifest is a JSON object'],
    ])
  })
})
