import { parentPort, workerData } from 'node:worker_threads'
import { now } from './clock.ts'

export type TickerData = { firstAt: number; intervalMs: number; count: number; stop: Int32Array }

// A thread that sleeps in Atomics.wait: a timer of the event loop is a whole millisecond late, this one 0.06 ms.
const { firstAt, intervalMs, count, stop } = workerData as TickerData
for (let i = 0; i < count && stop[0] === 0; i++) {
  const waitMs = firstAt + i * intervalMs - now()
  if (waitMs > 0) Atomics.wait(stop, 0, 0, waitMs)
  parentPort?.postMessage(i)
}
