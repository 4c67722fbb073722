import { cpSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readThemeFolder } from '../../src/theme-files/folder.ts'
import { FolderError } from '../../src/theme-files/folder-error.ts'
import { manifestSchemas } from '../../src/theme-files/manifest.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { root } from '../support/root.ts'
import { stateMachine, write } from './support.ts'

/** A theme of one graphic. */
function themeFolder(): string {
  const folder = temporaryDirectory()
  write(folder, 'theme.json', { name: 'Plain', sports: ['football'] })
  write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine })
  write(folder, 'graphics/card/index.html', '<!doctype html>')
  return folder
}

const refusal = async (folder: string) => {
  const error = await readThemeFolder(folder).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(FolderError)
  return String(error instanceof Error ? error.message : error).split('\n')
}

test('[issue 4.10] the demo theme of the repository is a theme folder', async () => {
  const theme = await readThemeFolder(join(root, 'dist/demo/theme'))
  expect(theme.graphics.map(({ slug, name }) => [slug, name])).toEqual([
    ['line-up-card', 'Line-up card'],
    ['lower-third', 'Lower third'],
    ['result-card', 'Result card'],
    ['score-bug', 'Score bug'],
    ['sponsor-card', 'Sponsor card'],
    ['standings-table', 'Standings table'],
    ['statistics-card', 'Statistics card'],
  ])
  for (const { files } of theme.graphics) expect(files.map(({ name }) => name)).toContain('index.html')
})

test('the files of a bundle are those beside graphic.json, in order, each with its hash and the type that its name tells', async () => {
  const folder = themeFolder()
  write(folder, 'graphics/card/assets/b.css', 'b')
  write(folder, 'graphics/card/assets/B.svg', 'b')
  write(folder, 'graphics/card/data.unknown', 'x')
  const { graphics } = await readThemeFolder(folder)
  expect(graphics[0]?.files.map(({ name, mime, size }) => [name, mime, size])).toEqual([
    ['assets/B.svg', 'image/svg+xml', 1],
    ['assets/b.css', 'text/css', 1],
    ['data.unknown', 'application/octet-stream', 1],
    ['index.html', 'text/html', 15],
  ])
  expect(graphics[0]?.files[0]?.hash).toBe('3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d')
  expect(graphics[0]?.sports).toEqual(['football'])
})

test('a folder is the same theme wherever it lies and whatever order its files were written in', async () => {
  const folder = themeFolder()
  write(folder, 'graphics/another/graphic.json', { name: 'Another', stateMachine })
  const copy = join(temporaryDirectory(), 'copy')
  cpSync(folder, copy, { recursive: true })
  const read = async (path: string) => JSON.stringify(await readThemeFolder(path)).replaceAll(path, '')
  expect(await read(copy)).toBe(await read(folder))
})

test('hidden files are left out, wherever they are', async () => {
  const folder = themeFolder()
  write(folder, '.git/config', 'x')
  write(folder, 'graphics/.cache/x', 'x')
  write(folder, 'graphics/card/.DS_Store', 'x')
  write(folder, 'graphics/card/.cache/x', 'x')
  const { graphics } = await readThemeFolder(folder)
  expect(graphics.map(({ files }) => files.map(({ name }) => name))).toEqual([['index.html']])
})

test('symbolic links are refused, in a bundle, as a graphic and as a sample', async () => {
  const folder = themeFolder()
  symlinkSync('/etc/hosts', join(folder, 'graphics/card/hosts.txt'))
  expect(await refusal(folder)).toEqual(['graphics/card/hosts.txt: a symbolic link; a theme holds files only'])
  rmSync(join(folder, 'graphics/card/hosts.txt'))
  symlinkSync('card', join(folder, 'graphics/other'))
  expect(await refusal(folder)).toEqual(['graphics/other: a symbolic link; a theme holds files only'])
  rmSync(join(folder, 'graphics/other'))
  symlinkSync('/etc/hosts', join(folder, 'table.csv'))
  const template = { alias: 'table', sourceType: 'csv', shape: 'rows', sample: 'table.csv' }
  write(folder, 'theme.json', { name: 'Plain', dataSourceTemplates: [template] })
  expect(await refusal(folder)).toEqual(['theme.json: dataSourceTemplates[0].sample: there is no file table.csv'])
})

test('what is wrong is named by file and path, everything at once', async () => {
  const folder = themeFolder()
  write(folder, 'theme.json', {
    name: 'Plain',
    sport: 'football',
    variables: [{ name: 'a', type: 'colour' }, { type: 'string' }],
  })
  const lines = await refusal(folder)
  expect(lines).toContain('theme.json: sport: unknown key')
  expect(lines.some((line) => line.startsWith('theme.json: variables[0].type: '))).toBe(true)
  expect(lines.some((line) => line.startsWith('theme.json: variables[1].name: '))).toBe(true)
  write(folder, 'theme.json', '{"name": "Plain",')
  expect((await refusal(folder))[0]).toMatch(/^theme\.json: not JSON: /)
  rmSync(join(folder, 'theme.json'))
  expect((await refusal(folder))[0]).toMatch(/theme\.json: there is no such file$/)
})

test('the rules of bundles hold before anything is sent: entry, names, control variables', async () => {
  const folder = themeFolder()
  renameSync(join(folder, 'graphics/card/index.html'), join(folder, 'graphics/card/page.html'))
  write(folder, 'graphics/card/Page.html', 'x')
  write(folder, 'graphics/other/graphic.json', {
    name: 'Other',
    stateMachine: { controlVariables: [{ id: 'a', name: 'a', type: 'enum' }] },
  })
  write(folder, 'graphics/empty/readme.txt', 'x')
  const lines = await refusal(folder)
  expect(lines).toContain('graphics/card/index.html: the entry is missing')
  expect(lines).toContain('graphics/other/graphic.json: control variable a: an enum needs options')
  expect(lines.some((line) => line.endsWith('graphics/empty/graphic.json: there is no such file'))).toBe(true)
})

test('names of variables, templates and graphics are there once', async () => {
  const folder = themeFolder()
  const variable = { name: 'accent', type: 'string' }
  write(folder, 'theme.json', { name: 'Plain', variables: [variable, variable] })
  write(folder, 'graphics/card-2/graphic.json', { name: 'Card', stateMachine })
  expect(await refusal(folder)).toEqual([
    'theme.json: variables: accent is there twice',
    'graphics: the name Card is that of card and card-2',
  ])
})

test('a type that the extension does not tell is written in graphic.json, for files that are there', async () => {
  const folder = themeFolder()
  write(folder, 'graphics/card/shape', 'x')
  write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine, mime: { shape: 'model/gltf+json' } })
  const { graphics } = await readThemeFolder(folder)
  expect(graphics[0]?.files.find(({ name }) => name === 'shape')?.mime).toBe('model/gltf+json')
  write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine, mime: { gone: 'text/plain' } })
  expect(await refusal(folder)).toEqual(['graphics/card/graphic.json: mime.gone: there is no such file'])
})

test('the manifests have JSON Schemas', () => {
  const { theme, graphic } = manifestSchemas()
  expect(theme).toMatchObject({ type: 'object', additionalProperties: false, required: ['name'] })
  expect(graphic).toMatchObject({ type: 'object', additionalProperties: false, required: ['name', 'stateMachine'] })
})
