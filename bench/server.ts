import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { now, until } from './clock.ts'
import { family, proportionalMb, residentMb } from './cost.ts'
import { freePort } from './free-port.ts'

// the tests run this file from its source, the bench from dist
const dist = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/' : '..', import.meta.url))
const run = promisify(execFile)

/** The built server as a child process on a data directory of its own. */
export type Server = {
  url: string
  dataDir: string
  port: number
  pid: number
  /** Spawn to a ready answer of /readyz. */
  startMs: number
  postgresPids(): number[]
  /** Memory of the server process alone, and of PostgreSQL apart, in MB. */
  memory(): { serverMb: number; postgresMb: number }
  admin(...command: string[]): Promise<unknown>
  stop(): Promise<void>
  /** SIGKILL, and PostgreSQL stays behind. */
  kill(): Promise<void>
  running(): boolean
  /** The exit code or signal that ended it. */
  ended(): number | string | undefined
  /** Lines of its log, warnings and worse. */
  warnings(): string[]
}

/** An empty directory that the embedded PostgreSQL can use under any user. */
export const temporaryDataDir = (within = tmpdir()): string => join(mkdtempSync(join(within, 'tally-bench-')), 'data')

export const removeDataDir = (dataDir: string): void => rmSync(join(dataDir, '..'), { recursive: true, force: true })

export type StartOptions = {
  port?: number
  /** V8 writes a CPU profile there at exit. */
  profileDir?: string | undefined
  /** The folder of another build. */
  build?: string | undefined
  settings?: Readonly<Record<string, string>>
}

/** Starts the built server and waits until it is ready. */
export async function startServer(dataDir: string, options: StartOptions = {}): Promise<Server> {
  const { port = await freePort(), profileDir, build = dist } = options
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    DEMO: 'off',
    DRAIN_MS: '0',
    // free ones
    RTMP_PORT: '0',
    SRT_PORT: '0',
    NODE_ENV: 'production',
    ...options.settings,
  }
  // biome-ignore lint/style/noProcessEnv: a child gets the environment of its parent and the settings of the bench
  const { DATABASE_URL: _database, REDIS_URL: _redis, PUBLIC_URL: _public, ...inherited } = process.env
  const env = { ...inherited, ...settings }
  const profile = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
  const startedAt = now()
  const child = spawn(process.execPath, [...profile, join(build, 'run/server.js')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text))
  // nothing outlives the bench, however it ends
  const leave = () => void child.kill('SIGKILL')
  process.once('exit', leave)
  child.once('exit', () => process.off('exit', leave))
  const url = `http://127.0.0.1:${port}`
  await until('the server to be ready', 120_000, 5, async () => {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}: ${said.join('')}`)
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    return response?.status === 200
  }).catch((error: unknown) => {
    // nobody else has it to stop
    leave()
    throw error
  })
  const startMs = Math.round(now() - startedAt)
  const pid = child.pid ?? 0
  const postgresPids = () => (process.platform === 'linux' ? family(postmasterPid(dataDir)) : [])
  return {
    url,
    dataDir,
    port,
    pid,
    startMs,
    postgresPids,
    memory: () => ({ serverMb: residentMb(pid), postgresMb: proportionalMb(postgresPids()) }),
    admin: async (...command) => {
      const { stdout } = await run(process.execPath, [join(build, 'run/admin.js'), ...command, '--json'], { env })
      return JSON.parse(stdout)
    },
    stop: () => stop(child),
    kill: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    warnings: () =>
      said
        .join('')
        .split('\n')
        .filter((line) => /^\{"level":[4-6]0/.test(line)),
    running: () => child.exitCode === null && child.signalCode === null,
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 12_000)
  await exited
  clearTimeout(timer)
}

/** Of the embedded PostgreSQL. */
export function databaseUrl(dataDir: string): string {
  const said = (file: string) => readFileSync(join(dataDir, 'postgres', file), 'utf8').trim()
  return `postgres://tally:${said('tally.password')}@127.0.0.1:${said('tally.port')}/tally`
}

/** The embedded PostgreSQL writes its process id into its data directory. */
export const postmasterPid = (dataDir: string): number =>
  Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
