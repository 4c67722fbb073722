import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { until } from '../clock.ts'
import { freePort } from '../free-port.ts'

export const redisIsInstalled = (): boolean => spawnSync('redis-server', ['--version']).status === 0

/** A Redis of its own, on a free port, that keeps nothing on disk. */
export type BenchRedis = {
  url: string
  pid(): number
  /** Messages published so far, those of the nodes' own beats too. */
  published(): Promise<number>
  kill(): Promise<void>
  /** Resolves when it answers. */
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(): Promise<BenchRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  let server: ChildProcess
  let client: Redis
  // nothing outlives the bench, however it ends
  const leave = () => void server?.kill('SIGKILL')
  process.once('exit', leave)
  const start = async () => {
    server = spawn('redis-server', options, { stdio: 'ignore' })
    client = new Redis(url, { retryStrategy: () => 10, maxRetriesPerRequest: null })
    client.on('error', () => {})
    await until('Redis to answer', 10_000, 2, async () => (await client.ping()) === 'PONG')
  }
  const kill = async () => {
    client.disconnect()
    const exited = once(server, 'exit')
    server.kill('SIGKILL')
    await exited
  }
  await start()
  return {
    url,
    pid: () => server.pid ?? 0,
    async published() {
      const calls = /cmdstat_publish:calls=(\d+)/.exec(await client.info('commandstats'))?.[1]
      return Number(calls ?? 0)
    },
    kill,
    start,
    async stop() {
      process.off('exit', leave)
      await kill()
    },
  }
}
