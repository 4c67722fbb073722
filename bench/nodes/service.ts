import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import postgres, { type Sql } from 'postgres'
import { slotOf } from '../../src/nodes/slots.ts'
import { PostgresServer } from '../../src/store/embedded/postgres-server.ts'
import { now, until } from '../clock.ts'
import { processesOf } from '../cost.ts'
import { freePort } from '../free-port.ts'
import { type Production, produceOverlays } from '../production.ts'
import { removeDataDir, type Server, startServer, temporaryDataDir } from '../server.ts'
import { createTarget, type Target } from '../target.ts'
import { type BenchRedis, startRedis } from './redis.ts'
import { haveTheirShares } from './shares.ts'

const START_WITHIN_MS = 60_000

/** One PostgreSQL and one Redis for all services, so that none has a better one. */
export type Ground = {
  dataDir: string
  postgres: PostgresServer
  redis: BenchRedis
  /** Makes an empty database. */
  database(name: string): Promise<string>
  /** V8 writes a CPU profile of each node there at its end. */
  profileDir: string | undefined
  stop(): Promise<void>
}

export async function openGround(nodes: number, profileDir?: string): Promise<Ground> {
  const dataDir = temporaryDataDir()
  // two services of one node beside the one of several
  const cluster = new PostgresServer(dataDir, nodes + 3)
  const leave = () => {
    const pid = cluster.pid()
    if (pid !== undefined) process.kill(pid, 'SIGQUIT')
    removeDataDir(dataDir)
  }
  process.once('exit', leave)
  await cluster.initialize()
  await cluster.start({ deadlineMs: START_WITHIN_MS, mayMove: true })
  const redis = await startRedis()
  return {
    dataDir,
    postgres: cluster,
    redis,
    profileDir,
    async database(name) {
      await cluster.use((client) => client.query(`create database ${name}`))
      return cluster.url(name)
    },
    async stop() {
      await redis.stop()
      await cluster.stop()
      process.off('exit', leave)
      removeDataDir(dataDir)
    },
  }
}

export type NodeProcess = { place: number; port: number; nodeUrl: string; server: Server }

/** The work of a database since it was made. */
export type Counters = { transactions: number; walBytes: number; commands: number }

/** The nodes of one database; alone: one that knows of no others. */
export class Service {
  readonly name: string
  readonly sql: Sql
  readonly nodes: NodeProcess[] = []
  readonly #ground: Ground
  readonly #database: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #build: string | undefined
  #production: Production | undefined

  private constructor(name: string, ground: Ground, url: string, isAlone: boolean, build: string | undefined) {
    this.name = name
    this.sql = postgres(url, { max: 1, onnotice: () => {} })
    this.#ground = ground
    this.#database = new URL(url).pathname.slice(1)
    this.#build = build
    this.#settings = {
      DATABASE_URL: url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      MEDIA_ENGINE: 'off',
      ...(!isAlone && { REDIS_URL: ground.redis.url }),
    }
  }

  /** `build`: the folder of another version, built; this one unless given. */
  static async start(
    ground: Ground,
    of: { name: string; database: string; nodes: number; isAlone?: boolean; overlays: number; build?: string },
  ): Promise<Service> {
    const url = await ground.database(of.database)
    const service = new Service(of.name, ground, url, of.isAlone ?? false, of.build)
    // one makes the tables, the others join it
    for (let place = 0; place < of.nodes; place++) service.nodes.push(await service.#launch(place))
    if (!of.isAlone) await service.shared()
    service.#production = await produceOverlays(service.node(0).server, of.overlays)
    return service
  }

  node(place: number): NodeProcess {
    const node = this.nodes[place]
    if (!node) throw new Error(`no node at place ${place}`)
    return node
  }

  /** Commands by way of a node to these overlays. */
  target(place: number, overlays = this.overlays): Target {
    if (!this.#production) throw new Error('a service without overlays')
    return createTarget({ ...this.#production, name: this.name, url: this.node(place).server.url, overlays })
  }

  get overlays() {
    return this.#production?.overlays ?? []
  }

  get apiKey() {
    return this.#production?.apiKey ?? ''
  }

  /** PostgreSQL's processes for this database. */
  backends(): number[] {
    const mark = ` ${this.#database} `
    return processesOf(this.#ground.postgres.pid() ?? 0, (title) => title.includes(mark))
  }

  /** The overlays that each node owns now, by place. */
  async owned(): Promise<(typeof this.overlays)[]> {
    const owners = await this.#owners()
    return this.nodes.map(({ nodeUrl }) =>
      this.overlays.filter(({ id }) => owners[slotOf(`overlay/${id}`)] === nodeUrl),
    )
  }

  /** Each of these nodes owns its whole share of the slots. */
  isShared(places = this.nodes.map(({ place }) => place)): Promise<boolean> {
    return haveTheirShares(
      this.sql,
      places.map((place) => this.node(place).nodeUrl),
    )
  }

  async shared(): Promise<void> {
    await until('the nodes to share the slots', 20_000, 20, () => this.isShared())
  }

  async counters(): Promise<Counters> {
    const [row] = await this.sql<[{ transactions: number; wal: number; commands: number }]>`
      select xact_commit::int as transactions, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
        (select coalesce(sum(seq), 0)::int from actor) as commands
      from pg_stat_database where datname = current_database()`
    return { transactions: row.transactions, walBytes: row.wal, commands: row.commands }
  }

  /** Starts the node of a place anew. Resolves when it is ready, with the time from its start. */
  async again(place: number): Promise<number> {
    const startedAt = now()
    this.nodes[place] = await this.#launch(place)
    return now() - startedAt
  }

  /** Once more it does nothing. */
  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()))
    await this.sql.end({ timeout: 1 })
  }

  async #launch(place: number): Promise<NodeProcess> {
    const nodePort = await freePort()
    const nodeUrl = `127.0.0.1:${nodePort}`
    const port = await freePort()
    const server = await startServer(this.#ground.dataDir, {
      port,
      build: this.#build && join(this.#build, 'dist'),
      profileDir: this.#ground.profileDir,
      settings: { ...this.#settings, NODE_PORT: String(nodePort), NODE_URL: nodeUrl },
    })
    return { place, port, nodeUrl, server }
  }

  async #owners(): Promise<(string | null)[]> {
    const rows = await this.sql<{ url: string | null }[]>`
      select node.url from slot left join node on node.id = slot.node and slot.until > clock_timestamp() order by slot.id`
    return rows.map(({ url }) => url)
  }
}
