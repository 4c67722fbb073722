import { createMeter, type Meter } from './meter.ts'
import type { Measured, MediaEngine } from './ports.ts'

const SAMPLE_MS = 1_000
const NOTHING: Measured = { bitrateKb: null, history: [] }

/** Measures the video that comes in, by the bytes that the engine has taken in. The history of an input outlives its connections. */
export function measureInputs(engine: MediaEngine, flowing: () => readonly number[]) {
  const meters = new Map<number, Meter>()

  const sample = async (inputId: number) => {
    const stats = await engine.stats(engine.inputPath(inputId))
    if (!stats) return
    const meter = meters.get(inputId) ?? createMeter()
    meters.set(inputId, meter)
    meter.sample(stats.bytesIn, Date.now())
  }
  // an engine that does not answer now is asked again
  const timer = setInterval(() => {
    for (const inputId of flowing()) sample(inputId).catch(() => {})
  }, SAMPLE_MS)
  timer.unref()

  return {
    measured: (inputId: number): Measured => meters.get(inputId)?.measured(Date.now()) ?? NOTHING,
    forget: (inputId: number): void => void meters.delete(inputId),
    close: (): void => clearInterval(timer),
  }
}
