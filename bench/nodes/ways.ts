import { now, sleep } from '../clock.ts'
import { grown, type Processes, processesOf, spentBy } from '../cost.ts'
import type { Plan } from '../options.ts'
import { measureMaximum, measurePush, type PushRun, type Stage } from '../push.ts'
import { openRenderers } from '../renderers.ts'
import type { Samples } from '../samples.ts'
import type { Say } from '../say.ts'
import { percentile, round } from '../stats.ts'
import type { Counters, Ground, Service } from './service.ts'

/**
 * The ways of a trigger: `own`: asked of the owner, shown there. `push`: asked of the owner, shown elsewhere. `forwarded`: asked elsewhere,
 * shown at the owner. `all`: owner, asked node and renderers apart. `one`: a service of one node.
 */
export const wayNames = ['one', 'own', 'push', 'forwarded', 'all'] as const
export type WayName = (typeof wayNames)[number]

/** The work of PostgreSQL and Redis for one trigger, without their work at rest; or for a second at rest. */
export type Traffic = { transactions: number; walBytes: number; messages: number }

export type WayResult = {
  /** At a low rate, for the latencies. */
  paced: PushRun[]
  /** At a higher one, for the CPU time; none for ways whose cost nobody asked for. */
  busy: { run: PushRun; traffic: Traffic }[]
}

export type WaysResult = {
  ways: Record<WayName, WayResult>
  /** CPU of the same processes with the same sockets open and nothing to do, ms a second by part. */
  rest: { one: Record<string, number>; several: Record<string, number> }
  /** A second; WAL is of both services at once. */
  traffic: { one: Traffic; several: Traffic }
}

export type Scene = { plan: Plan; say: Say; samples: Samples; ground: Ground; one: Service; several: Service }

const SETTLE_MS = 5_000

const costed: readonly WayName[] = ['one', 'own', 'all']

/** Fires triggers by each way in turn, at a rate that leaves the machine free, so that waiting for a core is not what is measured. */
export async function measureWays(scene: Scene): Promise<WaysResult> {
  const { plan, say, ground, one, several } = scene
  const { rate, busyRate, seconds, runs } = plan.nodes
  const { stages, close } = await openStages(scene)
  const result: WaysResult = {
    ways: Object.fromEntries(wayNames.map((name) => [name, { paced: [], busy: [] }])) as unknown as WaysResult['ways'],
    rest: { one: {}, several: {} },
    traffic: { one: noTraffic, several: noTraffic },
  }
  try {
    for (const name of wayNames) {
      say(`warming up: ${name}`)
      await measureMaximum(stages[name], { inFlight: 16, seconds: plan.nodes.warmUpSeconds, client: 'raw' })
    }
    // what was fired is still being cleared away
    await sleep(SETTLE_MS)
    const rest = restOf([stages.one.processes, stages.all.processes])
    const atFirst = [await count(one, ground), await count(several, ground)] as const
    const [oneAtRest = {}, severalAtRest = {}] = await rest(plan.nodes.restSeconds)
    result.rest = { one: oneAtRest, several: severalAtRest }
    result.traffic = {
      one: trafficOf(atFirst[0], await count(one, ground), ({ at }) => at),
      several: trafficOf(atFirst[1], await count(several, ground), ({ at }) => at),
    }
    say(`at rest, ms of CPU a second: ${JSON.stringify(result.rest)}`)
    for (let nth = 1; nth <= runs; nth++)
      for (const name of inTurn(wayNames, nth)) {
        const run = await measurePush(stages[name], { rate, seconds })
        result.ways[name].paced.push(run)
        say(
          `${rate}/s, ${name}, run ${nth}: push p50 ${percentile(run.push, 50)}, REST p50 ${percentile(run.rest, 50)} ms`,
        )
      }
    for (let nth = 1; nth <= runs; nth++)
      for (const name of inTurn(costed, nth)) {
        const whose = name === 'one' ? 'one' : 'several'
        const service = { one, several }[whose]
        const before = await count(service, ground)
        const run = await measurePush(stages[name], { rate: busyRate, seconds })
        const traffic = trafficOf(
          before,
          await count(service, ground),
          ({ commands }) => commands,
          result.traffic[whose],
        )
        result.ways[name].busy.push({ run, traffic })
        say(`${busyRate}/s, ${name}, run ${nth}: µs ${JSON.stringify(run.cost.parts)}, ${JSON.stringify(traffic)}`)
      }
    return result
  } finally {
    await close()
  }
}

/** There and back, so that what drifts meanwhile meets all alike. */
export const inTurn = <T>(all: readonly T[], nth: number): readonly T[] => (nth % 2 === 1 ? all : all.toReversed())

async function openStages({ plan, samples, ground, one, several }: Scene) {
  const { overlays, renderers } = plan.nodes
  const owned = await several.owned()
  const owner = owned.reduce((most, list, place) => (list.length > (owned[most]?.length ?? 0) ? place : most), 0)
  const [asked = owner, shown = asked] = several.nodes.map(({ place }) => place).filter((place) => place !== owner)
  const ofOwner = owned[owner] ?? []
  if (ofOwner.length < 2 * overlays) throw new Error(`a node with only ${ofOwner.length} overlays`)
  const [here, elsewhere] = [ofOwner.slice(0, overlays), ofOwner.slice(overlays, 2 * overlays)]
  const opened: Stage['renderers'][] = []
  const renderersAt = async (service: Service, place: number, of: typeof here) => {
    const { url, triggers } = service.target(place)
    const keys = of.map(({ key }) => key)
    const all = await openRenderers(url, keys, renderers, { samples, triggers })
    opened.push(all)
    return all
  }
  const processesAt = (service: Service, places: Record<string, number>): Processes => ({
    parts: {
      ...Object.fromEntries(
        Object.entries(places).map(([name, place]) => [name, () => [service.node(place).server.pid]]),
      ),
      postgres: () => service.backends(),
      writers: () => processesOf(ground.postgres.pid() ?? 0, (title) => /writer|checkpointer/.test(title)),
      redis: () => [ground.redis.pid()],
    },
  })
  const nodes = { owner, ...(asked !== shown && { asked }), shown }
  const several_ = { each: renderers, samples, processes: processesAt(several, nodes), directory: undefined }
  const fromOwner = several.target(owner, here)
  const ownRenderers = await renderersAt(several, owner, here)
  const farRenderers = await renderersAt(several, shown, elsewhere)
  const first = one.overlays.slice(0, overlays)
  const stages: Record<WayName, Stage> = {
    own: { ...several_, target: fromOwner, renderers: ownRenderers },
    forwarded: { ...several_, target: several.target(asked, here), renderers: ownRenderers },
    push: { ...several_, target: several.target(owner, elsewhere), renderers: farRenderers },
    all: { ...several_, target: several.target(asked, elsewhere), renderers: farRenderers },
    one: {
      ...several_,
      target: one.target(0, first),
      renderers: await renderersAt(one, 0, first),
      processes: processesAt(one, { owner: 0 }),
    },
  }
  const close = async () => {
    for (const renderersOfOne of opened) await renderersOfOne.close()
  }
  return { stages, close }
}

/** Of several groups at the same time. */
function restOf(groups: readonly Processes[]) {
  const spent = () =>
    groups.map(({ parts = {} }) => Object.entries(parts).map(([name, pids]) => [name, spentBy(pids)] as const))
  return async (seconds: number): Promise<Record<string, number>[]> => {
    const before = spent()
    await sleep(seconds * 1000)
    return spent().map((group, i) =>
      Object.fromEntries(group.map(([name, now], j) => [name, round(grown(before[i]?.[j]?.[1], now) / seconds, 2)])),
    )
  }
}

type Counted = Counters & { messages: number; at: number }

const noTraffic: Traffic = { transactions: 0, walBytes: 0, messages: 0 }

const count = async (service: Service, { redis }: Ground): Promise<Counted> => ({
  ...(await service.counters()),
  messages: await redis.published(),
  at: now() / 1000,
})

/** By what grew meanwhile: seconds, or commands. */
function trafficOf(before: Counted, after: Counted, by: (of: Counted) => number, atRest = noTraffic): Traffic {
  const seconds = after.at - before.at
  const each = (of: keyof Traffic) =>
    round((after[of] - before[of] - atRest[of] * seconds) / (by(after) - by(before)), 2)
  return { transactions: each('transactions'), walBytes: each('walBytes'), messages: each('messages') }
}
