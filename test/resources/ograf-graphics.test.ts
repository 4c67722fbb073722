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
  /** A graphic and so many files in all. */
  const counted = (count: number) => {
    const card = {
      'card.ograf.json': Buffer.from(JSON.stringify(manifest())),
      'graphic.mjs': Buffer.from(moduleText()),
    }
    const files: Record<string, Uint8Array> = { ...card }
    for (let n = 2; n < count; n++) files[`f${n}`] = new Uint8Array()
    return Buffer.from(zipSync(files, { level: 0 }))
  }
  const many = () => counted(70_000)
  /** A zip of which each header of a file is changed in place. */
  const changed = (zip: Buffer<ArrayBuffer>, change: (central: Buffer, name: string) => void) => {
    for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4))
      change(zip.subarray(at), zip.toString('latin1', at + 46, at + 46 + zip.readUInt16LE(at + 28)))
    return zip
  }
  const shrunk = () => changed(cardZip(), (central, name) => name === 'graphic.mjs' && central.writeUInt32LE(10, 24))
  const encrypted = () => changed(cardZip(), (central) => central.writeUInt16LE(1, 8))
  const beside = (name: string) =>
    zipOf({ 'card.ograf.json': manifest(), 'graphic.mjs': moduleText(), [name]: moduleText() })
  const twice = () =>
    changed(beside('graphic.mjx'), (central, name) => name === 'graphic.mjx' && central.write('graphic.mjs', 46))
  const manifests = () => {
    const all = Array.from({ length: 101 }, (_, index) => [
      `${index}.ograf.json`,
      manifest({ id: `m${index}`, name: `M${index}` }),
    ])
    return zipOf({ ...Object.fromEntries(all), 'graphic.mjs': moduleText() })
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
    // its writer counts no further than 65,535
    ['65,636 files that it says are 100', () => counted(65_636), /more files than the 100 that it tells of/],
    ['a file that is cut off', () => cardZip().subarray(0, 400), /the archive is broken/],
    ['a file that is larger than it says', shrunk, /the archive is broken: too many bytes/],
    ['encrypted files', encrypted, /is encrypted/],
    ['a file twice', twice, /graphic\.mjs is in the archive twice/],
    ['files that differ in case only', () => beside('GRAPHIC.mjs'), /differs from .* only in case/],
    ['a file that is a folder, too', () => beside('graphic.mjs/a.mjs'), /is a file and also the folder/],
    ['101 manifests', manifests, /at most 100 are taken/],
  ])('%s', async (_, zip, message) => {
    const before = (await list()).length
    const { status, body } = await send(zip())
    expect([status, body.graphics]).toEqual([400, []])
    expect(body.errors[0]?.message).toMatch(message)
    expect((await list()).length).toBe(before)
  })

  test.each([
    [{ $schema: 'https://ograf.ebu.io/v2/schema.json' }, '/$schema', /expected "https:/],
    [{ $schema: undefined }, '/$schema', /is missing/],
    [{ id: undefined }, '/id', /is missing/],
    [{ name: undefined }, '/name', /is missing/],
    [{ main: undefined }, '/main', /is missing/],
    [{ supportsRealTime: undefined }, '/supportsRealTime', /is missing/],
    [{ supportsNonRealTime: undefined }, '/supportsNonRealTime', /is missing/],
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

  const long = Array.from({ length: 1_001 }, (_, index) => String(index))
  const [many100, engines] = [Array(101).fill({}), Array(101).fill({ type: 'CEF', version: { min: '1' } })]
  test.each([
    [
      'choices',
      '/schema/properties/a/items/enum',
      { schema: { type: 'object', properties: { a: { type: 'array', items: { type: 'string', enum: long } } } } },
    ],
    [
      'required members',
      '/customActions/0/schema/required',
      { customActions: [{ id: 'a', name: 'A', schema: { type: 'object', properties: {}, required: long } }] },
    ],
    ['requirements', '/renderRequirements', { renderRequirements: many100 }],
    ['engines', '/renderRequirements/0/engine', { renderRequirements: [{ engine: engines }] }],
    ['thumbnails', '/thumbnails', { thumbnails: many100.map(() => ({ file: 'graphic.mjs' })) }],
    [
      'text of a default',
      '/schema/properties/a/default',
      { schema: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(20_001) } } } },
    ],
    [
      'parts of the default of all',
      '/schema/properties/a/default',
      {
        schema: {
          type: 'object',
          default: { a: long.concat(long) },
          properties: { a: { type: 'array', items: { type: 'string' } } },
        },
      },
    ],
  ])('a manifest with more %s than commands and frames could carry', async (_, path, more) => {
    const { status, body } = await send(cardZip({ id: 'wrong', name: 'Wrong', ...more }))
    expect([status, body.errors]).toEqual([
      400,
      [{ file: 'card.ograf.json', path, message: expect.stringMatching(/at most 100|more than 2000/) }],
    ])
  })

  test('a manifest that is nothing but faults, or oddities, is told in short', async () => {
    // as many as fit into a manifest
    const faults = await send(cardZip({ id: 'flood', name: 'Flood', customActions: Array(120_000).fill({}) }))
    expect([faults.status, faults.body.errors.length]).toEqual([400, 100])
    const odd = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`odd${index}`, 0]))
    const { status, body } = await send(cardZip({ id: 'odd-ones', name: 'Odd ones', ...odd }))
    expect([status, body.graphics[0]?.warnings.length]).toEqual([201, 101])
    expect(body.graphics[0]?.warnings.at(-1)).toBe('39900 more of this kind')
  })

  test('an upload of more than 64 MB', async () => {
    const sha256 = createHash('sha256').update('').digest('hex')
    const { status, body } = await designer.call('POST', at('/ograf/uploads'), { size: 64 * 1_048_576 + 1, sha256 })
    expect([status, Object.keys(body.details as object)]).toEqual([400, ['body.size']])
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
