import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { feedServer } from '../providers/feed-server.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { commandsOf } from '../support/guides.ts'
import { built, start } from '../support/process.ts'
import { root } from '../support/root.ts'

const run = promisify(execFile)

/** The feed that a guide shows. */
const feedOf = (guide: string) => {
  const [, text = ''] = /```json\n([\s\S]*?)```/.exec(readFileSync(join(root, guide), 'utf8')) ?? []
  return JSON.parse(text)
}

test('the guides to production and providers: people, secrets, a feed, backups and their restoration work as typed', {
  timeout: 480_000,
}, async () => {
  const [home, backups] = [temporaryDirectory(), temporaryDirectory()]
  const places = { dataDir: join(home, '.data'), other: join(home, 'other'), passphrase: join(home, 'passphrase') }
  const settings = {
    HOST: '127.0.0.1',
    DATA_DIR: places.dataDir,
    LOG_LEVEL: 'warn',
    SECRETS_KEY: '',
    MEDIA_ENGINE: 'off',
    OUTBOUND_PRIVATE: 'on',
  }
  const server = start([built('run/server.js')], { ...settings, PORT: String(await freePort()) })
  await expect.poll(server.stderr, { timeout: 120_000 }).toMatch(/service_\S+/)
  writeFileSync(places.passphrase, 'correct horse battery staple\n')
  writeFileSync(join(home, 'token.txt'), 'token\n')
  const feed = await feedServer()
  feed.serve(feedOf('docs/providers.md'))
  feed.serve({ version: 1 }, '/feed?page=2')

  const today = new Date().toISOString().slice(0, 10)
  const here = (commands: string) =>
    commands
      .replaceAll('/backups/', `${backups}/`)
      .replaceAll('2027-03-01', today)
      .replaceAll('~/passphrase', places.passphrase)
      .replaceAll('.data.secrets-key', `${places.dataDir}.secrets-key`)
      .replaceAll('/new/place', places.other)
      .replaceAll('https://league.example/feed', feed.url)
      .replaceAll('token.txt', join(home, 'token.txt'))
  const typed = async (commands: string, dataDir = places.dataDir) => {
    const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', here(commands)], {
      cwd: root,
      env: { ...settings, DATA_DIR: dataDir, PATH: '/usr/local/bin:/usr/bin:/bin' },
    })
    return stdout
  }
  const [people, sealed, nodes] = await Promise.all([
    typed(commandsOf('docs/production.md', 'People')),
    typed(commandsOf('docs/production.md', 'The key that seals secrets')),
    typed(commandsOf('docs/several-machines.md', 'See and empty nodes')),
  ])
  expect(people).toContain('owner@tally.example')
  expect(sealed).not.toBe('')
  expect(nodes).toContain('No node has joined')

  const league = await typed(commandsOf('docs/providers.md', 'Connect it'))
  expect(league).toContain(feed.url)
  expect(feed.requests.map(({ headers }) => headers.authorization)).toContain('Bearer token')

  const [backup = '', encrypted = '', decrypted = ''] = commandsOf('docs/production.md', 'Backup and restore')
    .split('\n')
    .filter(Boolean)
  await Promise.all([typed(backup), typed(encrypted)])
  server.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  await typed(decrypted, join(home, 'decrypted'))
  expect(existsSync(join(home, 'decrypted'))).toBe(true)
  await typed(commandsOf('docs/production.md', 'On another machine'))
  const restored = await typed('npm run -s admin -- users list --org 1', places.other)
  expect(restored).toContain('ada@example.com')
})
