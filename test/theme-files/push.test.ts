import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Transport } from '../../src/theme-files/transport.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { root } from '../support/root.ts'
import { contents, designer, stateMachine, told, write } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestApp
beforeAll(async () => {
  server = await startApp()
})
afterAll(() => server.close())

const title = { id: 'title', name: 'title', type: 'string', defaultValue: null, description: 'Text' }
const presetOf = (name: string, graphic = 'Card') => ({
  name,
  graphic,
  variableValues: { title: name },
  exposedVariables: ['title'],
})
const section = (name: string, presets: object[], colorKey = 'green') => ({ name, colorKey, presets })

/** A theme with everything that a folder tells. */
function richTheme(): string {
  const folder = temporaryDirectory()
  write(folder, 'theme.json', {
    name: 'Rich',
    sports: ['football', 'futsal'],
    notes: 'As drawn',
    variables: [
      { name: 'accent', type: 'string', defaultValue: '#ff0000', description: 'Lines', isStyle: true },
      { name: 'size', type: 'enum', enumOptions: ['s', 'l'], defaultValue: 'l' },
      { name: 'plain', type: 'number' },
    ],
    dataSourceTemplates: [
      { alias: 'table', sourceType: 'csv', shape: 'rows', sample: 'data-sources/table.csv', description: 'Standings' },
    ],
    controlRooms: [
      {
        name: 'Desk',
        sections: [
          section('First', [presetOf('One'), presetOf('Two')]),
          section('Second', [presetOf('Three', 'Clock 時計')]),
        ],
      },
    ],
  })
  write(folder, 'data-sources/table.csv', 'team;points\r\nÅlesund;07\r\n"Fjord;City";\r\n')
  write(folder, 'graphics/card/graphic.json', {
    name: 'Card',
    sports: ['football'],
    stateMachine: {
      ...stateMachine,
      controlVariables: [title],
      selectedSchemas: ['match', 'table'],
      own: { b: 1, a: [null] },
    },
  })
  write(folder, 'graphics/card/index.html', '<!doctype html><script src="assets/a b+c.js"></script>')
  write(folder, 'graphics/card/assets/a b+c.js', 'parent.postMessage({}, "*")')
  write(folder, 'graphics/card/assets/ÄÖ.css', 'b {}')
  write(folder, 'graphics/card/shape', 'x')
  write(folder, 'graphics/clock/graphic.json', {
    name: 'Clock 時計',
    stateMachine: { ...stateMachine, controlVariables: [title] },
    mime: { 'weird.js': 'application/javascript' },
  })
  write(folder, 'graphics/clock/index.html', '<!doctype html>')
  write(folder, 'graphics/clock/weird.js', '1')
  // the same bytes under two names, and none at all
  write(folder, 'graphics/clock/same.js', '1')
  write(folder, 'graphics/clock/empty.txt', '')
  return folder
}

const edit = (folder: string, path: string, change: (text: string) => string) =>
  writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')))

describe('[issue 4.10] themes push', () => {
  test('makes what the folder says, publishes and activates it, and the second time there is nothing to do', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const first = await push(folder, { activate: true })
    expect(first).toMatchObject({ name: 'Rich', dryRun: false, kept: [], version: 1, activeVersion: 1 })
    expect(first.uploaded.files).toBe(8)
    const { body: theme } = await call('GET', `/v2/themes/${first.themeId}`)
    expect(theme).toMatchObject({ name: 'Rich', activeVersion: 1, versions: [1] })
    const version = await call('GET', `/v2/themes/${first.themeId}/versions/1`)
    expect(version.body.notes).toBe('As drawn')
    const second = await push(folder, { activate: true })
    expect(second).toEqual({ ...first, changes: [], uploaded: { files: 0, bytes: 0 } })
    expect((await call('GET', `/v2/themes/${first.themeId}`)).body).toEqual(theme)
    expect((await call('GET', '/v2/themes')).body.total).toBe(1)
  })

  test('a dry run says exactly what the push then does, and changes nothing', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const dry = await push(folder, { activate: true, dryRun: true })
    expect(dry).toMatchObject({ themeId: null, dryRun: true, version: null, activeVersion: null })
    expect((await call('GET', '/v2/themes')).body.total).toBe(0)
    const done = await push(folder, { activate: true })
    expect([dry.changes, dry.uploaded]).toEqual([done.changes, done.uploaded])
    write(folder, 'graphics/card/assets/new.css', 'i {}')
    const before = await call('GET', `/v2/themes/${done.themeId}/code-graphics`)
    const again = await push(folder, { activate: true, dryRun: true })
    expect(told(again)).toEqual(['update bundle Card', 'publish graphic Card', 'publish themeVersion 2'])
    expect(again.changes[0]).toEqual({
      action: 'update',
      kind: 'bundle',
      name: 'Card',
      changed: ['files'],
      uploads: ['assets/new.css'],
      uploadBytes: 4,
      deletes: [],
    })
    expect((await call('GET', `/v2/themes/${done.themeId}/code-graphics`)).body).toEqual(before.body)
  })

  test('only changed files are sent, only changed graphics published; a moved file is a new name for known bytes', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const { themeId } = await push(folder, { activate: true })
    edit(folder, 'graphics/card/index.html', (text) => text.replace('assets/a b+c.js', 'js/moved.js'))
    write(folder, 'graphics/card/js/moved.js', readFileSync(join(folder, 'graphics/card/assets/a b+c.js'), 'utf8'))
    rmSync(join(folder, 'graphics/card/assets/a b+c.js'))
    const pushed = await push(folder, { publish: true })
    expect(told(pushed)).toEqual(['update bundle Card', 'publish graphic Card', 'publish themeVersion 2'])
    expect(pushed.changes[0]).toMatchObject({ uploads: ['index.html'], deletes: ['assets/a b+c.js'] })
    expect([pushed.version, pushed.activeVersion]).toEqual([2, 1])
    const { body } = await call('GET', `/v2/themes/${themeId}/versions/2`)
    expect(body.graphics).toMatchObject([
      { name: 'Card', version: 2 },
      { name: 'Clock 時計', version: 1 },
    ])
    expect(told(await push(folder, { activate: true }))).toEqual(['activate themeVersion 2'])
    expect((await call('GET', `/v2/themes/${themeId}`)).body.activeVersion).toBe(2)
  })

  test('variables, state machines, samples, sections and presets follow the folder, each with the fields that differ', async () => {
    const { push, pull } = await designer(server)
    const folder = richTheme()
    const { themeId } = await push(folder, { activate: true })
    edit(folder, 'theme.json', (text) =>
      text.replace('#ff0000', '#00ff00').replace('"name":"plain","type":"number"', '"name":"plain","type":"boolean"'),
    )
    edit(folder, 'theme.json', (text) =>
      text.replace('"variableValues":{"title":"One"}', '"variableValues":{"title":"1"}'),
    )
    edit(folder, 'theme.json', (text) =>
      text.replace('"name":"Second","colorKey":"green"', '"name":"Second","colorKey":"red"'),
    )
    edit(folder, 'data-sources/table.csv', (text) => `${text}Norrvik;3\r\n`)
    edit(folder, 'graphics/clock/graphic.json', (text) => text.replace('"Text"', '"What it says"'))
    const pushed = await push(folder)
    expect(pushed.changes).toEqual([
      { action: 'update', kind: 'variable', name: 'accent', changed: ['defaultValue'] },
      { action: 'update', kind: 'variable', name: 'plain', changed: ['type'] },
      { action: 'update', kind: 'dataSourceTemplate', name: 'table', changed: ['sample'] },
      expect.objectContaining({
        kind: 'bundle',
        name: 'Clock 時計',
        changed: ['stateMachine'],
        uploads: [],
        deletes: [],
      }),
      { action: 'update', kind: 'section', name: 'Desk / Second', changed: ['colorKey'] },
      { action: 'update', kind: 'preset', name: 'Desk / First / One', changed: ['variableValues'] },
    ])
    expect((await push(folder)).changes).toEqual([])
    const copy = join(temporaryDirectory(), 'copy')
    await pull(copy, themeId)
    expect((await push(copy)).changes).toEqual([])
  })

  test('sections and presets are put in the order of the folder; one in another section is moved and keeps its id', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    const { themeId } = await push(folder, { activate: true })
    const room = async () => {
      const [{ id } = { id: 0 }] = (await call('GET', `/v2/control-rooms?themeId=${themeId}`)).body as unknown as {
        id: number
      }[]
      const { body } = await call('GET', `/v2/control-rooms/${id}`)
      const { sections, presets } = body as unknown as {
        sections: { id: string; name: string }[]
        presets: { id: number; name: string; sectionId: string }[]
      }
      return sections.map(({ id: sectionId, name }) => [
        name,
        presets.filter((preset) => preset.sectionId === sectionId).map((preset) => [preset.name, preset.id]),
      ])
    }
    const [[, [one, two]], [, [three]]] = (await room()) as [[string, [string, number][]], [string, [string, number][]]]
    theme.controlRooms[0].sections = [
      section('New', [presetOf('Four')]),
      section('Second', [presetOf('Two'), presetOf('Three', 'Clock 時計')]),
      section('First', [presetOf('Five'), presetOf('One')]),
    ]
    write(folder, 'theme.json', theme)
    await push(folder)
    expect(await room()).toEqual([
      ['New', [['Four', expect.any(Number)]]],
      ['Second', [two, three]],
      ['First', [['Five', expect.any(Number)], one]],
    ])
    expect((await push(folder)).changes).toEqual([])
  })

  test('the mode of a control room is made, changed and pulled; left out it stays as it is', async () => {
    const { push, pull, call } = await designer(server)
    const folder = richTheme()
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    const says = (defaultMode: string | undefined) => {
      theme.controlRooms[0].defaultMode = defaultMode
      write(folder, 'theme.json', theme)
    }
    says('preview')
    const { themeId } = await push(folder)
    const mode = async () => {
      const { body } = await call('GET', `/v2/control-rooms?themeId=${themeId}`)
      return (body as unknown as { defaultMode: string }[])[0]?.defaultMode
    }
    expect(await mode()).toBe('preview')
    says(undefined)
    expect((await push(folder)).changes).toEqual([])
    expect(await mode()).toBe('preview')
    const pulled = temporaryDirectory()
    await pull(pulled, themeId)
    expect(JSON.parse(readFileSync(join(pulled, 'theme.json'), 'utf8')).controlRooms).toMatchObject([
      { name: 'Desk', defaultMode: 'preview' },
    ])
    says('direct')
    expect(told(await push(folder))).toEqual(['update controlRoom Desk'])
    expect(await mode()).toBe('direct')
    expect((await pull(folder, themeId, { dryRun: true })).written).not.toContain('theme.json')
  })

  test('what only the server has stays and is named, until --prune deletes it; the next version goes without it', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const { themeId } = await push(folder, { activate: true })
    rmSync(join(folder, 'graphics/clock'), { recursive: true })
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    theme.variables.pop()
    theme.dataSourceTemplates = []
    theme.controlRooms[0].sections.pop()
    write(folder, 'theme.json', theme)
    const kept = await push(folder, { activate: true })
    expect(kept.changes).toEqual([])
    expect(kept.kept.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'variable plain',
      'dataSourceTemplate table',
      'graphic Clock 時計',
      'preset Desk / Second / Three',
      'section Desk / Second',
    ])
    const dry = await push(folder, { activate: true, prune: true, dryRun: true })
    const pruned = await push(folder, { activate: true, prune: true })
    expect(told(pruned)).toEqual([
      'delete graphic Clock 時計',
      'publish themeVersion 2',
      'delete preset Desk / Second / Three',
      'delete section Desk / Second',
      'delete dataSourceTemplate table',
      'delete variable plain',
    ])
    expect(dry.changes).toEqual(pruned.changes)
    const { body } = await call('GET', `/v2/themes/${themeId}/versions/2`)
    expect(body.graphics).toMatchObject([{ name: 'Card' }])
    expect((await push(folder, { activate: true, prune: true })).changes).toEqual([])
  })

  test('a theme whose last graphic is pruned has no further version', async () => {
    const { push } = await designer(server)
    const folder = richTheme()
    await push(folder, { activate: true })
    rmSync(join(folder, 'graphics'), { recursive: true })
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    write(folder, 'theme.json', { ...theme, controlRooms: [] })
    const pruned = await push(folder, { activate: true, prune: true })
    expect(told(pruned).slice(0, 2)).toEqual(['delete graphic Card', 'delete graphic Clock 時計'])
    expect([pruned.version, pruned.activeVersion]).toEqual([1, 1])
    expect((await push(folder, { activate: true, prune: true })).changes).toEqual([])
  })

  test('names that differ only in case are two graphics, in two folders', async () => {
    const { push, pull } = await designer(server)
    const folder = temporaryDirectory()
    write(folder, 'theme.json', { name: 'Cases' })
    for (const [slug, name] of [
      ['a', 'Bug'],
      ['b', 'BUG'],
    ] as const) {
      write(folder, `graphics/${slug}/graphic.json`, { name, stateMachine })
      write(folder, `graphics/${slug}/index.html`, name)
    }
    const { themeId } = await push(folder, { publish: true })
    const copy = join(temporaryDirectory(), 'copy')
    const { written } = await pull(copy, themeId)
    expect(written.filter((path) => path.endsWith('graphic.json'))).toEqual([
      'graphics/bug-2/graphic.json',
      'graphics/bug/graphic.json',
    ])
    expect((await push(copy, { publish: true })).changes).toEqual([])
  })

  test('a preset of a graphic that neither the folder nor the server has is refused before anything is done', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    edit(folder, 'theme.json', (text) => text.replace('"graphic":"Card"', '"graphic":"Crad"'))
    await expect(push(folder)).rejects.toThrow(
      'theme.json: controlRooms[0].sections[0].presets[0].graphic: there is no graphic Crad; there is Card, Clock 時計',
    )
    expect((await call('GET', '/v2/themes')).body.total).toBe(0)
  })

  test('a graphic that was deleted on the server comes back with presets that can be shown', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const { themeId } = await push(folder, { activate: true })
    const { body: theme } = await call('GET', `/v2/themes/${themeId}`)
    const clock = (theme.graphics as { name: string; graphicId: string }[]).find(({ name }) => name === 'Clock 時計')
    expect((await call('DELETE', `/v2/themes/${themeId}/code-graphics/${clock?.graphicId}`)).status).toBe(204)
    const again = await push(folder, { activate: true })
    expect(told(again)).toEqual([
      'create graphic Clock 時計',
      'update bundle Clock 時計',
      'publish graphic Clock 時計',
      'publish themeVersion 2',
      'create preset Desk / Second / Three',
    ])
    expect(again.kept).toEqual([{ kind: 'preset', name: 'Desk / Second / Three' }])
    expect(told(await push(folder, { activate: true }))).toEqual([])
  })

  test('several themes of the name are a question, and --theme answers it', async () => {
    const { push, call } = await designer(server)
    const folder = richTheme()
    const ids: unknown[] = []
    for (let i = 0; i < 2; i++)
      ids.push((await call('POST', '/v2/themes', { name: 'Rich', sports: ['football'] })).body.id)
    await expect(push(folder)).rejects.toThrow(`themes ${ids.join(' and ')} have the name Rich: say which with --theme`)
    expect((await push(folder, { themeId: Number(ids[1]) })).themeId).toBe(ids[1])
    await expect(push(folder, { themeId: 2_000_000_000 })).rejects.toThrow('there is no theme 2000000000')
  })
})

describe('[issue 4.10] themes pull', () => {
  test('pull, push to another organization, pull again: identical folders, byte for byte', async () => {
    const one = await designer(server)
    const other = await designer(server)
    for (const source of [richTheme(), join(root, 'dist/demo/theme')]) {
      const { themeId } = await one.push(source, { activate: true })
      const first = join(temporaryDirectory(), 'first')
      await one.pull(first, themeId)
      const second = join(temporaryDirectory(), 'second')
      const pushed = await other.push(first, { activate: true })
      await other.pull(second, pushed.themeId)
      expect(Object.keys(contents(first)).length).toBeGreaterThan(5)
      expect(contents(second)).toEqual(contents(first))
    }
  })

  test('the files of a bundle come as they were sent, and a published version as it was published', async () => {
    const { push, pull } = await designer(server)
    const folder = richTheme()
    const { themeId } = await push(folder, { activate: true })
    const sent = contents(folder)
    edit(folder, 'graphics/card/index.html', (text) => `${text}<b>later</b>`)
    await push(folder)
    const published = join(temporaryDirectory(), 'published')
    const pulled = await pull(published, themeId, { version: 1 })
    expect(pulled).toMatchObject({ version: 1, deleted: [], unchanged: 0, downloaded: { files: 8 } })
    const files = (all: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(all).filter(([path]) => /^graphics\/card\/(?!graphic\.json)|data-sources/.test(path)),
      )
    expect(files(contents(published))).toEqual(files(sent))
    expect(JSON.parse(readFileSync(join(published, 'theme.json'), 'utf8')).notes).toBe('As drawn')
    await expect(pull(published, themeId, { version: 9 })).rejects.toThrow(`theme ${themeId} has no version 9`)
  })

  test.each(['../../outside', 'a/../../outside', 'a\\\\..'])(
    'a server that calls a template %s gets nothing written anywhere',
    async (alias) => {
      const { key, push } = await designer(server)
      const { themeId } = await push(richTheme())
      const wrap =
        (transport: Transport): Transport =>
        async (request) => {
          const answer = await transport(request)
          if (!request.url.pathname.endsWith('/data-source-templates')) return answer
          return {
            ...answer,
            body: Buffer.from(answer.body.toString().replace(/"alias":"[^"]*"/, `"alias":"${alias}"`)),
          }
        }
      const { pull } = await designer(server, { key, wrap })
      const place = temporaryDirectory()
      await expect(pull(join(place, 'a/folder'), themeId)).rejects.toThrow('no path inside the folder')
      expect(contents(place)).toEqual({})
    },
  )

  test('a folder that says the same in other words, names and places is right already, and keeps them', async () => {
    const { push, pull, call } = await designer(server)
    const folder = richTheme()
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    theme.$schema = './schema.json'
    theme.dataSourceTemplates[0].sample = 'samples/league.csv'
    renameSync(join(folder, 'data-sources'), join(folder, 'samples'))
    renameSync(join(folder, 'samples/table.csv'), join(folder, 'samples/league.csv'))
    renameSync(join(folder, 'graphics/card'), join(folder, 'graphics/My_Card'))
    write(folder, 'theme.json', theme)
    const before = contents(folder)
    const { themeId } = await push(folder, { activate: true })
    expect(await pull(folder, themeId)).toMatchObject({ written: [], deleted: [] })
    expect(contents(folder)).toEqual(before)
    await call('PATCH', `/v2/themes/${themeId}/variables/accent`, { defaultValue: '#0000ff' })
    await pull(folder, themeId, { force: true })
    expect(JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))).toMatchObject({
      $schema: './schema.json',
      notes: 'As drawn',
      dataSourceTemplates: [{ sample: 'samples/league.csv' }],
    })
    expect(Object.keys(contents(folder))).toEqual(Object.keys(before))
    expect((await push(folder, { activate: true })).changes).toEqual([])
  })

  test('a folder that is right already is left alone; work that would be lost is named, and taken over only with --force', async () => {
    const { push, pull } = await designer(server)
    const { themeId } = await push(richTheme(), { activate: true })
    const folder = join(temporaryDirectory(), 'mine')
    await pull(folder, themeId)
    write(folder, 'README.md', 'mine')
    write(folder, '.git/config', 'mine')
    const before = contents(folder)
    expect(await pull(folder, themeId)).toMatchObject({ written: [], deleted: [], downloaded: { files: 0 } })
    write(folder, 'graphics/card/index.html', 'edited')
    write(folder, 'graphics/other/index.html', 'new')
    const edited = contents(folder)
    await expect(pull(folder, themeId)).rejects.toThrow(
      /--force.*lost:\n {2}graphics\/card\/index.html\n {2}graphics\/other\/index.html$/,
    )
    const dry = await pull(folder, themeId, { dryRun: true })
    expect(dry).toMatchObject({ written: ['graphics/card/index.html'], deleted: ['graphics/other/index.html'] })
    expect(contents(folder)).toEqual(edited)
    await pull(folder, themeId, { force: true })
    expect(contents(folder)).toEqual(before)
  })
})
