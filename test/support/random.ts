/** Random choices that a seed repeats. */
export type Random = {
  /** From 0 up to but not including 1. */
  next(): number
  /** A whole number below `limit`. */
  below(limit: number): number
  pick<T>(of: readonly [T, ...T[]]): T
  chance(probability: number): boolean
}

/** Mulberry32: small, and good enough to shuffle tests. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { next, below, pick: (of) => of[below(of.length)] ?? of[0], chance: (probability) => next() < probability }
}
