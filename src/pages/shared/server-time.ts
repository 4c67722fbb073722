const SAMPLES = 3
const AGAIN_MS = 30_000

/** Milliseconds on a clock that no operator can turn back. */
export const localNow = () => performance.timeOrigin + performance.now()

/** Measures how far the server's clock is ahead, with the sample that travelled fastest, and tells each new answer. */
export function followServerTime(url: string, tell: (offsetMs: number, roundTripMs: number) => void) {
  const sample = async () => {
    const sent = localNow()
    const response = await fetch(url, { cache: 'no-store' })
    const server = Number(await response.text())
    const roundTripMs = localNow() - sent
    return { offsetMs: server - (sent + roundTripMs / 2), roundTripMs, valid: response.ok && Number.isFinite(server) }
  }
  const measure = async () => {
    try {
      let best: Awaited<ReturnType<typeof sample>> | undefined
      for (let count = 0; count < SAMPLES; count++) {
        const next = await sample()
        if (next.valid && (!best || next.roundTripMs < best.roundTripMs)) best = next
      }
      if (best) tell(best.offsetMs, best.roundTripMs)
    } catch {
      // out of reach: the last offset stays right enough
    }
  }
  void measure()
  window.setInterval(measure, AGAIN_MS)
}
