import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordContext } from '../../src/context.ts'
import { putBundle } from '../../src/resources/code-graphics/bundle.commands.ts'
import { createCodeGraphic, publishCodeGraphic } from '../../src/resources/code-graphics/commands.ts'
import { getCodeGraphic } from '../../src/resources/code-graphics/queries.ts'
import { createRoom } from '../../src/resources/control-rooms/commands.ts'
import { createPreset } from '../../src/resources/control-rooms/presets.commands.ts'
import { createOrganization } from '../../src/resources/organizations/commands.ts'
import { createTheme } from '../../src/resources/themes/commands.ts'
import { getTheme } from '../../src/resources/themes/queries.ts'
import { publishThemeVersion } from '../../src/resources/themes/versions.commands.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let database: TestDatabase
let ctx: RecordContext
let themeId: number

beforeAll(async () => {
  database = await testDatabase()
  ctx = await newContext()
  themeId = (await createTheme(ctx, { name: 'Theme', sports: ['football'], variables: [] })).id
})
afterAll(() => database.drop())

async function newContext(): Promise<RecordContext> {
  const { id } = await createOrganization(database.db, 'Test')
  return {
    organizationId: id,
    actor: { type: 'system', name: 'test' },
    requestId: 'test',
    get commandId() {
      return randomUUID()
    },
    db: database.db,
    publicUrl: 'http://tally.test',
    catalog: { forget: () => {} },
  }
}

const HASH = { one: '1'.repeat(64), two: '2'.repeat(64) }
const file = (name: string, hash = HASH.one) => ({ name, mime: 'text/html', size: 3, hash })
const create = () => createCodeGraphic(ctx, themeId, { name: randomUUID() })
const put = (graphicId: string, files: ReturnType<typeof file>[], uploaded = [HASH.one, HASH.two]) =>
  putBundle(ctx, { themeId, graphicId }, { files }, new Set(uploaded))
const rules = (details: unknown[]) => ({ status: 400, body: { code: 'CODE_GRAPHIC_INVALID', details } })

describe('replacing its bundle', () => {
  it('[op.21] the file set is complete, and a revision rises only when the bytes change', async () => {
    const { graphicId } = await create()
    await put(graphicId, [file('index.html'), file('b.js'), file('a.js')])
    const { assets } = await put(graphicId, [file('index.html', HASH.two), file('a.js')])
    expect(assets.map(({ name, version }) => [name, version])).toEqual([
      ['a.js', 1],
      ['index.html', 2],
    ])
  })

  it('[op.21] a file that is neither uploaded nor held is refused by name, and nothing changes', async () => {
    const { graphicId } = await create()
    await put(graphicId, [file('index.html')])
    await expect(put(graphicId, [file('index.html'), file('new.js', HASH.two)], [])).rejects.toMatchObject(
      rules(['new.js: not uploaded and not in the graphic from an earlier bundle']),
    )
    expect((await getCodeGraphic(ctx, themeId, graphicId)).assets).toHaveLength(1)
    await expect(put(graphicId, [file('index.html')], [])).resolves.toMatchObject({ graphicId })
  })

  it('[Limits] a bundle of 2,000 files is taken, one more is not', async () => {
    const { graphicId } = await create()
    const files = [file('index.html'), ...Array.from({ length: 1_999 }, (_, index) => file(`img/${index}.png`))]
    expect((await put(graphicId, files)).assets).toHaveLength(2_000)
    await expect(put(graphicId, [...files, file('one-more.png')])).rejects.toMatchObject(
      rules(['a bundle holds at most 2000 files']),
    )
  })

  it('[Code graphic invalid] names twice, a bad hash and a missing entry are all listed', async () => {
    const { graphicId } = await create()
    await expect(
      put(graphicId, [file('a.js'), file('a.js'), file('b.js', 'ABC')], [HASH.one, 'ABC']),
    ).rejects.toMatchObject(
      rules([
        'a.js: the name is used twice',
        'b.js: the hash is not a SHA-256 in lower-case hexadecimal',
        'index.html: the entry is missing',
      ]),
    )
  })
})

describe('publishing', () => {
  it('[Graphic versions] the version is immutable, and the working copy goes on in a new row', async () => {
    const before = await create()
    const { graphicId } = before
    await expect(publishCodeGraphic(ctx, themeId, graphicId)).rejects.toMatchObject(
      rules(['index.html: the entry is missing']),
    )
    await put(graphicId, [file('index.html')])
    const { publishedVersion, graphic } = await publishCodeGraphic(ctx, themeId, graphicId)
    expect([publishedVersion, graphic.version, graphic.publishedVersions]).toEqual([1, 2, [1]])
    expect(graphic.id).not.toBe(before.id)
    expect(graphic.assets).toHaveLength(1)
  })

  it('[Graphic versions] equal file sets are one bundle, others another', async () => {
    const { graphicId } = await create()
    for (const hash of [HASH.one, HASH.two, HASH.one]) {
      await put(graphicId, [file('index.html', hash)])
      await publishCodeGraphic(ctx, themeId, graphicId)
    }
    const rows = await database.sql<{ hash: string }[]>`
      select bundle_hash as hash from graphic_version where graphic_id = ${graphicId} order by version`
    const [first, second, third] = rows.map(({ hash }) => hash)
    expect(first).toBe(third)
    expect(second).not.toBe(first)
  })

  it('[Graphic versions] a theme version pins the latest of every graphic and skips those without one', async () => {
    const { id } = await createTheme(ctx, { name: 'Pinned', sports: ['football'], variables: [] })
    await expect(publishThemeVersion(ctx, id, { activate: true })).rejects.toMatchObject({ status: 400 })
    const { graphicId } = await createCodeGraphic(ctx, id, { name: 'Published' })
    const draft = await createCodeGraphic(ctx, id, { name: 'Draft' })
    await putBundle(ctx, { themeId: id, graphicId }, { files: [file('index.html')] }, new Set([HASH.one]))
    await publishCodeGraphic(ctx, id, graphicId)
    await publishCodeGraphic(ctx, id, graphicId)
    expect(await publishThemeVersion(ctx, id, { activate: false })).toMatchObject({
      version: 1,
      graphics: [{ graphicId, name: 'Published', type: 'code', version: 2 }],
      skipped: [{ graphicId: draft.graphicId, name: 'Draft', reason: 'NO_PUBLISHED_VERSION' }],
    })
    expect(await getTheme(ctx, id)).toMatchObject({ activeVersion: null, versions: [1] })
    await publishThemeVersion(ctx, id, { activate: true })
    expect(await getTheme(ctx, id)).toMatchObject({ activeVersion: 2, versions: [1, 2] })
  })
})

describe('organizations', () => {
  it("[auth.11] another organization's theme, graphic and room are not there for any command", async () => {
    const stranger = await newContext()
    const { graphicId } = await create()
    const room = await createRoom(ctx, { themeId, name: 'Room', sections: [{ name: 'One' }] })
    const preset = {
      sectionId: room.sections[0]?.id ?? '',
      graphicId,
      name: 'Preset',
      variableValues: {},
      exposedVariables: [],
    }
    const missing = { status: 404 }
    await expect(createCodeGraphic(stranger, themeId, { name: 'Mine' })).rejects.toMatchObject(missing)
    await expect(publishCodeGraphic(stranger, themeId, graphicId)).rejects.toMatchObject(missing)
    await expect(putBundle(stranger, { themeId, graphicId }, { files: [] }, new Set())).rejects.toMatchObject(missing)
    await expect(publishThemeVersion(stranger, themeId, { activate: true })).rejects.toMatchObject(missing)
    await expect(createRoom(stranger, { themeId, name: 'Mine', sections: [] })).rejects.toMatchObject({ status: 403 })
    await expect(createPreset(stranger, room.id, preset)).rejects.toMatchObject(missing)
    await expect(createPreset(ctx, room.id, { ...preset, sectionId: 'x' })).rejects.toMatchObject({ status: 400 })
    await expect(createPreset(ctx, room.id, { ...preset, graphicId: 'x' })).rejects.toMatchObject({ status: 400 })
    await expect(createPreset(ctx, room.id, preset)).resolves.toMatchObject({ id: expect.any(Number), name: 'Preset' })
  })
})
