import { execFile, spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { type Production, startProduction } from '../resources/support.ts'
import { commandsOf, functions } from '../support/guides.ts'
import { root } from '../support/root.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
})
afterAll(() => production?.close())

const run = promisify(execFile)
const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
const here = (commands: string) =>
  commands
    .replaceAll('localhost:8080', new URL(production.server.origin).host)
    .replaceAll('/overlays/1/', `/overlays/${production.overlay.id}/`)
    // nobody is to be called from here
    .replaceAll('https://example.com', 'http://127.0.0.1:1')
const typed = async (...commands: string[]) => {
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', here(commands.join('\n'))], {
    cwd: root,
    env: { KEY: production.apiKey, PATH },
  })
  return stdout.trim().split('\n')
}

test('[issue 20.3] the commands of the guide make, try, rotate and delete a webhook', async () => {
  const answers = (await typed(functions(), commandsOf('docs/webhooks.md', 'A webhook with curl')))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  expect(answers).toMatchObject([
    { type: 'webhook.test', state: 'pending' },
    { deliveries: [{ type: 'webhook.test' }] },
    { events: ['*'] },
    { secret: expect.stringMatching(/^whsec_/) },
  ])
})

test('[issue 20.3] the receiver of the guide verifies a goal and prints the score', async () => {
  const port = await freePort()
  const made = await production.call('POST', '/v2/webhooks', {
    ...{ url: `http://127.0.0.1:${port}/`, events: ['match.score_changed'] },
  })
  const script = commandsOf('docs/webhooks.md', 'A receiver').replace(/^node /m, 'exec node ')
  const receiver = spawn('bash', ['-e', '-c', script], {
    cwd: root,
    env: { SECRET: String(made.body.secret), PORT: String(port), PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void receiver.kill())
  let told = ''
  receiver.stdout.on('data', (text) => {
    told += text
  })
  await vi.waitFor(async () => {
    // one that is not ours
    expect((await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).status).toBe(400)
  })
  const facts = `/v2/matches/${production.matchId}/facts`
  await production.call('POST', facts, { type: 'matchStart' })
  await production.call('POST', facts, { type: 'goal', teamId: production.teamIds[0] })
  await vi.waitFor(() => expect(told).toBe('1:0\n'))
})

test('[issue 20.4] the second poll of the guide is answered 304', async () => {
  expect(await typed(commandsOf('docs/webhooks.md', 'Lamps without a socket'))).toEqual(['304'])
})
