const SAMPLES = 3
const AGAIN_MS = 30_000
const LOOK_MS = 3_000
/** More than clocks are slewed by between two measurements. */
const SLEPT_MS = 500

/** Milliseconds on a clock that no operator can turn back. */
export const localNow = () => performance.timeOrigin + performance.now()

/** Jumps when the computer slept: most systems stop the clock of `localNow` meanwhile. */
const passedAsleep = () => Date.now() - localNow()

/**
 * Measures how far the server's clock is ahead, with the sample that travelled fastest, and tells each new answer: each half
 * minute, and soon after the computer slept or the server was out of reach. The function that it returns asks for one at once.
 */
export function followServerTime(url: string, tell: (offsetMs: number, roundTripMs: number) => void): () => void {
  let runs = 0
  let dueAt = 0
  let asleep = 0
  const sample = async () => {
    const sent = localNow()
    const response = await fetch(url, { cache: 'no-store' })
    const server = Number(await response.text())
    const roundTripMs = localNow() - sent
    return { offsetMs: server - (sent + roundTripMs / 2), roundTripMs, valid: response.ok && Number.isFinite(server) }
  }
  const measure = async () => {
    // a request that hangs on a dead line does not hold up the next round, which makes its answer an old one
    const run = ++runs
    dueAt = localNow() + AGAIN_MS
    asleep = passedAsleep()
    try {
      let best: Awaited<ReturnType<typeof sample>> | undefined
      for (let count = 0; count < SAMPLES; count++) {
        const next = await sample()
        if (next.valid && (!best || next.roundTripMs < best.roundTripMs)) best = next
      }
      if (best && run === runs) tell(best.offsetMs, best.roundTripMs)
    } catch {
      // out of reach: the last offset stays right enough
      if (run === runs) dueAt = 0
    }
  }
  const look = () => {
    if (localNow() >= dueAt || Math.abs(passedAsleep() - asleep) > SLEPT_MS) void measure()
  }
  look()
  window.setInterval(look, LOOK_MS)
  return () => void measure()
}
