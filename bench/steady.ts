import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Plan } from './options.ts'
import { produce } from './production.ts'
import { measurePush, openStage, type PushRun } from './push.ts'
import { createSamples } from './samples.ts'
import type { Say } from './say.ts'
import { removeDataDir, startServer, temporaryDataDir } from './server.ts'
import { percentile } from './stats.ts'

/** An evening of many operators, minutes long: the tail that is the server's own, since its data directory is in memory. */
export type SteadyResult = { run: PushRun; inMemory: boolean }

const memory = '/dev/shm'

export async function steady(plan: Plan, say: Say): Promise<SteadyResult & { warnings: string[] }> {
  const { rate, overlays, renderers, seconds } = plan.steady
  const inMemory = existsSync(memory)
  const dataDir = temporaryDataDir(inMemory ? memory : tmpdir())
  try {
    const server = await startServer(dataDir)
    try {
      say(`${inMemory ? 'in memory: ' : ''}making ${overlays} overlays`)
      const target = await produce(server, overlays)
      const processes = { server: server.pid, postgres: server.postgresPids }
      const stage = await openStage(target, renderers, createSamples(), processes, inMemory ? undefined : dataDir)
      const run = await measurePush(stage, { rate, seconds })
      await stage.renderers.close()
      const { push } = run
      say(
        `${rate}/s over ${overlays} overlays × ${renderers} for ${seconds} s: push p99 ${percentile(push, 99)} p99.9 ${percentile(push, 99.9)} max ${percentile(push, 100)} ms`,
      )
      return { run, inMemory, warnings: server.warnings() }
    } finally {
      await server.stop()
    }
  } finally {
    removeDataDir(dataDir)
  }
}
