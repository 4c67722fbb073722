import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, adminProgram } from '../support/admin.ts'
import { newKey, newOrganization, startApp, type TestApp } from '../support/app.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { root } from '../support/root.ts'
import { contents, stateMachine, write } from '../theme-files/support.ts'

let server: TestApp
let key: string
beforeAll(async () => {
  server = await startApp()
  key = (await newOrganization(server.database)).key
})
afterAll(() => server.close())

const demo = join(root, 'dist/demo/theme')

/** Runs on a machine that has no database and no data directory: these commands need neither. */
async function themes(args: readonly string[], way = admin) {
  const environment = { DATA_DIR: '/proc/nowhere', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const { code, stdout, stderr } = await way(['themes', ...args], { environment })
  return { code, stdout, lines: stderr.trim().split('\n') }
}

const at = (secret = key) => ['--url', server.origin, '--key', secret]

/** A command that must succeed with exactly one JSON document on stdout. */
const json = async (args: readonly string[], way = admin) => {
  const { code, stdout, lines } = await themes(args, way)
  expect(code, lines.join('\n')).toBe(0)
  return { document: JSON.parse(stdout), lines }
}

/** A command that must be refused: nothing on stdout, and what it says. */
const refusal = async (args: readonly string[], way = admin) => {
  const { code, stdout, lines } = await themes(args, way)
  expect([code, stdout]).toEqual([1, ''])
  return lines
}

test('[issue 4.10] themes push and pull work over the API alone, with progress on stderr and one document on stdout', async () => {
  const { document: made, lines } = await json(
    ['push', demo, ...at(), '--activate', '--notes', 'Round 1'],
    adminProgram,
  )
  expect(made).toMatchObject({ name: 'Coastline', dryRun: false, kept: [], version: 1, activeVersion: 1 })
  expect(made.uploaded.files).toBeGreaterThan(20)
  expect(lines[0]).toBe('game-plan.json is not sent: --competition says whose it is')
  expect(lines[1]).toMatch(/^\d+ changes, \d+ files \(\d+ KB\) to send$/)
  expect(lines).toContain('create theme Coastline')
  expect(lines).toContain('publish graphic Score bug')
  expect(lines).toContain('create preset Match day / In play / Score bug')
  const version = await server.call('GET', `/v2/themes/${made.themeId}/versions/1`, { key })
  expect(version.body.notes).toBe('Round 1')

  const again = await json(['push', demo, ...at(), '--theme', String(made.themeId), '--activate'])
  expect(again.document).toMatchObject({ changes: [], uploaded: { files: 0, bytes: 0 }, version: 1 })

  const folder = join(temporaryDirectory(), 'pulled')
  const pulled = await json(['pull', folder, ...at(), '--theme', String(made.themeId)], adminProgram)
  expect(pulled.document).toMatchObject({ version: 'working', deleted: [], downloaded: { files: made.uploaded.files } })
  const score = (files: Record<string, string>) => files['graphics/score-bug/index.html']
  expect(score(contents(folder))).toBe(score(contents(demo)))
  expect((await json(['push', folder, ...at(), '--publish', '--dry-run'])).document.changes).toEqual([])

  write(folder, 'graphics/score-bug/index.html', '<script src="/edited.js"></script>')
  const lost = await refusal(['pull', folder, ...at(), '--theme', String(made.themeId)])
  expect(lost.at(-1)).toBe('  graphics/score-bug/index.html')
  const dry = await json(['push', folder, ...at(), '--publish', '--dry-run'])
  expect(dry.lines).toEqual([
    expect.stringMatching(/^graphics\/score-bug\/index.html asks for \/edited.js, which is not/),
  ])
  expect(
    dry.document.changes.map(({ action, kind, name }: Record<string, string>) => `${action} ${kind} ${name}`),
  ).toEqual(['update bundle Score bug', 'publish graphic Score bug', 'publish themeVersion 2'])
  const forced = await json(['pull', folder, ...at(), '--theme', String(made.themeId), '--version', '1', '--force'])
  expect(forced.document.written).toEqual(['graphics/score-bug/index.html'])
})

test('what is wrong is said in lines for people, with exit 1 and nothing on stdout', async () => {
  const folder = temporaryDirectory()
  expect(await refusal(['push', ...at()], adminProgram)).toEqual(['FOLDER is missing'])
  expect(await refusal(['push', folder, 'another', ...at()])).toEqual(["Unexpected argument 'another'"])
  expect(await refusal(['push', folder, '--key', key])).toEqual(['--url is missing'])
  expect((await refusal(['push', folder, '--url', 'here', '--key', key]))[0]).toMatch(/^--url: must be the address/)
  expect(await refusal(['push', folder, ...at()])).toEqual([`${folder}/theme.json: there is no such file`])
  write(folder, 'theme.json', { name: 'X', sports: ['chess'] })
  expect((await refusal(['push', folder, ...at()]))[0]).toMatch(/^theme\.json: sports\[0\]: /)
  expect(await refusal(['pull', folder, ...at()])).toEqual(['--theme is missing'])
  expect(await refusal(['pull', folder, ...at(), '--theme', '2000000000'])).toEqual(['there is no theme 2000000000'])
  expect(await refusal(['pull', folder, ...at(), '--theme', '1', '--version', 'last'])).toEqual([
    '--version: must be the number of a theme version, or working',
  ])
  expect(await refusal(['push', demo, ...at('service_unknown')])).toEqual(['API key missing or unknown'])
})

test('a key that may not write is told the scope that it lacks', async () => {
  const organization = await newOrganization(server.database)
  const reader = await newKey(server.database, organization.id, ['themes:read'])
  const lines = await refusal(['push', demo, ...at(reader.key)])
  expect(lines.at(-1)).toBe('theme Coastline: Missing scope: themes:write')
})

// that a bundle may have 2,000 is tested of the API
test('a bundle of 300 files is pushed, and one file of it later alone', async () => {
  const folder = temporaryDirectory()
  write(folder, 'theme.json', { name: 'Large', sports: ['football'] })
  write(folder, 'graphics/many/graphic.json', { name: 'Many', stateMachine })
  write(folder, 'graphics/many/index.html', '<!doctype html>')
  write(folder, 'graphics/many/files/empty.txt', '')
  for (let file = 2; file < 300; file++) write(folder, `graphics/many/files/${file}.txt`, `${file}`)
  const first = await json(['push', folder, ...at(), '--publish'])
  expect(first.document.uploaded.files).toBe(300)
  expect(first.lines.some((line) => line.startsWith('200 of 300 files'))).toBe(true)
  write(folder, 'graphics/many/files/7.txt', 'seven')
  const second = await json(['push', folder, ...at(), '--publish'])
  expect(second.document.uploaded).toEqual({ files: 1, bytes: 5 })
})

test('themes schema prints the JSON Schemas of both manifests', async () => {
  const { document } = await json(['schema'])
  expect(document).toMatchObject({ theme: { title: 'Tally theme' }, graphic: { title: 'Tally code graphic' } })
})
