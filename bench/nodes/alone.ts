import type { Processes } from '../cost.ts'
import { type MaximumRun, measureMaximum, measurePush, type PushRun, type Stage } from '../push.ts'
import { openRenderers } from '../renderers.ts'
import { percentile } from '../stats.ts'
import { Service } from './service.ts'
import { inTurn, type Scene } from './ways.ts'

/** One server without others, beside the same as the only member of a service, and beside another version alone. */
export type AloneName = 'alone' | 'member' | 'before'
export type AloneResult = Partial<Record<AloneName, { paced: PushRun[]; closed: MaximumRun[] }>>

/** `before`: the folder of another version, built. */
export async function measureAlone(
  scene: Omit<Scene, 'several'> & { before: string | undefined },
): Promise<AloneResult> {
  const { plan, say, samples, ground, one, before } = scene
  const { overlays, renderers, busyRate, seconds, aloneRuns } = plan.nodes
  const common = { nodes: 1, overlays, isAlone: true }
  const services: Partial<Record<AloneName, Service>> = { member: one }
  const own: Service[] = []
  const open = async (name: 'alone' | 'before', build?: string) => {
    const of = { ...common, name, database: `bench_${name}`, ...(build !== undefined && { build }) }
    const service = await Service.start(ground, of)
    own.push(service)
    services[name] = service
  }
  const result: AloneResult = {}
  const stages: [AloneName, Stage][] = []
  try {
    await open('alone')
    if (before !== undefined) await open('before', before)
    for (const name of ['alone', 'member', 'before'] as const) {
      const service = services[name]
      if (!service) continue
      const target = service.target(0, service.overlays.slice(0, overlays))
      const keys = target.overlays.map(({ key }) => key)
      const processes: Processes = { server: service.node(0).server.pid, postgres: () => service.backends() }
      const watching = await openRenderers(target.url, keys, renderers, { samples, triggers: target.triggers })
      const stage = { target, renderers: watching, each: renderers, samples, processes, directory: undefined }
      say(`warming up: ${name}`)
      await measureMaximum(stage, { inFlight: 32, seconds: plan.nodes.warmUpSeconds, client: 'raw' })
      stages.push([name, stage])
      result[name] = { paced: [], closed: [] }
    }
    for (let nth = 1; nth <= aloneRuns; nth++)
      for (const [name, stage] of inTurn(stages, nth)) {
        const paced = await measurePush(stage, { rate: busyRate, seconds })
        const closed = await measureMaximum(stage, { inFlight: 32, seconds, client: 'raw' })
        result[name]?.paced.push(paced)
        result[name]?.closed.push(closed)
        const { serverMicros, postgresMicros } = paced.cost
        say(
          `${name}, run ${nth}: server ${serverMicros} µs, PostgreSQL ${postgresMicros} µs, push p50 ${percentile(paced.push, 50)} ms; ${closed.perSecond}/s at ${closed.cost.serverMicros} + ${closed.cost.postgresMicros} µs`,
        )
      }
    return result
  } finally {
    for (const [, { renderers: watching }] of stages) await watching.close()
    for (const service of own) await service.stop()
  }
}
