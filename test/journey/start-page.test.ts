import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startApp } from '../support/app.ts'
import { seedDemo } from '../support/demo.ts'
import { temporaryDirectory } from '../support/directory.ts'

const run = promisify(execFile)

const unescaped = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

test('[issue 6.6] the commands of the getting-started page carry the address of the server and work as typed', async () => {
  const app = await startApp()
  onTestFinished(() => app.close())
  const demo = await seedDemo(app)
  const page = await (await fetch(`${app.origin}/docs/start`)).text()
  const blocks = [...page.matchAll(/<div class="commands"><pre[^>]*><code>([\s\S]*?)<\/code>/g)]
  const script = blocks.map(([, code]) => unescaped(code ?? '')).join('\n')
  const origin = app.origin.replace('127.0.0.1', 'localhost')
  expect(script).toContain(`"${origin}/rest`)
  expect(script).toContain('export KEY=service_…')
  const folder = temporaryDirectory()
  // what the placeholder stands for, and the address that this machine can name
  const typed = script.replace('service_…', demo.apiKey).replaceAll(origin, app.origin)
  const { stdout } = await run('bash', ['-e', '-o', 'pipefail', '-c', typed], {
    cwd: folder,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  const [address, shown, hidden, cleared] = stdout.trim().split('\n')
  expect(address).toBe(demo.overlay.url.replace('127.0.0.1', 'localhost'))
  const first = demo.presets[0]
  expect(JSON.parse(shown ?? '').manualGraphicState).toMatchObject({
    [first?.graphicName ?? '']: { _service_presetId: first?.id },
  })
  for (const answer of [hidden, cleared]) expect(JSON.parse(answer ?? '').manualGraphicState).toEqual({})
  expect(readFileSync(join(folder, 'as-run.csv'), 'utf8').split('\n')[1]).toContain('show')
})
