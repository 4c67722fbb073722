import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Origin, originOf } from './connection.ts'
import type { Seen } from './renderer.ts'
import type { Samples, Trigger } from './samples.ts'

export type ThreadData = { origin: Origin; samples: Samples; triggers: readonly Trigger[]; paints: boolean }

export type Ask =
  | { type: 'open'; keys: string[] }
  | { type: 'measure'; firstNumber: number }
  | { type: 'seen' }
  | { type: 'close' }

/** Real WebSocket renderers, in a thread of their own. */
export type Renderers = {
  /** Counts from here on; running numbers below are warm-up. */
  measure(firstNumber: number): Promise<void>
  seen(): Promise<Seen>
  close(): Promise<void>
}

/** Opens `each` renderers on every overlay key and resolves when all of them have said READY. */
export async function openRenderers(
  url: string,
  keys: readonly string[],
  each: number,
  shared: { samples: Samples; triggers: readonly Trigger[]; paints?: boolean },
): Promise<Renderers> {
  const { samples, triggers, paints = true } = shared
  const workerData: ThreadData = { origin: originOf(url), samples, triggers, paints }
  const worker = new Worker(new URL('./renderer-thread.js', import.meta.url), { workerData })
  const ask = async (question: Ask): Promise<Seen> => {
    worker.postMessage(question)
    const [answer] = (await once(worker, 'message')) as [{ seen: Seen; error?: string }]
    if (answer.error) throw new Error(answer.error)
    return answer.seen
  }
  const close = async () => {
    await ask({ type: 'close' })
    await worker.terminate()
  }
  try {
    await ask({ type: 'open', keys: Array.from({ length: each }, () => keys).flat() })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  return {
    measure: async (firstNumber) => {
      await ask({ type: 'measure', firstNumber })
    },
    seen: () => ask({ type: 'seen' }),
    close,
  }
}
