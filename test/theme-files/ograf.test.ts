import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { manifest, moduleText } from '../support/ograf.ts'
import { contents, designer, stateMachine, told, write } from './support.ts'

let server: TestApp
beforeAll(async () => {
  server = await startApp()
})
afterAll(() => server.close())

const schema = { type: 'object', properties: { lines: { type: 'array', items: { type: 'string' } } } }

/** A theme with a code graphic, and a folder with two OGraf graphics that share their files. */
function theme(): string {
  const folder = temporaryDirectory()
  const preset = { name: 'Guest', graphic: 'Lower third', variableValues: { lines: ['Ada', 'Lovelace'] } }
  write(folder, 'theme.json', {
    name: 'Both kinds',
    sports: ['football'],
    controlRooms: [{ name: 'Desk', sections: [{ name: 'One', presets: [preset] }] }],
  })
  write(folder, 'graphics/bug/graphic.json', { name: 'Bug', stateMachine })
  write(folder, 'graphics/bug/index.html', '<!doctype html>')
  write(folder, 'graphics/bought/l3.ograf.json', manifest({ id: 'l3', name: 'Lower third', schema, stepCount: 2 }))
  write(
    folder,
    'graphics/bought/more/full.ograf.json',
    manifest({ id: 'full', name: 'Full frame', main: '../graphic.mjs' }),
  )
  write(folder, 'graphics/bought/graphic.mjs', moduleText())
  return folder
}

describe('[issue 20.1] OGraf graphics in the folder of a theme', () => {
  test('are pushed, pulled byte for byte, pushed elsewhere, and the second time there is nothing to do', async () => {
    const folder = theme()
    const one = await designer(server)
    const pushed = await one.push(folder, { activate: true })
    expect(told(pushed)).toEqual([
      'create theme Both kinds',
      'create graphic Bug',
      'create graphic Lower third, Full frame',
      'update bundle Bug',
      'publish graphic Lower third',
      'publish graphic Full frame',
      'publish graphic Bug',
      'publish themeVersion 1',
      'create controlRoom Desk',
      'create preset Desk / One / Guest',
    ])
    expect((await one.push(folder, { activate: true })).changes).toEqual([])

    const copy = temporaryDirectory()
    await one.pull(copy, pushed.themeId)
    const { 'graphics/bought/graphic.mjs': module, 'graphics/bought/l3.ograf.json': lower } = contents(folder)
    const files = contents(copy)
    expect(Object.keys(files).filter((path) => path.includes('ograf') || path.endsWith('.mjs'))).toEqual([
      'graphics/full-frame/graphic.mjs',
      'graphics/full-frame/l3.ograf.json',
      'graphics/full-frame/more/full.ograf.json',
    ])
    expect([files['graphics/full-frame/graphic.mjs'], files['graphics/full-frame/l3.ograf.json']]).toEqual([
      module,
      lower,
    ])
    // a folder that is known keeps its name
    expect((await one.pull(folder, pushed.themeId, { force: true })).deleted).toEqual([])
    expect(contents(folder)['graphics/bought/l3.ograf.json']).toBe(lower)

    const other = await designer(server)
    await other.push(copy, { activate: true })
    expect((await other.push(copy, { activate: true })).changes).toEqual([])
  })

  test('a changed file is another version of each graphic that has it; a folder that is gone is pruned', async () => {
    const folder = theme()
    const one = await designer(server)
    const { themeId } = await one.push(folder, { activate: true })
    write(folder, 'graphics/bought/graphic.mjs', `${moduleText()}\n// another`)
    const again = await one.push(folder, { activate: true })
    expect(told(again)).toEqual([
      'update graphic Lower third, Full frame',
      'publish graphic Lower third',
      'publish graphic Full frame',
      'publish themeVersion 2',
    ])
    const { body } = await one.call('GET', `/v2/themes/${themeId}/ograf-graphics`)
    const listed = body as unknown as { name: string; publishedVersions: number[] }[]
    expect(new Map(listed.map(({ name, publishedVersions }) => [name, publishedVersions]))).toEqual(
      new Map([
        ['Lower third', [1, 2]],
        ['Full frame', [1, 2]],
      ]),
    )
    rmSync(join(folder, 'graphics/bought/more'), { recursive: true })
    expect(told(await one.push(folder, { prune: true }))).toContain('delete graphic Full frame')
  })

  test('a manifest that is wrong is named with its place before anything is sent', async () => {
    const folder = theme()
    write(folder, 'graphics/bought/l3.ograf.json', manifest({ id: 'a/b', name: 'Lower third', main: 'no.mjs' }))
    const one = await designer(server)
    await expect(one.push(folder)).rejects.toThrow(/graphics\/bought\/l3\.ograf\.json \/id: 1 to 255 characters/)
    expect((await one.call('GET', '/v2/themes')).body.total).toBe(0)
  })
})
