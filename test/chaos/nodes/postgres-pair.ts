import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { onTestFinished } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { freePort } from '../../../bench/free-port.ts'
import { type RunAs, runAs } from '../../../src/store/embedded/binaries.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { runBalancer } from './balancer.ts'
import type { RigDatabase } from './rig.ts'

const versions = '/usr/lib/postgresql'
/** Of Debian: the embedded one has no pg_basebackup. */
const bin = existsSync(versions)
  ? readdirSync(versions)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(versions, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'pg_basebackup')))
  : undefined

export const postgresIsInstalled = bin !== undefined

const WITHIN_MS = 60_000
/** The smallest that is safe: a process that is killed loses nothing that it gave to the system. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'replica',
  max_wal_senders: '10',
  max_connections: '300',
  fsync: 'off',
  full_page_writes: 'off',
  wal_receiver_status_interval: '1s',
}

/** One PostgreSQL of two. */
class Side {
  readonly dir: string
  readonly port: number
  readonly #as: RunAs
  #process: ChildProcess | undefined

  constructor(parent: string, name: string, port: number, as: RunAs) {
    this.dir = join(parent, name)
    this.port = port
    this.#as = as
  }

  async run(program: string, ...words: string[]): Promise<void> {
    const child = this.#as.spawn(join(bin ?? '', program), words, { cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`)
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const words = Object.entries({ ...settings, port: String(this.port) }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ])
    this.#process = this.#as.spawn(join(bin ?? '', 'postgres'), ['-D', this.dir, ...words], {
      cwd: '/',
      stdio: 'ignore',
    })
    await until('PostgreSQL to answer', WITHIN_MS, 20, () =>
      this.use((sql) => sql`select 1`).then(
        () => true,
        () => false,
      ),
    )
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const exited = once(running, 'exit')
    running.kill(signal)
    await exited
  }

  /** Past the balancer. */
  async use<T>(run: (sql: Sql) => Promise<T>, database = 'postgres'): Promise<T> {
    const sql = postgres(`postgres://tally@127.0.0.1:${this.port}/${database}`, {
      max: 1,
      connect_timeout: 2,
      onnotice: () => {},
    })
    try {
      return await run(sql)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
}

/**
 * A primary and its synchronous standby, and the tool that fails over, as one would be set up in production: HAProxy asks the tool
 * who is the primary, leads every connection there, and ends the others.
 */
export class PostgresPair implements RigDatabase {
  readonly url: string
  #primary: Side
  #standby: Side

  private constructor(url: string, primary: Side, standby: Side) {
    this.url = url
    this.#primary = primary
    this.#standby = standby
  }

  static async start(): Promise<PostgresPair> {
    const folder = temporaryDirectory()
    const as = runAs([folder])
    const sides = [
      new Side(folder, 'first', await freePort(), as),
      new Side(folder, 'second', await freePort(), as),
    ] as const
    const [primary, standby] = sides
    onTestFinished(async () => {
      for (const side of sides) await side.end('SIGKILL')
    })
    await primary.run('initdb', '-D', primary.dir, '-U', 'tally', '--auth=trust', '-E', 'UTF8', '--locale=C')
    await primary.start()
    await primary.use((sql) => sql`create database tally`)
    let leader = primary
    const toolPorts: number[] = []
    for (const side of sides) toolPorts.push(await answering(() => side === leader))
    const port = await runBalancer((bound) => configuration(bound, sides, toolPorts))
    const pair = new PostgresPair(`postgres://tally@127.0.0.1:${port}/tally`, primary, standby)
    pair.#lead = (side) => {
      leader = side
    }
    await until('the balancer of PostgreSQL', WITHIN_MS, 50, async () => {
      const sql = postgres(pair.url, { max: 1, connect_timeout: 2 })
      const answered = await sql`select 1`.then(
        () => true,
        () => false,
      )
      await sql.end({ timeout: 1 })
      return answered
    })
    await pair.follow()
    return pair
  }

  #lead: (side: Side) => void = () => {}

  /** The primary goes, with everything that it had not sent, or in order. */
  end(signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
    return this.#primary.end(signal)
  }

  loseStandby(): Promise<void> {
    return this.#standby.end('SIGKILL')
  }

  kill(): void {
    void this.end('SIGKILL')
  }

  start(): Promise<void> {
    return this.promote()
  }

  /** Makes the standby the primary; resolves when it takes writes. */
  async promote(): Promise<void> {
    const [next, gone] = [this.#standby, this.#primary]
    await next.run('pg_ctl', 'promote', '-D', next.dir, '-w')
    // there is nobody to wait for, until it has a standby again
    await next.use((sql) => sql`alter system set synchronous_standby_names = ''`)
    await next.use((sql) => sql`select pg_reload_conf()`)
    this.#primary = next
    this.#standby = gone
    this.#lead(next)
  }

  /** The old primary comes back by itself, and takes itself for what it was; answers who of the nodes came, and what they wrote. */
  async oldComesBack(whileMs: number): Promise<{ connections: number; written: number }> {
    const old = this.#standby
    await old.start()
    const rows = () =>
      old.use(async (sql) => {
        const [row] = await sql<{ rows: number }[]>`select count(*)::int as rows from journal`
        return row?.rows ?? 0
      }, 'tally')
    const before = await rows()
    let connections = 0
    const endAt = performance.now() + whileMs
    while (performance.now() < endAt) {
      const [row] = await old.use(
        (sql) => sql<{ open: number }[]>`
          select count(*)::int as open from pg_stat_activity where datname = 'tally' and application_name like 'tally:%'`,
      )
      connections = Math.max(connections, row?.open ?? 0)
    }
    const written = (await rows()) - before
    await old.end('SIGKILL')
    return { connections, written }
  }

  /** Copies the primary anew to the other side, which follows it from then on; commits wait for it. */
  async follow(): Promise<void> {
    const [primary, standby] = [this.#primary, this.#standby]
    rmSync(standby.dir, { recursive: true, force: true })
    const from = `host=127.0.0.1 port=${primary.port} user=tally`
    await standby.run('pg_basebackup', '-D', standby.dir, '-d', from, '-R', '-X', 'stream', '-c', 'fast')
    await standby.start()
    await primary.use((sql) => sql`alter system set synchronous_standby_names = '*'`)
    await primary.use((sql) => sql`select pg_reload_conf()`)
    await until('a synchronous standby', WITHIN_MS, 50, async () => {
      const [row] = await primary.use(
        (sql) => sql<{ state: string }[]>`select sync_state as state from pg_stat_replication`,
      )
      return row?.state === 'sync'
    })
  }
}

/** What the tool that fails over says of one side: 200 when it is the primary; answers the port. */
async function answering(isPrimary: () => boolean): Promise<number> {
  const server = createServer((_, response) => void response.writeHead(isPrimary() ? 200 : 503).end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** As docs/several-machines.md says it, with checks that are as quick as the nodes are. */
const configuration = (port: number, sides: readonly Side[], toolPorts: readonly number[]) => `
global
  fd-hard-limit 5000
  no insecure-fork-wanted
defaults
  mode tcp
  timeout connect 500ms
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk
  http-check expect status 200
  default-server inter 300ms fall 1 rise 1 on-marked-down shutdown-sessions
${sides.map((side, index) => `  server postgres${index + 1} 127.0.0.1:${side.port} check port ${toolPorts[index]}`).join('\n')}
`
