import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'

/** Tests of cluster mode need a redis-server on the path; where there is none they are skipped. */
export const redisIsInstalled = spawnSync('redis-server', ['--version']).status === 0

export type TestRedis = {
  readonly url: string
  /** One of its numbered databases for each name: tests at the same time lose nothing of one another. */
  of(name: string): { readonly url: string; wipe(): Promise<void> }
  /** Forgets everything. */
  wipe(): Promise<void>
  /** Dies as by a power cut. */
  die(): Promise<void>
  /** Dies as by a power cut and comes back empty. */
  restart(): Promise<void>
  /** Answers nothing from now on, and keeps its connections. */
  freeze(): void
  thaw(): void
  /** A command, and its answer. */
  say(command: string, ...words: string[]): Promise<unknown>
  stop(): Promise<void>
}

/** A Redis of its own, on a free port, that keeps nothing on disk. */
export async function startRedis(): Promise<TestRedis> {
  const directory = mkdtempSync(join(tmpdir(), 'tally-redis-'))
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const start = () =>
    spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--databases', '100'],
      { cwd: directory, stdio: 'ignore' },
    )
  let server = start()
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  await vi.waitFor(() => client.ping(), { timeout: 30_000 })
  const names: string[] = []
  return {
    url,
    of(name) {
      if (!names.includes(name)) names.push(name)
      const number = names.indexOf(name) + 1
      // both at once: nothing of another test may come between
      const wipe = async () => void (await client.multi().select(number).flushdb().select(0).exec())
      return { url: `${url}/${number}`, wipe }
    },
    wipe: async () => void (await client.flushall()),
    die: () => gone(server),
    async restart() {
      await gone(server)
      server = start()
      await client.ping()
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    say: (command, ...words) => client.call(command, ...words),
    async stop() {
      client.disconnect()
      await gone(server)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

const gone = (server: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve()
    server.once('exit', () => resolve())
    server.kill('SIGKILL')
  })
