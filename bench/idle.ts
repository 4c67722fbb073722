import { Client } from 'pg'
import { isAlive } from '../src/store/embedded/postmaster.ts'
import { sleep } from './clock.ts'
import { cpuMs, descendants, privateMb, proportionalMb, wakeUps } from './cost.ts'
import { databaseUrl, removeDataDir, startServer, temporaryDataDir } from './server.ts'
import { round } from './stats.ts'

const SETTLE_MS = 75_000
const WATCH_MS = 60_000

type Part = { name: string; pids: readonly number[] }

/** Starts a server that nobody uses, with the demo and without, and prints its memory, its wake-ups and its connections. */
export async function runIdle(print: (text: string) => void): Promise<number> {
  if (process.platform !== 'linux') throw new Error('only Linux tells of memory and wake-ups')
  for (const demo of ['off', 'on']) {
    const dataDir = temporaryDataDir()
    try {
      const server = await startServer(dataDir, { settings: { DEMO: demo } })
      try {
        await sleep(SETTLE_MS)
        const parts: Part[] = [
          { name: 'server', pids: [server.pid] },
          { name: 'ingest', pids: descendants(server.pid, 'ingest') },
          { name: 'PostgreSQL', pids: server.postgresPids() },
        ]
        print(`demo ${demo}, after ${SETTLE_MS / 1000} s, over ${WATCH_MS / 1000} s`)
        for (const line of await watch(parts)) print(line)
        print(await connections(databaseUrl(dataDir)))
      } finally {
        await server.stop()
      }
    } finally {
      removeDataDir(dataDir)
    }
  }
  return 0
}

/**
 * A line for each part: shared pages are divided among all processes of the machine, private ones are its own. A process that
 * ends meanwhile, as that of a connection that PostgreSQL had no use for, counts nothing.
 */
async function watch(watched: readonly Part[]): Promise<string[]> {
  const spent = (pid: number) => ({ wakes: wakeUps(pid), cpu: cpuMs(pid) })
  const before = new Map(watched.flatMap(({ pids }) => pids.map((pid) => [pid, spent(pid)])))
  await sleep(WATCH_MS)
  const parts = watched.map(({ name, pids }) => ({ name, pids: pids.filter(isAlive) }))
  return parts.map(({ name, pids }) => {
    const each = (kind: 'wakes' | 'cpu') =>
      sum(pids.map((pid) => spent(pid)[kind] - (before.get(pid)?.[kind] ?? 0))) / (WATCH_MS / 1000)
    const memory = `${proportionalMb(pids)} MB (private ${privateMb(pids)})`
    return `  ${name}: ${memory}, ${round(each('wakes'), 1)} wake-ups/s, ${round(each('cpu'), 2)} ms of CPU/s`
  })
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

async function connections(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; count: number }>(
      `select regexp_replace(application_name, ':\\d+', '') as name, count(*)::int as count from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1 order by 1`,
    )
    const each = rows.map(({ name, count }) => `${name} ${count}`).join(', ')
    return `  connections: ${sum(rows.map(({ count }) => count))} (${each})`
  } finally {
    await client.end()
  }
}
