import type { BitratePoint, Measured } from './ports.ts'

const WINDOW_MS = 5_000
/** Video that the engine kept for new readers comes at once, and is no rate. */
const SETTLE_MS = 1_000
/** A rate over less is noise. */
const STEADY_MS = 750
/** Samples come at least this often while something flows. */
const LATE_MS = 1_500
const POINT_EACH_MS = 5_000
const POINTS = 120

export interface Meter {
  /** Another connection, counted anew; a rate over less than `steadyMs` is none. */
  begin(steadyMs?: number): void
  /** Bytes counted from any beginning, at a time in ms since 1970. Fewer than before: counting began anew. */
  sample(totalBytes: number, at: number): void
  /** The rate and its history as of this time. */
  measured(at: number): Measured
}

/** The rate of a connection over five seconds, and its history of ten minutes. It may outlive a connection. */
export function createMeter(): Meter {
  let samples: { at: number; bytes: number }[] = []
  let steady = STEADY_MS
  let openedAt: number | null = null
  let lastPointAt: number | null = null
  const history: BitratePoint[] = []

  const rate = (at: number): number | null => {
    const recent = samples.filter((sample) => at - sample.at <= WINDOW_MS)
    const [first, last] = [recent[0], recent.at(-1)]
    if (!first || !last || last.at - first.at < steady || last.bytes === first.bytes) return null
    // the rate of video that has stopped fades
    const until = at - last.at > LATE_MS ? at : last.at
    return Math.round(((last.bytes - first.bytes) * 8) / (until - first.at))
  }

  const begin = (steadyMs = STEADY_MS) => {
    steady = steadyMs
    samples = []
    openedAt = null
  }

  return {
    begin,
    sample(bytes, at) {
      const last = samples.at(-1)
      // the clock was set back: samples of later than now would be the newest for as long as that
      const setBack = (last && at < last.at) || (openedAt !== null && at < openedAt)
      if (setBack || (last && bytes < last.bytes)) begin(steady)
      if (lastPointAt !== null && at < lastPointAt) {
        while ((history.at(-1)?.at ?? 0) > at) history.pop()
        lastPointAt = null
      }
      if (bytes === 0) return
      openedAt ??= at
      if (at - openedAt < SETTLE_MS) return
      samples = [...samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytes }]
      if (lastPointAt !== null && at - lastPointAt < POINT_EACH_MS) return
      const bitrateKb = rate(at)
      if (bitrateKb === null && lastPointAt === null) return
      lastPointAt = at
      history.push({ at: Math.round(at), bitrateKb: bitrateKb ?? 0 })
      if (history.length > POINTS) history.shift()
    },
    measured: (at) => ({ bitrateKb: rate(at), history: [...history] }),
  }
}
