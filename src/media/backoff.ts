const STEPS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
const JITTER = 0.2

/** How long to wait after this many failures in a row (the first is 1): 1, 2, 4, 8, 15, then 30 s, ±20 %. `random` is in [0, 1). */
export function backoffMs(failures: number, random: number): number {
  const step = STEPS_MS[Math.min(failures, STEPS_MS.length) - 1] ?? STEPS_MS[0] ?? 0
  return Math.round(step * (1 - JITTER + 2 * JITTER * random))
}
