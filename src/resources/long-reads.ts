import { unavailable } from '../errors.ts'

export type LongReadsOptions = {
  /** How many run at a time. */
  most: number
  /** How many of these may be of one organization; all of them unless said. */
  mostOfOne?: number
  /** How many may wait to begin. */
  mostWaiting?: number
  /** How long a read may wait to begin: later no client waits for its answer any more. */
  patienceMs?: number
}

type Waiting = { organizationId: number; go(): void }

/**
 * Makes a function that runs work which reads much a few at a time, so that connections and the processor are left to graphics
 * on air, however many ask at once; an organization with many running lets others pass. Throws unavailable when too many wait, or
 * one has waited too long. `enter` is for work that is done in parts: it answers the function that leaves.
 */
export function createLongReads({ most, mostOfOne = most, mostWaiting = 16, patienceMs = 8_000 }: LongReadsOptions) {
  let running = 0
  const runningOf = new Map<number, number>()
  const waiting = new Set<Waiting>()
  const isFree = (organizationId: number) => running < most && (runningOf.get(organizationId) ?? 0) < mostOfOne
  const count = (organizationId: number, change: 1 | -1) => {
    running += change
    const own = (runningOf.get(organizationId) ?? 0) + change
    if (own === 0) runningOf.delete(organizationId)
    else runningOf.set(organizationId, own)
  }
  const waitOutside = (organizationId: number) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(one)
        reject(unavailable())
      }, patienceMs)
      const one: Waiting = {
        organizationId,
        go() {
          clearTimeout(timer)
          waiting.delete(one)
          // before another read can see the place free
          count(organizationId, 1)
          resolve()
        },
      }
      waiting.add(one)
    })
  const leave = (organizationId: number) => {
    count(organizationId, -1)
    for (const one of waiting)
      if (isFree(one.organizationId)) {
        one.go()
        return
      }
  }
  const enter = async (organizationId: number): Promise<() => void> => {
    if (isFree(organizationId)) count(organizationId, 1)
    else if (waiting.size >= mostWaiting) throw unavailable()
    else await waitOutside(organizationId)
    return () => leave(organizationId)
  }
  const run = async <T>(work: () => Promise<T>, organizationId = 0): Promise<T> => {
    const done = await enter(organizationId)
    try {
      return await work()
    } finally {
      done()
    }
  }
  return Object.assign(run, { enter })
}

/**
 * Reads of the log and of its proof, which share the slow connections: of an organization two at a time, answers still being sent
 * among them. Each holds one page in memory.
 */
export const logReads = createLongReads({ most: 16, mostOfOne: 2, mostWaiting: 32 })

/** As `logReads`, for an answer that is sent in parts: it holds its place from the first to the last one. */
export async function* heldRead(organizationId: number, parts: () => AsyncIterable<string>): AsyncGenerator<string> {
  const leave = await logReads.enter(organizationId)
  try {
    yield* parts()
  } finally {
    leave()
  }
}
