import type { Plan } from '../options.ts'
import { createSamples } from '../samples.ts'
import type { Say } from '../say.ts'
import { type AloneResult, measureAlone } from './alone.ts'
import { redisIsInstalled } from './redis.ts'
import { measureRest, type RestResult } from './rest.ts'
import { openGround, Service } from './service.ts'
import { measureTakeovers, type TakeoverResult } from './takeover.ts'
import { measureWays, type WaysResult } from './ways.ts'

/** Several nodes in turn with one, on the same PostgreSQL and Redis. */
export type NodesResult = {
  count: number
  ways?: WaysResult
  rest?: RestResult
  takeover?: TakeoverResult
  alone?: AloneResult
}

export async function measureNodes(
  plan: Plan,
  say: Say,
  profileDir?: string,
): Promise<NodesResult & { warnings: string[] }> {
  if (!redisIsInstalled()) throw new Error('--nodes: redis-server is not installed')
  const { count, openOverlays: overlays, before, parts } = plan.nodes
  const result: NodesResult & { warnings: string[] } = { count, warnings: [] }
  const ground = await openGround(count, profileDir)
  const services: Service[] = []
  const open = async (name: 'one' | 'several', nodes: number) => {
    say(`starting a service of ${nodes} with ${overlays} overlays`)
    const service = await Service.start(ground, { name, database: `bench_${name}`, nodes, overlays })
    services.push(service)
    return service
  }
  try {
    const one = await open('one', 1)
    const alike = { plan, say, samples: createSamples(), ground, one }
    if (parts.some((part) => part !== 'alone')) {
      const several = await open('several', count)
      const scene = { ...alike, several }
      if (parts.includes('ways')) result.ways = await measureWays(scene)
      if (parts.includes('rest')) result.rest = await measureRest(scene)
      // what it says of nodes that end is no fault
      result.warnings = services.flatMap(({ nodes }) => nodes.flatMap(({ server }) => server.warnings()))
      if (parts.includes('takeover')) result.takeover = await measureTakeovers(scene)
      await several.stop()
    }
    if (parts.includes('alone')) result.alone = await measureAlone({ ...alike, before })
    return result
  } finally {
    for (const service of services) await service.stop()
    await ground.stop()
  }
}
