import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres, { type Sql } from 'postgres'
import { onTestFinished } from 'vitest'
import { until } from '../../../bench/clock.ts'
import { type Production, produceOverlays } from '../../../bench/production.ts'
import { freePort, type Server, startServer } from '../../../bench/server.ts'
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

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    this.server = await startServer(this.#dataDir, { port: this.port, settings: this.#settings })
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

/** PostgreSQL, Redis, nodes and a balancer before them, as processes of their own, with overlays to command. */
export class NodesRig {
  readonly nodes: readonly RigNode[]
  readonly redis: TestRedis
  readonly sql: Sql
  readonly balancer: string
  readonly production: Production
  readonly #postgres: PostgresServer

  private constructor(
    parts: Pick<NodesRig, 'nodes' | 'redis' | 'sql' | 'balancer' | 'production'> & { postgres: PostgresServer },
  ) {
    this.nodes = parts.nodes
    this.redis = parts.redis
    this.sql = parts.sql
    this.balancer = parts.balancer
    this.production = parts.production
    this.#postgres = parts.postgres
  }

  /** `shifts`: by how much the wall clock of each node is wrong, in ms; one node for each. */
  static async start(shifts: readonly number[], overlays: number): Promise<NodesRig> {
    const dataDir = temporaryDirectory()
    giveCluster(dataDir)
    // a process that is killed loses nothing that it gave to the system
    appendFileSync(join(dataDir, 'postgres/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
    const database = new PostgresServer(dataDir)
    await database.initialize()
    onTestFinished(() => database.stop())
    await database.start({ deadlineMs: START_WITHIN_MS, mayMove: true })
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const databaseUrl = database.url('tally')
    const sql = postgres(databaseUrl, { max: 2, connect_timeout: 2, idle_timeout: 1, onnotice: () => {} })
    onTestFinished(() => sql.end({ timeout: 1 }))
    const nodes: RigNode[] = []
    for (const shiftMs of shifts) {
      const node = await RigNode.of({ databaseUrl, redisUrl: redis.url, dataDir, shiftMs })
      nodes.push(node)
      onTestFinished(() => node.kill())
    }
    // one makes the service, the others join it
    const [first, ...others] = nodes
    await first?.start()
    const [production] = await Promise.all([
      produceOverlays(first?.server ?? never('a first node'), overlays),
      ...others.map((node) => node.start()),
    ])
    const balancer = `http://127.0.0.1:${await startBalancer(nodes.map(({ port }) => port))}`
    const rig = new NodesRig({ nodes, redis, sql, balancer, production, postgres: database })
    await rig.shared()
    return rig
  }

  /** Waits until every slot has an owner, and each running node owns some; answers how long that took. */
  async shared(withinMs = 20_000): Promise<number> {
    const startedAt = performance.now()
    const running = this.nodes.filter(({ runs }) => runs).length
    await until('the nodes to share the slots', withinMs, 20, async () => {
      const owners = await this.#slots()
      return owners.every(({ url }) => url !== null) && new Set(owners.map(({ url }) => url)).size === running
    })
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

  killPostgres(): void {
    process.kill(this.#postgres.pid() ?? never('a PostgreSQL'), 'SIGKILL')
  }

  async startPostgres(): Promise<void> {
    await this.#postgres.start({ deadlineMs: START_WITHIN_MS, mayMove: false })
  }

  #slots() {
    return this.sql<{ url: string | null }[]>`
      select node.url from slot left join node on node.id = slot.node and slot.until > clock_timestamp() order by slot.id`
  }
}

function never(what: string): never {
  throw new Error(`there is no ${what}`)
}
