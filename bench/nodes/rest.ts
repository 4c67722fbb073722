import { now, sleep } from '../clock.ts'
import { cpuMs, grown, residentMb, spentBy } from '../cost.ts'
import { openRenderers } from '../renderers.ts'
import { round, type Spread, spread } from '../stats.ts'
import type { Ground, Service } from './service.ts'
import { inTurn, type Scene } from './ways.ts'

/** A service that nobody commands, over some seconds. */
export type Idle = {
  /** CPU of one node, ms a second; PostgreSQL's processes for all of them; Redis. */
  nodeMs: number
  postgresMs: number
  redisMs: number
  /** A second. */
  transactions: number
  walBytes: number
  messages: number
  memoryMb: number
}

export type RestResult = {
  nodes: { one: number; several: number }
  /** Without any open overlay, and with one renderer on each of so many, all at one node. */
  openOverlays: number
  idle: { one: Idle[]; several: Idle[] }
  open: { one: Idle[]; several: Idle[] }
  /** The comparison of so many overlays with the database: ms of the statement. */
  compared: { overlays: number; ms: Spread }[]
}

const SETTLE_MS = 3_000
const COMPARISONS = 30

/** The cost of a member while nothing happens, and of each open overlay; a service of one node has none of the first. */
export async function measureRest(scene: Scene): Promise<RestResult> {
  const { plan, say, samples, ground, one, several } = scene
  const { openOverlays, restRuns, restSeconds } = plan.nodes
  const result: RestResult = {
    nodes: { one: one.nodes.length, several: several.nodes.length },
    openOverlays,
    idle: { one: [], several: [] },
    open: { one: [], several: [] },
    compared: [],
  }
  const services = [
    ['one', one],
    ['several', several],
  ] as const
  const look = async (into: RestResult['idle']) => {
    for (let nth = 1; nth <= restRuns; nth++)
      for (const [name, service] of inTurn(services, nth)) into[name].push(await watch(service, ground, restSeconds))
  }
  await sleep(SETTLE_MS)
  await look(result.idle)
  say(`idle: ${JSON.stringify(result.idle)}`)
  const watching = []
  for (const [, service] of services) {
    const { url, triggers } = service.target(0)
    const keys = service.overlays.slice(0, openOverlays).map(({ key }) => key)
    watching.push(await openRenderers(url, keys, 1, { samples, triggers }))
  }
  await sleep(SETTLE_MS)
  await look(result.open)
  say(`with ${openOverlays} open overlays: ${JSON.stringify(result.open)}`)
  for (const renderers of watching) await renderers.close()
  for (const overlays of [10, 100, 1_000, 10_000]) {
    const ms = await compare(several, overlays)
    result.compared.push({ overlays, ms })
    say(`the comparison of ${overlays} overlays: ${ms.median} ms`)
  }
  return result
}

/** The figures of the first node, whose sockets are open, and of the database of all. */
async function watch(service: Service, { redis }: Ground, seconds: number): Promise<Idle> {
  const { pid } = service.node(0).server
  const backends = () => service.backends()
  const figures = async () => ({ ...(await service.counters()), messages: await redis.published() })
  const before = await figures()
  const [node, postgres, ofRedis, at] = [cpuMs(pid), spentBy(backends), cpuMs(redis.pid()), now()]
  await sleep(seconds * 1000)
  const took = (now() - at) / 1000
  const each = (value: number) => round(value / took, 2)
  const spent = [cpuMs(pid) - node, grown(postgres, spentBy(backends)), cpuMs(redis.pid()) - ofRedis] as const
  const after = await figures()
  return {
    nodeMs: each(spent[0]),
    postgresMs: each(spent[1]),
    redisMs: each(spent[2]),
    transactions: each(after.transactions - before.transactions),
    walBytes: each(after.walBytes - before.walBytes),
    messages: each(after.messages - before.messages),
    memoryMb: residentMb(pid),
  }
}

/** The statement of each second, as the server asks it, on rows like those of a service of so many overlays. */
async function compare({ sql }: Service, overlays: number): Promise<Spread> {
  await sql`drop table if exists pg_temp.actor`
  await sql`
    create temporary table actor as select alike.*
    from (select * from public.actor where ref like 'overlay/%' order by seq desc limit 1) alike, generate_series(1, ${overlays})`
  await sql`alter table pg_temp.actor add column number serial`
  await sql`update pg_temp.actor set ref = 'overlay/' || number`
  await sql`create unique index on pg_temp.actor (ref)`
  await sql`analyze pg_temp.actor`
  const refs = Array.from({ length: overlays }, (_, i) => `overlay/${i + 1}`)
  const took: number[] = []
  for (let nth = 0; nth < COMPARISONS; nth++) {
    const at = now()
    await sql`select ref, seq from pg_temp.actor where ref = any(${refs})`
    took.push(round(now() - at))
  }
  await sql`drop table pg_temp.actor`
  return spread(took)
}
