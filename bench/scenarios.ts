import type { Bench } from './bench.ts'
import { now, sleep } from './clock.ts'
import { gamePlans } from './game-plans.ts'
import { measureNodes } from './nodes/nodes.ts'
import type { Plan } from './options.ts'
import { produce } from './production.ts'
import { type MaximumRun, measureMaximum, measurePush, openStage, type PushRun, type Stage } from './push.ts'
import { type Reference, startReference } from './reference-server.ts'
import { openRenderers } from './renderers.ts'
import type { Compared, Found, IdleResult, MaximumResult, StartResult } from './results.ts'
import { createSamples, type Samples } from './samples.ts'
import type { Say } from './say.ts'
import { season } from './season.ts'
import { databaseUrl, removeDataDir, type Server, startServer, temporaryDataDir } from './server.ts'
import { percentile } from './stats.ts'
import { steady } from './steady.ts'
import { streams } from './streams.ts'
import type { Target } from './target.ts'
import { costOfTrigger } from './trigger.ts'
import { webhooks } from './webhooks.ts'

type Measured = Omit<Found, 'format' | 'at' | 'machine' | 'size' | 'plan'>

/** Scenarios that start a server of their own. */
const servesItself: ReadonlySet<Plan['scenarios'][number]> = new Set([
  'steady',
  'season',
  'streams',
  'plans',
  'webhooks',
  'nodes',
])

/** Runs the scenarios of the plan, on servers of its own that are gone afterwards. */
export async function runPlan(plan: Plan, say: Say, profileDir?: string): Promise<Measured> {
  const measured: Measured = { warnings: [] }
  if (plan.scenarios.some((name) => !servesItself.has(name))) await runOverlays(plan, say, measured, profileDir)
  if (plan.scenarios.includes('steady')) {
    const { warnings, ...found } = await steady(plan, say)
    measured.steady = found
    measured.warnings.push(...warnings)
  }
  if (plan.scenarios.includes('season')) {
    const { warnings, ...found } = await season(plan, say)
    measured.season = found
    measured.warnings.push(...warnings)
  }
  if (plan.scenarios.includes('streams')) {
    const { warnings, ...found } = await streams(plan, say)
    measured.streams = found
    measured.warnings.push(...warnings)
  }
  if (plan.scenarios.includes('plans')) {
    const { warnings, ...found } = await gamePlans(plan, say)
    measured.gamePlans = found
    measured.warnings.push(...warnings)
  }
  if (plan.scenarios.includes('webhooks')) {
    const { warnings, ...found } = await webhooks(plan, say)
    measured.webhooks = found
    measured.warnings.push(...warnings)
  }
  if (plan.scenarios.includes('nodes')) {
    const { warnings, ...found } = await measureNodes(plan, say, profileDir)
    measured.nodes = found
    measured.warnings.push(...warnings)
  }
  return measured
}

async function runOverlays(plan: Plan, say: Say, measured: Measured, profileDir: string | undefined): Promise<void> {
  const dataDir = temporaryDataDir()
  const wants = (name: Plan['scenarios'][number]) => plan.scenarios.includes(name)
  const samples = createSamples()
  try {
    say('starting a server on an empty data directory')
    let server = await startServer(dataDir, { profileDir })
    try {
      say(`making ${plan.overlays} overlays`)
      const tally = await produce(server, plan.overlays)
      const [trigger] = tally.triggers
      if (!trigger) throw new Error('no trigger')
      const frameBytes = await measureFrame(server, tally, samples)
      say(`frames of ${frameBytes} bytes; the bare server sends as many`)
      const like = { overlays: plan.overlays, trigger, frameBytes }
      const reference = await startReference({ kind: 'bare', ...like })
      const committing =
        wants('push') || wants('trigger')
          ? await startReference({ kind: 'bare', ...like, databaseUrl: databaseUrl(dataDir) })
          : undefined
      const fastify = wants('trigger') ? await startReference({ kind: 'fastify', ...like }) : undefined
      try {
        const bench = { plan, say, samples, server, tally, reference, committing, fastify }
        if (wants('push') || wants('trigger') || wants('crowd') || wants('maximum')) await warmUp(bench)
        if (wants('trigger')) measured.trigger = await costOfTrigger(bench)
        if (wants('push')) measured.push = await push(bench)
        if (wants('crowd')) measured.crowd = await crowd(bench)
        if (wants('maximum')) measured.maximum = await maximum(bench)
      } finally {
        reference.stop()
        committing?.stop()
        fastify?.stop()
      }
      if (wants('idle')) {
        await server.stop()
        server = await startServer(dataDir)
        measured.idle = await idle(plan, say, samples, server, tally)
      }
    } catch (error) {
      for (const line of server.warnings().slice(0, 5)) say(`server: ${line}`)
      if (!server.running()) throw new Error(`the server ended with ${server.ended()}`, { cause: error })
      throw error
    } finally {
      measured.warnings.push(...server.warnings())
      await server.stop()
    }
    if (wants('start')) measured.start = await starts(plan, say, dataDir)
  } finally {
    removeDataDir(dataDir)
  }
}

/** Bytes of a frame, from a few triggers. */
async function measureFrame(server: Server, tally: Target, samples: Samples): Promise<number> {
  const stage = await openStage(tally, 1, samples, { server: server.pid })
  const { frameBytes } = await measurePush(stage, { rate: 100, seconds: 0.5 })
  await stage.renderers.close()
  return frameBytes
}

/** A server in a show has run for hours; one that just started spends its time compiling. */
async function warmUp({ plan, say, samples, server, tally, reference, committing, fastify }: Bench): Promise<void> {
  const references = [reference, committing, fastify].filter((one) => one !== undefined)
  for (const { target, pid } of [{ target: tally, pid: server.pid }, ...references]) {
    say(`warming up ${target.name}`)
    const stage = await openStage(target, plan.renderers, samples, { server: pid })
    await measureMaximum(stage, { inFlight: 64, seconds: plan.warmUpSeconds, client: 'raw' })
    await stage.renderers.close()
  }
}

async function compared<Run>(
  bench: Bench,
  each: number,
  run: (stage: Stage, nth: number) => Promise<Run>,
  { overlays, committing }: { overlays?: number; committing?: Reference | undefined } = {},
) {
  const { server, reference, samples } = bench
  const first = (target: Target) => (overlays ? { ...target, overlays: target.overlays.slice(0, overlays) } : target)
  const processes = { server: server.pid, postgres: server.postgresPids }
  const tally = await openStage(first(bench.tally), each, samples, processes, server.dataDir)
  const bare = await openStage(first(reference.target), each, samples, { server: reference.pid })
  const durable = committing ? await openStage(committing.target, each, samples, { server: committing.pid }) : undefined
  const result: Compared<Run> = { tally: [], reference: [], ...(durable && { committing: [] }) }
  for (let nth = 1; nth <= bench.plan.runs; nth++) {
    result.tally.push(await run(tally, nth))
    result.reference.push(await run(bare, nth))
    if (durable) result.committing?.push(await run(durable, nth))
  }
  await tally.renderers.close()
  await bare.renderers.close()
  await durable?.renderers.close()
  return result
}

const pushLine = ({ push, rest }: PushRun) =>
  `push p50 ${percentile(push, 50)} p99 ${percentile(push, 99)} ms, REST p99 ${percentile(rest, 99)} ms`

const push = (bench: Bench) => {
  const { plan, say } = bench
  const { rate, seconds, overlays, renderers } = plan
  const measure = async (stage: Stage, nth: number) => {
    const run = await measurePush(stage, { rate, seconds })
    say(`${rate}/s over ${overlays} overlays × ${renderers}, ${stage.target.name}, run ${nth}: ${pushLine(run)}`)
    return run
  }
  return compared(bench, renderers, measure, { committing: bench.committing })
}

const crowd = (bench: Bench) => {
  const { plan, say } = bench
  const { rate, renderers } = plan.crowd
  const measure = async (stage: Stage, nth: number) => {
    const run = await measurePush(stage, { rate, seconds: plan.seconds })
    say(`${rate}/s on one overlay × ${renderers}, ${stage.target.name}, run ${nth}: ${pushLine(run)}`)
    return run
  }
  return compared(bench, renderers, measure, { overlays: 1 })
}

async function maximum(bench: Bench): Promise<MaximumResult[]> {
  const { plan, say } = bench
  const { client, seconds } = plan
  const results: MaximumResult[] = []
  for (const inFlight of plan.inFlight) {
    const idempotent: MaximumRun[] = []
    const measure = async (stage: Stage, nth: number) => {
      const run = await measureMaximum(stage, { inFlight, seconds, client })
      const { serverMicros, postgresMicros, machineBusy } = run.cost
      say(
        `${inFlight} in flight, ${stage.target.name}, run ${nth}: ${run.perSecond}/s, server ${serverMicros} µs, PostgreSQL ${postgresMicros} µs, ${machineBusy} cores busy`,
      )
      if (stage.target === bench.tally && inFlight === plan.inFlight[0]) {
        const keyed = await measureMaximum(stage, { inFlight, seconds, client, idempotencyKeys: true })
        say(`${inFlight} in flight with Idempotency-Key, run ${nth}: ${keyed.perSecond}/s`)
        idempotent.push(keyed)
      }
      return run
    }
    results.push({ inFlight, ...(await compared(bench, plan.renderers, measure)), idempotent })
  }
  return results
}

async function idle(plan: Plan, say: Say, samples: Samples, server: Server, tally: Target): Promise<IdleResult> {
  const { renderers: count, settleMs } = plan.idle
  const keys = tally.overlays.map(({ key }) => key)
  const shared = { samples, triggers: tally.triggers }
  // the first sockets warm up code that any socket needs, which belongs to the idle server
  const first = await openRenderers(server.url, keys, 2, shared)
  await first.close()
  await sleep(settleMs)
  const beforeMb = server.memory().serverMb
  const startedAt = now()
  const renderers = await openRenderers(server.url, keys, Math.ceil(count / keys.length), shared)
  const connectSeconds = (now() - startedAt) / 1000
  await sleep(settleMs)
  const { serverMb: afterMb, postgresMb } = server.memory()
  const { closed } = await renderers.seen()
  await renderers.close()
  if (closed > 0) throw new Error(`${closed} idle renderers were closed`)
  say(`${count} idle renderers: ${beforeMb} MB before, ${afterMb} MB after`)
  return { renderers: count, beforeMb, afterMb, postgresMb, connectSeconds }
}

async function starts(plan: Plan, say: Say, initialized: string): Promise<StartResult> {
  const result: StartResult = { emptyMs: [], initializedMs: [] }
  const measure = async (dataDir: string) => {
    const server = await startServer(dataDir)
    await server.stop()
    return server.startMs
  }
  for (let nth = 1; nth <= plan.starts; nth++) {
    result.initializedMs.push(await measure(initialized))
    const empty = temporaryDataDir()
    try {
      result.emptyMs.push(await measure(empty))
    } finally {
      removeDataDir(empty)
    }
    say(`start ${nth}: ${result.initializedMs.at(-1)} ms initialized, ${result.emptyMs.at(-1)} ms empty`)
  }
  return result
}
