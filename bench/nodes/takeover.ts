import { now, sleep, until } from '../clock.ts'
import { Connection, originOf } from '../connection.ts'
import { openRenderers } from '../renderers.ts'
import { distribution, percentile, round } from '../stats.ts'
import type { Target } from '../target.ts'
import type { Scene } from './ways.ts'

/** The cost of one fault for clients who command overlays of the node that it met. */
export type Outage = {
  /** From the intended time of a command to the answer that accepted it, retries and all; the longest, ms. */
  longestMs: number
  /** Commands that were answered with an error at least once, of so many. */
  refused: number
  commands: number
}

export const faultNames = ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const
export type FaultName = (typeof faultNames)[number]

export type TakeoverResult = {
  faults: Record<FaultName, Outage[]>
  /** From the start of the process to its share of the slots, of that the start itself, and what others felt meanwhile. */
  joins: (Outage & { sharedMs: number; readyMs: number })[]
  /** From the moment when Redis answers to the first of five pushes to another node in a row that take less than 25. */
  redisBack: number[]
  /** Push while Redis is away, ms. */
  redisAway: { p50: number; slowest: number; lost: number }[]
}

const EVERY_MS = 20
const RETRY_MS = 5
const SETTLED_MS = 1_500

/** Ends, freezes and adds nodes of the service while commands go to overlays of the node that is met, by way of another one. */
export async function measureTakeovers(scene: Scene): Promise<TakeoverResult> {
  const { plan, say, several } = scene
  const result: TakeoverResult = {
    faults: { SIGTERM: [], SIGKILL: [], SIGSTOP: [] },
    joins: [],
    redisBack: [],
    redisAway: [],
  }
  let met = 0
  for (let nth = 1; nth <= plan.nodes.faults; nth++)
    for (const fault of faultNames) {
      met = (met + 1) % several.nodes.length
      const entry = (met + 1) % several.nodes.length
      const { server } = several.node(met)
      const target = several.target(entry, (await several.owned())[met])
      const outage = await during(target, async (isOver) => {
        process.kill(server.pid, fault)
        await until(`the overlays of a node to go on after ${fault}`, 30_000, 10, isOver)
      })
      result.faults[fault].push(outage)
      say(`${fault}, ${nth}: ${told(outage)}`)
      if (fault === 'SIGSTOP') {
        process.kill(server.pid, 'SIGCONT')
        await several.shared()
      } else {
        await until('the node to end', 20_000, 10, () => !server.running())
        result.joins.push(await join(scene, met, entry))
        say(`a node is added: ${JSON.stringify(result.joins.at(-1))}`)
      }
      await sleep(SETTLED_MS)
    }
  for (let nth = 1; nth <= plan.nodes.faults; nth++) {
    const { away, backMs } = await loseRedis(scene, FIRST_NUMBER + nth * NUMBERS_EACH)
    result.redisAway.push(away)
    result.redisBack.push(backMs)
    say(`Redis, ${nth}: push p50 ${away.p50} slowest ${away.slowest} ms while it is away, back after ${backMs} ms`)
    await sleep(SETTLED_MS)
  }
  return result
}

const told = ({ longestMs, refused, commands }: Outage) =>
  `the longest of ${commands} commands took ${longestMs} ms, ${refused} were refused at first`

async function join({ several }: Scene, place: number, entry: number) {
  const startedAt = now()
  let readyMs = 0
  let sharedMs = 0
  const outage = await during(several.target(entry), async () => {
    readyMs = round(await several.again(place), 0)
    await until('a new node to have its share', 20_000, 10, () => several.isShared())
    sharedMs = round(now() - startedAt, 0)
    await sleep(500)
  })
  return { ...outage, readyMs, sharedMs }
}

/**
 * A command every 20 ms from before the fault until after it, each sent again until it is accepted. `fault` is told how to know that all that
 * was sent since has been accepted.
 */
async function during(target: Target, fault: (isOver: () => boolean) => Promise<void>): Promise<Outage> {
  const origin = originOf(target.url)
  const waiting = new Set<number>()
  const idle: Connection[] = []
  const all: Connection[] = []
  let [commands, refused, longestMs, sent] = [0, 0, 0, 0]
  const send = (number: number, sentAt: number, wasRefused: boolean) => {
    const connection = idle.pop() ?? new Connection(origin)
    if (!all.includes(connection)) all.push(connection)
    const overlay = number % target.overlays.length
    connection.send(target.raw(overlay, 0, number), (status) => {
      idle.push(connection)
      if (status === 200) {
        longestMs = Math.max(longestMs, now() - sentAt)
        waiting.delete(number)
        return
      }
      if (!wasRefused) refused++
      setTimeout(() => send(number, sentAt, true), RETRY_MS)
    })
  }
  const timer = setInterval(() => {
    waiting.add(++sent)
    commands++
    send(sent, now(), false)
  }, EVERY_MS)
  await sleep(300)
  const startedAt = sent
  await fault(() => {
    // a leaving node may take a second to finish: not before all overlays were commanded since, twice
    const enough = sent - startedAt > 2 * target.overlays.length && sent - startedAt > 1_000 / EVERY_MS
    return enough && waiting.size <= 1
  })
  clearInterval(timer)
  await until('every command to be accepted', 20_000, 5, () => waiting.size === 0)
  for (const connection of all) connection.close()
  return { longestMs: round(longestMs, 0), refused, commands }
}

/** Above all that other runs put on air: that may come again with a whole picture. */
const FIRST_NUMBER = 1_900_000
/** Of a loss of Redis, with room: the numbers of the loss before it are still on air. */
const NUMBERS_EACH = 5_000
const PACE_MS = 20
const QUICK_MS = 25
const QUICK_IN_A_ROW = 5
/** The comparison with the database comes once a second. */
const REPAIRED_MS = 2_000

/** Pushes to another node while Redis is away, and until they come in milliseconds again. */
async function loseRedis({ plan, samples, ground, several }: Scene, firstNumber: number) {
  const owned = (await several.owned())[0]?.slice(0, plan.nodes.overlays) ?? []
  const target = several.target(0, owned)
  const keys = owned.map(({ key }) => key)
  const { url } = several.node(several.nodes.length - 1).server
  const renderers = await openRenderers(url, keys, 1, { samples, triggers: target.triggers })
  const connection = new Connection(originOf(target.url))
  await renderers.measure(firstNumber)
  let sent = firstNumber
  const fire = async () => {
    const number = ++sent
    samples.intended[number] = now()
    connection.send(target.raw(number % owned.length, 0, number), () => {})
    await sleep(PACE_MS)
  }
  /** By number, how long it took until it or a later one was seen: what comes as a whole picture has the last one alone. */
  const pushed = () => {
    const seenAt = new Map<number, number>()
    for (let i = 0; i < (samples.count[0] ?? 0); i++) {
      const number = samples.trigger[i] ?? 0
      seenAt.set(number, (samples.intended[number] ?? 0) + (samples.latency[i] ?? 0))
    }
    const took = new Map<number, number>()
    for (let number = sent; number > firstNumber; number--) {
      const at = Math.min(
        seenAt.get(number) ?? Number.POSITIVE_INFINITY,
        seenAt.get(number + owned.length) ?? Number.POSITIVE_INFINITY,
      )
      if (at === Number.POSITIVE_INFINITY) continue
      seenAt.set(number, at)
      took.set(number, at - (samples.intended[number] ?? 0))
    }
    return took
  }
  try {
    await ground.redis.kill()
    while (sent < firstNumber + REPAIRED_MS / PACE_MS) await fire()
    await sleep(REPAIRED_MS)
    const away = distribution(Float32Array.from(pushed().values()))
    await ground.redis.start()
    const backAt = now()
    await until('pushes in milliseconds', 20_000, 0, async () => {
      await fire()
      await sleep(QUICK_MS)
      const times = pushed()
      const last = Array.from({ length: QUICK_IN_A_ROW }, (_, i) => times.get(sent - i))
      return last.every((ms) => ms !== undefined && ms < QUICK_MS)
    })
    const backMs = round(now() - backAt, 0)
    // what was sent while the nodes listened again comes with the next comparison
    await sleep(REPAIRED_MS)
    return {
      away: { p50: percentile(away, 50), slowest: percentile(away, 100), lost: sent - firstNumber - pushed().size },
      backMs,
    }
  } finally {
    connection.close()
    await renderers.close()
  }
}
