import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../bench/server.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { motionCard } from '../support/motion-card.ts'
import { built, start } from '../support/process.ts'
import { commandsOf, functionOf } from '../support/readme.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)
test('the motion file of the README is the card that is played in a browser elsewhere', () => {
  expect(readFileSync(join(root, 'src/demo/card.riv'))).toEqual(Buffer.from(motionCard()))
})

test('the README: its season import, control room, graphic, themes and match day work as typed on a new demo', {
  timeout: 480_000,
}, async () => {
  const port = await freePort()
  const server = start([built('src/main.js')], {
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: temporaryDirectory(),
    LOG_LEVEL: 'warn',
  })
  await expect.poll(server.stderr, { timeout: 120_000 }).toMatch(/service_\S+/)
  const key = /service_\S+/.exec(server.stderr())?.[0] ?? ''
  const fire = functionOf('Five minutes', 'fire')
  const sections = [
    'A season import with curl',
    'A control room with curl',
    'A theme with curl',
    'A graphic with curl',
    'A motion graphic with curl',
    'A table with curl',
    'Preview a graphic',
    'A match day with curl',
  ]
  const script = [fire, ...sections.map(commandsOf)].join('\n')
  const here = (commands: string) => commands.replaceAll('localhost:8080', `127.0.0.1:${port}`)
  const typed = (commands: string) =>
    run('bash', ['-e', '-o', 'pipefail', '-c', here(commands)], {
      cwd: root,
      env: { KEY: key, PATH: '/usr/local/bin:/usr/bin:/bin' },
    })
  const { stdout } = await typed(script)
  const lines = stdout.trim().split('\n')
  const answers = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
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

  const tally = functionOf('A season import with curl', 'tally')
  const told = await typed([tally, commandsOf('What was on air, seconds for sponsors, and a replay')].join('\n'))
  expect(told.stdout).toContain('"complete":true')
  expect(told.stdout).toContain('brand,adType,plays,')
  expect(told.stdout).toMatch(/\/replay\/[\w-]{43}"/)

  const folder = join(temporaryDirectory(), 'my-theme')
  const designed = await typed(commandsOf('Design a theme').replaceAll('my-theme', folder))
  const documents = designed.stdout.trim().split(/\n(?=\{\n)/)
  const [pulled, planned, pushed, again] = documents.map((text) => JSON.parse(text) as { changes: unknown[] })
  expect(pulled).toMatchObject({ themeId: 1, version: 'working', deleted: [] })
  expect(planned).toMatchObject({ dryRun: true, uploaded: { files: 1 }, activeVersion: 4 })
  expect(pushed).toMatchObject({ changes: planned?.changes, kept: [], version: 5, activeVersion: 5 })
  expect(again?.changes).toEqual([])
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
