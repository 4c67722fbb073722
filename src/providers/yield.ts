import { setImmediate as nextTurn } from 'node:timers/promises'

const HOLD_MS = 4

/** A point to pass often in long work: other requests are served there, since the same process answers operators. */
export function yieldOften(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < HOLD_MS) return
    await nextTurn()
    since = performance.now()
  }
}
