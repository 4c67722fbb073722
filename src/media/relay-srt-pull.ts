import { FLOW_LIMITS, Flow } from './flow.ts'
import { createMeter } from './meter.ts'
import type { MediaEngine, PullTarget, Relay, RelayEvent, RelaySpec } from './ports.ts'
import type { Measuring } from './relay-process.ts'

const LOOK_EACH_MS = 500

export type SrtPullParts = Measuring & { engine: Pick<MediaEngine, 'serve' | 'unserve' | 'readers' | 'stats'> }

/**
 * Lets others fetch the video from the engine over SRT; no process runs as long as nobody does. Connected while the video that
 * they would get flows, and its rate is the rate of it.
 */
export function startSrtPull(
  { destinationId, path, readUrl, lease }: RelaySpec,
  { token, latencyMs }: PullTarget,
  listener: (event: RelayEvent) => void,
  { engine, meter: meterOf, limits }: SrtPullParts,
): Relay {
  const meter = meterOf?.(destinationId) ?? createMeter()
  meter.begin()
  const flow = new Flow({ ...FLOW_LIMITS, ...limits }, performance.now())
  let over = false
  let timer: NodeJS.Timeout | undefined

  const look = async () => {
    const bytes = (await engine.stats(path))?.bytesIn
    if (over || bytes === undefined) return
    meter.sample(bytes, Date.now())
    if (flow.wrote(bytes, performance.now())) listener({ type: 'connected' })
  }
  const serving = engine.serve({ token, readUrl, latencyMs, ...(lease !== undefined && { lease }) }).then(
    () => {
      if (!over) timer = setInterval(() => void look().catch(() => {}), LOOK_EACH_MS)
    },
    () => {
      if (over) return
      over = true
      listener({ type: 'failed', error: 'The ingest of this server does not answer' })
    },
  )

  return {
    measured: () => meter.measured(Date.now()),
    activeClients: () => (over ? 0 : engine.readers(token)),
    pauseWatch: (paused) => flow.pause(paused, performance.now()),
    async stop() {
      over = true
      clearInterval(timer)
      await serving
      // an engine that is gone serves nobody
      await engine.unserve(token).catch(() => {})
    },
  }
}
