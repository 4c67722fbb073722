import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { freePort, mustBeFree } from './http/free-port.ts'
import { mayJoin } from './nodes/may-join.ts'
import type { Opened } from './serve.ts'
import { openDatabase, openSharedStore } from './store/open.ts'

/** A server that was killed a moment ago leaves nodes that let go of the port when they see that. */
const PORT_WITHIN_MS = 5_000
/** Of the 10 s that a stop may take, the rest is for PostgreSQL. */
const NODES_WITHIN_MS = 7_500
/** A node that served so long and ended is started again at once. */
const STEADY_MS = 30_000
const LONGEST_WAIT_MS = 10_000

/** What a node says to the process that started it, once it serves. */
export type Serving = { readonly banner: string }

type NodeProcess = { child: ChildProcess; ended: Promise<string> }

/** Runs `config.nodes` nodes on one port, each a process of its own, until it is closed. Throws one clear line for people. */
export async function runSeveral(config: Config, log: Logger, { closes }: Opened, count: number): Promise<void> {
  const { host } = config
  const port = config.port === 0 ? await freePort(host) : config.port
  await whenFree(host, port)
  const database = await openDatabase(config, log, { nodes: count })
  closes.push(async () => {
    if (!(await database.leave())) log.info('PostgreSQL stays up: others are connected, or it is too busy to tell')
  })
  // once, for all of them
  const store = await openSharedStore({ ...config, databaseUrl: database.url }, log, {
    mayJoin,
    onTaken: log.fatal.bind(log),
  })
  await store.close()

  const running = new Map<number, NodeProcess>()
  let closing = false
  closes.push(async () => {
    closing = true
    await stopAll([...running.values()], log)
  })
  const start = async (place: number): Promise<Serving | undefined> => {
    const environment = {
      ...environmentOf(config, place, await freePort('127.0.0.1')),
      PORT: String(port),
      DATABASE_URL: database.url,
    }
    if (closing) return undefined
    const one = spawnNode(place, environment)
    running.set(place, one)
    const serving = await Promise.race([heard(one.child), one.ended.then(() => undefined)])
    if (serving) log.info({ place, process: one.child.pid }, 'a node serves')
    return serving
  }
  /** One that cannot be started counts as one that ended. */
  const startOrTell = (place: number) =>
    start(place).catch((error: unknown) => log.error({ place, err: error }, 'a node could not be started'))
  const keep = async (place: number) => {
    for (let failures = 0; ; ) {
      const since = performance.now()
      const how = await running.get(place)?.ended
      if (closing) return
      if (performance.now() - since > STEADY_MS) failures = 0
      const waitMs = failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, 500 * 2 ** failures)
      failures++
      log.error({ place, how, waitMs }, 'a node ended, and is started again')
      await pause(waitMs, undefined, { ref: false })
      await startOrTell(place)
    }
  }

  // the first alone: it makes the demo, and what the others would refuse as well is said once
  const first = await start(1)
  if (closing) return
  // it has said why
  if (!first) throw new Error('')
  process.stderr.write(first.banner)
  void keep(1)
  for (let place = 2; place <= count; place++) void startOrTell(place).then(() => keep(place))
}

async function whenFree(host: string, port: number): Promise<void> {
  for (const until = performance.now() + PORT_WITHIN_MS; ; await pause(100)) {
    try {
      return await mustBeFree(host, port)
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}

/** What is different for each node; `free` is a port for what the nodes say to each other. */
function environmentOf(config: Config, place: number, free: number): Record<string, string> {
  const { node, metrics, media } = config
  const nth = place - 1
  const own = node.isGiven
    ? {
        NODE_PORT: String(node.port + nth),
        ...(node.url && { NODE_URL: node.url.replace(/:(\d+)\/?$/, (_, from) => `:${Number(from) + nth}`) }),
      }
    : { NODE_PORT: String(free), NODE_URL: `127.0.0.1:${free}` }
  return {
    ...own,
    NODES: '',
    ...(metrics.port !== undefined && { METRICS_PORT: String(metrics.port + nth) }),
    // the first makes it and takes the ports that are known; an ingest of another node has those that are free
    ...(place > 1 && { DEMO: 'off' }),
    ...(place > 1 && media.engine === 'embedded' && { RTMP_PORT: '0', SRT_PORT: '0' }),
  }
}

function spawnNode(place: number, environment: Record<string, string>): NodeProcess {
  const [, program = ''] = process.argv
  const child = spawn(process.execPath, [...process.execArgv, program, 'node', String(place)], {
    // biome-ignore lint/style/noProcessEnv: a node has the environment of the whole, but for what is its own
    env: { ...process.env, ...environment },
    // each line of a log is one write: they stay whole in one stream
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C of a terminal comes to this process alone, and from here once
    detached: true,
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  return { child, ended }
}

const heard = (child: ChildProcess): Promise<Serving> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as Serving)))

/** All together: none has anything to give to another. */
async function stopAll(nodes: readonly NodeProcess[], log: Logger): Promise<void> {
  for (const { child } of nodes) child.kill('SIGTERM')
  const all = Promise.all(nodes.map(({ ended }) => ended))
  const late = pause(NODES_WITHIN_MS, 'late' as const, { ref: false })
  if ((await Promise.race([all, late])) !== 'late') return
  log.error('a node takes too long to stop, and is killed')
  for (const { child } of nodes) child.kill('SIGKILL')
  await all
}
