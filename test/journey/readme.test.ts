import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { commandsOf, functions } from '../support/guides.ts'
import { motionCard } from '../support/motion-card.ts'
import { ALONE, built, start } from '../support/process.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
test('the motion file of the guides is the card that is played in a browser elsewhere', () => {
  expect(readFileSync(join(root, 'src/demo/card.riv'))).toEqual(Buffer.from(motionCard()))
})

test('the README and the guides: first graphics, a season, rooms, themes, graphics and a match day work as typed on a new demo', {
  timeout: 480_000,
}, async () => {
  const port = await freePort()
  const dataDir = temporaryDirectory()
  const server = start([built('run/server.js')], {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
  })
  await expect.poll(server.stderr, { timeout: 120_000 }).toMatch(/service_\S+/)
  const key = /service_\S+/.exec(server.stderr())?.[0] ?? ''
  const here = (commands: string) =>
    commands.replaceAll('localhost:8080', `127.0.0.1:${port}`).replaceAll('service_…', key)
  const typed = async (...commands: string[]) => {
    const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', here(commands.join('\n'))], {
      cwd: root,
      env: { KEY: key, PATH: '/usr/local/bin:/usr/bin:/bin' },
    })
    return stdout.trim()
  }
  const stdout = await typed(
    commandsOf('README.md', 'Five minutes'),
    commandsOf('docs/clients.md', 'Four functions'),
    commandsOf('docs/clients.md', 'A season import with curl'),
    commandsOf('docs/clients.md', 'A control room with curl'),
    commandsOf('docs/design.md', 'A theme with curl'),
    commandsOf('docs/design.md', 'A graphic with curl'),
    commandsOf('docs/motion-graphics.md', 'A motion graphic with curl'),
    commandsOf('docs/clients.md', 'A table with curl'),
    commandsOf('docs/design.md', 'Preview a graphic'),
    commandsOf('docs/match-day.md', 'A match day with curl'),
  )
  const answers = stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(answers.slice(0, 4).map(({ manualGraphicState }) => Object.keys(manualGraphicState ?? {}))).toEqual([
    ['Score bug'],
    ['Score bug', 'Lower third'],
    ['Score bug', 'Lower third'],
    ['Score bug'],
  ])
  expect(answers.some(({ matches }) => Array.isArray(matches) && matches.length === 1)).toBe(true)
  expect(answers).toContainEqual(
    expect.objectContaining({ name: 'Score only', graphicName: 'Score bug', orderIndex: 0 }),
  )
  expect(JSON.stringify(answers)).toContain('"variableValues":{"showClock":false}}}')
  expect(answers).toContainEqual(expect.objectContaining({ version: 2, activeVersion: 2, dryRun: true }))
  expect(answers).toContainEqual(expect.objectContaining({ activeVersion: 1, previousVersion: 2 }))
  expect(answers).toContainEqual(
    expect.objectContaining({ alias: 'standings', rows: [{ team: 'North', shirt: '07', points: 18 }] }),
  )
  expect(answers.some(({ url }) => /\/preview\/[\w-]{43}$/.test(String(url)))).toBe(true)
  expect(answers).toContainEqual(expect.objectContaining({ id: 'tennis-tie-break', sport: 'tennis' }))
  expect(answers.filter(({ unresolved }) => unresolved === 0)).toHaveLength(3)
  expect(answers).toContainEqual(expect.objectContaining({ publishedVersion: 1 }))
  expect(JSON.stringify(answers)).toContain('"variableValues":{"title":"Home goals:"}}}')
  expect(answers).toContainEqual(expect.objectContaining({ name: 'Headline', publishedVersions: [], lock: null }))
  expect(JSON.stringify(answers)).toContain('"variableValues":{"text":"Kick-off in ten minutes"}}}')
  expect(answers.at(-2)).toMatchObject({ state: 'finished', score: { home: 0, away: 1 } })
  expect(answers.at(-1)).toMatchObject({ manualGraphicState: {} })

  const told = await typed(functions(), commandsOf('docs/operate.md', 'What was on air'))
  expect(told).toContain('"complete":true')
  expect(told).toContain('brand,adType,plays,')
  expect(told).toMatch(/\/replay\/[\w-]{43}"/)

  const timed = await typed(functions(), commandsOf('docs/clients.md', 'For some seconds'))
  expect(timed.split('\n').map((line) => Object.keys(JSON.parse(line).manualGraphicState))).toEqual([
    ['Score bug'],
    ['Score bug'],
    [],
  ])

  const directed = await typed(functions(), commandsOf('docs/clients.md', 'Preview, take, and what is for later'))
  const states = directed
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ manualGraphicState, previewState }) =>
      [manualGraphicState, previewState].map((one) => Object.keys(one).length),
    )
  expect(states).toEqual([
    [0, 1],
    [0, 2],
    [0, 1],
    [1, 0],
    [0, 0],
    [1, 0],
    [1, 0],
    [0, 0],
  ])

  const read = await typed(commandsOf('README.md', 'For clients').replaceAll(/ +#.*$/gm, '; echo'))
  const [room, scenarios, sockets] = read.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(room).toMatchObject({ id: 1, sections: expect.any(Array) })
  expect(JSON.stringify(scenarios)).toContain('tennis-tie-break')
  expect(sockets).toMatchObject({ asyncapi: '3.0.0' })

  const folder = join(temporaryDirectory(), 'theme')
  const designed = await typed(commandsOf('docs/design.md', 'A theme is a folder').replaceAll('my-theme', folder))
  const [pulled, planned, pushed, again] = jsonOf(designed)
  expect(pulled).toMatchObject({ themeId: 1, version: 'working', deleted: [] })
  expect(planned).toMatchObject({ dryRun: true, uploaded: { files: 1 }, activeVersion: 4 })
  expect(pushed).toMatchObject({ changes: planned?.changes, kept: [], version: 5, activeVersion: 5 })
  expect(again?.changes).toEqual([])
  const shown = await typed(commandsOf('README.md', 'For designers').replaceAll('my-show', `${folder}-2`))
  expect(jsonOf(shown)).toMatchObject([{ themeId: 1 }, { dryRun: true, changes: [] }])
  const played = await typed(
    `export DATA_DIR=${dataDir} SECRETS_KEY=${ALONE.SECRETS_KEY}`,
    commandsOf('README.md', 'A match by itself').replace('--speed 60', '--speed 4000'),
  )
  expect(JSON.parse(played)).toMatchObject({ overlayId: 1, matchId: 1, facts: expect.any(Number) })
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

/** The documents that the administration printed one after the other. */
const jsonOf = (text: string) => text.split(/\n(?=\{\n)/).map((part) => JSON.parse(part) as { changes: unknown[] })
