import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { watchUsage } from '../../../src/media/program/usage.ts'

const MEGABYTE = 1024 * 1024

/** A process with a child that holds 64 MB and is never idle. */
async function busyTree() {
  const busy = 'const held = Buffer.alloc(64 * 1024 * 1024, 1); console.log(held.length); for (;;);'
  const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}], { stdio: 'inherit' })`
  const started = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  onTestFinished(() => void (started.pid && process.kill(-started.pid, 'SIGKILL')))
  await once(started.stdout, 'data')
  return started.pid ?? 0
}

describe.skipIf(process.platform !== 'linux')('what a program uses', () => {
  test('[issue 5.9] is what its process and all that it started use together', async () => {
    const look = watchUsage(await busyTree())
    const first = await look()
    expect(first.cpuPercent).toBeNull()
    expect(first.rssBytes).toBeGreaterThan(64 * MEGABYTE)
    await expect.poll(async () => (await look()).cpuPercent, { interval: 300, timeout: 30_000 }).toBeGreaterThan(5)
  })

  test('a process that is gone uses nothing that could be known', async () => {
    expect(await watchUsage(2 ** 30)()).toEqual({ cpuPercent: null, rssBytes: null })
  })
})
