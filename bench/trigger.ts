import type { Bench } from './bench.ts'
import { type MaximumRun, measureMaximum, measurePush, openStage, type PushRun } from './push.ts'
import type { Reference } from './reference-server.ts'
import { percentile } from './stats.ts'

/** The cost of a trigger on one overlay, beside the server a user would write and the least one that is durable; run by run in turn. */
export type TriggerResult = {
  /** At a fixed rate. */
  paced: { tally: PushRun[]; committing: PushRun[]; fastify: PushRun[] }
  /** As fast as it goes. */
  inFlight: { inFlight: number; tally: MaximumRun[]; keyed: MaximumRun[]; fastify: MaximumRun[] }[]
}

/** In the middle of `inFlight`: with an Idempotency-Key each, too. */
const keyedAt = (inFlight: readonly number[]) => inFlight[Math.floor(inFlight.length / 2)]

export async function costOfTrigger(bench: Bench): Promise<TriggerResult> {
  const { plan, say, samples, server, committing, fastify } = bench
  if (!committing || !fastify) throw new Error('the cost of a trigger is told beside other servers')
  const one = (target: Bench['tally']) => ({ ...target, overlays: target.overlays.slice(0, 1) })
  const stageOf = ({ target, pid }: Reference, directory?: string) =>
    openStage(one(target), plan.renderers, samples, { server: pid }, directory)
  const processes = { server: server.pid, postgres: server.postgresPids }
  const tally = await openStage(one(bench.tally), plan.renderers, samples, processes, server.dataDir)
  const durable = await stageOf(committing)
  const user = await stageOf(fastify)
  const { rate, seconds } = plan
  const paced = async (stage: typeof tally, nth: number) => {
    const run = await measurePush(stage, { rate, seconds })
    const { serverMicros, postgresMicros } = run.cost
    say(
      `${rate}/s on one overlay, ${stage.target.name}, run ${nth}: server ${serverMicros} µs, PostgreSQL ${postgresMicros} µs, push p50 ${percentile(run.push, 50)} p99 ${percentile(run.push, 99)} ms`,
    )
    return run
  }
  const closed = async (stage: typeof tally, nth: number, inFlight: number, idempotencyKeys = false) => {
    const load = { inFlight, seconds: plan.trigger.seconds, client: 'raw', idempotencyKeys } as const
    const run = await measureMaximum(stage, load)
    const { serverMicros, postgresMicros } = run.cost
    say(
      `${inFlight} in flight on one overlay${idempotencyKeys ? ' with Idempotency-Key' : ''}, ${stage.target.name}, run ${nth}: ${run.perSecond}/s, server ${serverMicros} µs, PostgreSQL ${postgresMicros} µs`,
    )
    return run
  }
  const result: TriggerResult = {
    paced: { tally: [], committing: [], fastify: [] },
    inFlight: plan.trigger.inFlight.map((inFlight) => ({ inFlight, tally: [], keyed: [], fastify: [] })),
  }
  for (let nth = 1; nth <= plan.runs; nth++) {
    result.paced.tally.push(await paced(tally, nth))
    result.paced.committing.push(await paced(durable, nth))
    result.paced.fastify.push(await paced(user, nth))
    for (const { inFlight, ...runs } of result.inFlight) {
      runs.tally.push(await closed(tally, nth, inFlight))
      if (inFlight === keyedAt(plan.trigger.inFlight)) runs.keyed.push(await closed(tally, nth, inFlight, true))
      runs.fastify.push(await closed(user, nth, inFlight))
    }
  }
  for (const { renderers } of [tally, durable, user]) await renderers.close()
  return result
}
