import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { built, type Running, start } from '../support/process.ts'
import { proxyTo } from '../support/proxy.ts'

const PATIENCE = { timeout: 120_000 }
/** What SIGTERM promises. */
const STOPPED_WITHIN_MS = 10_000

/** A server with the demo, and a way to fire at its overlay. */
async function serving(environment: Record<string, string>) {
  const server = start([built('run/server.js')], {
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'info',
    DEMO: 'on',
    MEDIA_ENGINE: 'off',
    ...environment,
  })
  const port = await server.line((line) => {
    const { msg, port: told } = JSON.parse(line)
    return msg === 'serving' ? Number(told) : undefined
  })
  await expect.poll(server.stderr, PATIENCE).toContain('curl')
  const told = (pattern: RegExp) => pattern.exec(server.stderr())?.[1] ?? ''
  const url = `http://127.0.0.1:${port}${new URL(told(/curl -X POST (\S+)/)).pathname}`
  const { presetId } = JSON.parse(told(/-d '(.*)'/))
  const headers = { Authorization: `Bearer ${told(/(service_\S+)/)}`, 'Content-Type': 'application/json' }
  const show = () =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify({ action: 'show', presetId }) }).then(
      ({ status }) => status,
    )
  return { server, show }
}

/** Fires at a database that hangs, then stops: whoever was accepted hears 503, and it is no failure. */
async function stopsInTime(server: Running, show: () => Promise<number>) {
  const asked = Promise.all([show(), show(), show()])
  const first = await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))])
  expect(first).toBe('waits')
  const since = performance.now()
  server.kill('SIGTERM')
  expect(await asked).toEqual([503, 503, 503])
  expect(await server.ended).toBe(0)
  expect(performance.now() - since, 'ms until it had stopped').toBeLessThan(STOPPED_WITHIN_MS)
}

test(
  '[P8] a database that hangs does not keep a node from stopping in time, with an answer for everybody',
  PATIENCE,
  async () => {
    const database = await testDatabaseOfOneTest()
    const way = await proxyTo(database.url)
    const { server, show } = await serving({ DATABASE_URL: way.url, DATA_DIR: temporaryDirectory() })
    expect(await show()).toBe(200)
    way.freeze()
    await stopsInTime(server, show)
  },
)

test('[P8] neither does an embedded PostgreSQL that is frozen with all its backends', PATIENCE, async () => {
  const dataDir = temporaryDirectory()
  const { server, show } = await serving({ DATA_DIR: dataDir })
  expect(await show()).toBe(200)
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' })
  const pids = [postmaster, ...children.trim().split(/\s+/).map(Number)]
  onTestFinished(() => {
    for (const pid of pids)
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // it ended by itself
      }
  })
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await stopsInTime(server, show)
})
