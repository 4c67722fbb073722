import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { onTestFailed, onTestFinished } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { freePort } from '../../../bench/free-port.ts'
import { haveTheirShares } from '../../../bench/nodes/shares.ts'
import type { Production } from '../../../bench/production.ts'
import { type Server, startServer } from '../../../bench/server.ts'
import { slotOf } from '../../../src/nodes/slots.ts'
import { PostgresServer } from '../../../src/store/embedded/postgres-server.ts'
import { giveCluster } from '../../support/data-dir.ts'
import { temporaryDirectory } from '../../support/directory.ts'
import { type Cuttable, proxyTo } from '../../support/proxy.ts'
import { startRedis, type TestRedis } from '../../support/redis.ts'
import { root } from '../../support/root.ts'
import { TEST_KEY } from '../../support/secrets.ts'
import { startBalancer } from './balancer.ts'

const shiftedClock = pathToFileURL(join(root, 'test/chaos/nodes/shifted-clock.mjs')).href
const START_WITHIN_MS = 60_000

/** One node, with a way of its own to everything that it needs, and from the other nodes to it. */
export class RigNode {
  readonly port: number
  /** To PostgreSQL and Redis, and of the others to this node. */
  readonly ways: { postgres: Cuttable; redis: Cuttable; others: Cuttable }
  server: Server | undefined
  readonly #settings: Readonly<Record<string, string>>
  readonly #dataDir: string

  private constructor(port: number, ways: RigNode['ways'], settings: Record<string, string>, dataDir: string) {
    this.port = port
    this.ways = ways
    this.#settings = settings
    this.#dataDir = dataDir
  }

  static async of(parts: {
    databaseUrl: string
    redisUrl: string
    dataDir: string
    shiftMs: number
  }): Promise<RigNode> {
    const [port, nodePort] = [await freePort(), await freePort()]
    const ways = {
      postgres: await proxyTo(parts.databaseUrl),
      redis: await proxyTo(parts.redisUrl),
      others: await proxyTo(`http://127.0.0.1:${nodePort}`),
    }
    const settings = {
      DATABASE_URL: ways.postgres.url,
      REDIS_URL: ways.redis.url,
      NODE_PORT: String(nodePort),
      NODE_URL: new URL(ways.others.url).host,
      SECRETS_KEY: TEST_KEY,
      MEDIA_ENGINE: 'off',
      // the balancer of the rig has noticed by then
      DRAIN_MS: '1500',
      ...(parts.shiftMs !== 0 && {
        NODE_OPTIONS: `--import=${shiftedClock}`,
        SHIFT_CLOCK_MS: String(parts.shiftMs),
      }),
    }
    return new RigNode(port, ways, settings, parts.dataDir)
  }

  /** Where the other nodes reach it: what its row says. */
  get nodeUrl(): string {
    return this.#settings.NODE_URL ?? ''
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get runs(): boolean {
    return this.server?.running() ?? false
  }

  /** Resolves when it is ready. `build`: another one than this code's. */
  async start(build?: string): Promise<void> {
    this.server = await startServer(this.#dataDir, { port: this.port, settings: this.#settings, build })
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.server?.pid ?? 0, signal)
  }

  async kill(): Promise<void> {
    if (this.runs) await this.server?.kill()
  }

  async stop(): Promise<void> {
    await this.server?.stop()
  }
}

/** The PostgreSQL of a rig. */
export type RigDatabase = {
  readonly url: string
  kill(): void
  /** Resolves when it takes writes again. */
  start(): Promise<void>
}

/** One server, on the copy of a database that was used. */
async function onePostgres(dataDir: string, nodes: number): Promise<RigDatabase> {
  giveCluster(dataDir)
  // a process that is killed loses nothing that it gave to the system
  appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
  const server = new PostgresServer(dataDir, nodes)
  await server.initialize()
  onTestFinished(() => server.stop())
  await server.start({ deadlineMs: START_WITHIN_MS, mayMove: true })
  return {
    url: server.url('tally'),
    kill: () => void process.kill(server.pid() ?? never('a PostgreSQL'), 'SIGKILL'),
    start: async () => void (await server.start({ deadlineMs: START_WITHIN_MS, mayMove: false })),
  }
}

/** PostgreSQL, Redis, nodes and a balancer before them, as processes of their own, with overlays to command. */
export class NodesRig {
  readonly nodes: readonly RigNode[]
  readonly redis: TestRedis
  readonly sql: Sql
  readonly balancer: string
  readonly production: Production
  readonly database: RigDatabase

  private constructor(parts: Pick<NodesRig, 'nodes' | 'redis' | 'sql' | 'balancer' | 'production' | 'database'>) {
    this.nodes = parts.nodes
    this.redis = parts.redis
    this.sql = parts.sql
    this.balancer = parts.balancer
    this.production = parts.production
    this.database = parts.database
  }

  /**
   * `shifts`: by how much the wall clock of each node is wrong, in ms; one node for each. On a PostgreSQL of its own unless `given`.
   * `build`: another one, that begins with nothing.
   */
  static async start<P extends Production>(
    shifts: readonly number[],
    produce: (server: Server) => Promise<P>,
    { given, build }: { given?: RigDatabase; build?: string } = {},
  ): Promise<NodesRig & { production: P }> {
    const dataDir = temporaryDirectory()
    const database = given ?? (await onePostgres(dataDir, shifts.length))
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const databaseUrl = database.url
    const sql = postgres(databaseUrl, { max: 2, connect_timeout: 10, idle_timeout: 1, onnotice: () => {} })
    onTestFinished(() => sql.end({ timeout: 1 }))
    if (build !== undefined) await sql`drop schema public cascade`.then(() => sql`create schema public`)
    const nodes: RigNode[] = []
    for (const shiftMs of shifts) {
      const node = await RigNode.of({ databaseUrl, redisUrl: redis.url, dataDir, shiftMs })
      nodes.push(node)
      onTestFinished(() => node.kill())
      onTestFailed(
        () => void process.stdout.write(`${node.url} said:\n${node.server?.warnings().slice(-60).join('\n')}\n`),
      )
    }
    // one makes the service, the others join it
    const [first, ...others] = nodes
    await first?.start(build)
    const [production] = await Promise.all([
      produce(first?.server ?? never('a first node')),
      ...others.map((node) => node.start(build)),
    ])
    const balancer = `http://127.0.0.1:${await startBalancer(nodes.map(({ port }) => port))}`
    const rig = new NodesRig({ nodes, redis, sql, balancer, production, database })
    await rig.shared()
    return Object.assign(rig, { production })
  }

  /** Waits until each running node owns its whole share of the slots; answers how long that took. */
  async shared(withinMs = 20_000): Promise<number> {
    const startedAt = performance.now()
    const urls = this.nodes.flatMap(({ runs, nodeUrl }) => (runs ? [nodeUrl] : []))
    await until('the nodes to share the slots', withinMs, 20, () => haveTheirShares(this.sql, urls))
    return performance.now() - startedAt
  }

  /** The overlays that each node owns now. */
  async owned(): Promise<Map<RigNode, number[]>> {
    const slots = await this.#slots()
    const ids = this.production.overlays.map(({ id }) => id)
    return new Map(
      this.nodes.map((node) => [node, ids.filter((id) => slots[slotOf(`overlay/${id}`)]?.url === node.nodeUrl)]),
    )
  }

  /** The node that owns an actor now. */
  async ownerOf(ref: string): Promise<RigNode> {
    const { url } = (await this.#slots())[slotOf(ref)] ?? never('such a slot')
    return this.nodes.find(({ nodeUrl }) => nodeUrl === url) ?? never(`an owner of ${ref}`)
  }

  /** Where the nodes are, by the ids that they have now. */
  async byId(): Promise<Map<string, RigNode>> {
    const rows = await this.sql<{ id: string; url: string }[]>`select id, url from node order by started_at`
    return new Map(
      rows.flatMap(({ id, url }) => {
        const node = this.nodes.find(({ nodeUrl }) => nodeUrl === url)
        return node ? [[id, node] as const] : []
      }),
    )
  }

  #slots() {
    return this.sql<{ url: string | null }[]>`
      select node.url from slot left join node on node.id = slot.node and slot.until > clock_timestamp() order by slot.id`
  }
}

function never(what: string): never {
  throw new Error(`there is no ${what}`)
}
