import { sleep, until } from './clock.ts'
import { type ProcessCost, type Processes, processCost } from './cost.ts'
import { measureDisk } from './disk.ts'
import { type Closed, closedLoop } from './load.ts'
import { type Paced, pacedLoad } from './paced.ts'
import { openRenderers, type Renderers } from './renderers.ts'
import type { Samples } from './samples.ts'
import { type Distribution, distribution, round } from './stats.ts'
import type { Target } from './target.ts'

/** A target with its renderers connected. `directory`: where it makes durable what it answers. */
export type Stage = {
  target: Target
  renderers: Renderers
  each: number
  samples: Samples
  processes: Processes
  directory: string | undefined
}

/** Latency over the time of a run, for the plot: a point per slice. */
export type Timeline = { sliceMs: number; p50: number[]; p99: number[] }

type Delivery = {
  /** Frames that renderers should have got and got. */
  expected: number
  frames: number
  frameBytes: number
  backwards: number
  paints: number
  closed: number
}

export type PushRun = Delivery & {
  rate: number
  seconds: number
  accepted: number
  statuses: Record<string, number>
  push: Distribution
  rest: Distribution
  lag: Distribution
  timeline: Timeline
  cost: ProcessCost
  /** The disk just before, ms per fdatasync, where what is answered is durable. */
  disk?: Distribution
  failed: string[]
}

export type MaximumRun = Delivery & {
  inFlight: number
  seconds: number
  perSecond: number
  statuses: Record<string, number>
  rest: Distribution
  cost: ProcessCost
  disk?: Distribution
}

/** Connects `each` renderers to each overlay of the target. */
export async function openStage(
  target: Target,
  each: number,
  samples: Samples,
  processes: Processes,
  directory?: string,
): Promise<Stage> {
  const keys = target.overlays.map(({ key }) => key)
  const renderers = await openRenderers(target.url, keys, each, { samples, triggers: target.triggers })
  return { target, renderers, each, samples, processes, directory }
}

/** Enough to see a stall that comes once in a few hundred. */
const diskProbe = { writes: 1000, atMostMs: 1000 }

const diskOf = ({ directory }: Stage) => (directory === undefined ? {} : { disk: measureDisk(directory, diskProbe) })

let nextNumber = 1

/** One open-loop run: push latency from the intended send time to the frame at a renderer, with a warm-up before it. */
export async function measurePush(stage: Stage, load: Omit<Paced, 'firstNumber'>): Promise<PushRun> {
  const { samples, target, renderers } = stage
  if (nextNumber + (load.seconds + 2) * load.rate > samples.intended.length) nextNumber = 1
  const paced = (seconds: number) => {
    const firstNumber = nextNumber
    nextNumber += Math.round(load.rate * seconds)
    return pacedLoad(target, samples, { ...load, seconds, firstNumber })
  }
  await paced(Math.min(1, load.seconds / 2))
  await quiet(renderers)
  await renderers.measure(nextNumber)
  const disk = diskOf(stage)
  const cost = processCost(stage.processes)
  const firstNumber = nextNumber
  const result = await paced(load.seconds)
  const spent = cost(result.accepted)
  const delivery = await delivered(stage, result.accepted)
  const count = Math.min(samples.count[0] ?? 0, samples.latency.length)
  return {
    ...delivery,
    rate: load.rate,
    seconds: round(result.seconds),
    accepted: result.accepted,
    statuses: result.statuses,
    push: distribution(samples.latency.slice(0, count)),
    rest: distribution(result.latency),
    lag: distribution(result.lag),
    timeline: timeline(samples, count, firstNumber, load.rate),
    cost: spent,
    ...disk,
    failed: result.failed,
  }
}

/** One closed-loop run: how many triggers a second come back answered with `inFlight` always under way. */
export async function measureMaximum(stage: Stage, load: Closed): Promise<MaximumRun> {
  const { target, renderers } = stage
  await closedLoop(target, { ...load, seconds: Math.min(1, load.seconds) })
  await quiet(renderers)
  await renderers.measure(1)
  const disk = diskOf(stage)
  const cost = processCost(stage.processes)
  const result = await closedLoop(target, load)
  const spent = cost(result.accepted)
  const delivery = await delivered(stage, result.accepted)
  return {
    ...delivery,
    inFlight: load.inFlight,
    seconds: round(result.seconds),
    perSecond: Math.round(result.accepted / result.seconds),
    statuses: result.statuses,
    rest: distribution(result.latency),
    cost: spent,
    ...disk,
  }
}

/** Waits until no frame has come for a while. */
async function quiet(renderers: Renderers): Promise<void> {
  let before = -1
  await until('the renderers to have read everything', 20_000, 60, async () => {
    const { frames } = await renderers.seen()
    const still = frames === before
    before = frames
    return still
  })
}

async function delivered(stage: Stage, accepted: number): Promise<Delivery> {
  const expected = accepted * stage.each
  await sleep(50)
  await quiet(stage.renderers)
  const { frames, bytes, backwards, paints, closed } = await stage.renderers.seen()
  const frameBytes = frames > 0 ? Math.round(bytes / frames) : 0
  return { expected, frames, frameBytes, backwards, paints, closed }
}

function timeline({ latency, trigger }: Samples, count: number, firstNumber: number, rate: number): Timeline {
  const sliceMs = 250
  const perSlice = Math.max(1, Math.round((rate * sliceMs) / 1000))
  const slices: number[][] = []
  for (let i = 0; i < count; i++) {
    const slice = Math.floor(((trigger[i] ?? 0) - firstNumber) / perSlice)
    const values = slices[slice] ?? []
    values.push(latency[i] ?? 0)
    slices[slice] = values
  }
  const at = (values: number[] | undefined, share: number) =>
    round(values?.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0)
  const indexes = Array.from(slices.keys())
  return { sliceMs, p50: indexes.map((i) => at(slices[i], 0.5)), p99: indexes.map((i) => at(slices[i], 0.99)) }
}
