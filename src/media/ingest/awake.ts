const TICK_MS = 250
/** A turn of the loop may take this long; more is the time of a process that did not run. */
const MOST_MS = 2 * TICK_MS

/**
 * A clock for silences, in ms: it stands while this process is stopped, suspended or without a processor, since packets of that
 * time are heard only afterwards, and setting the time of the machine does not move it.
 */
export function createAwake(): { now(): number; stop(): void } {
  let counted = 0
  let since = performance.now()
  const now = () => counted + Math.min(performance.now() - since, MOST_MS)
  const tick = () => {
    counted = now()
    since = performance.now()
  }
  const timer = setInterval(tick, TICK_MS)
  timer.unref()
  return { now, stop: () => clearInterval(timer) }
}
