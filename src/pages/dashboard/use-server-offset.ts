import { useSyncExternalStore } from 'react'
import { followServerTime } from '../shared/server-time.ts'

let offsetMs = 0
let following = false
const listeners = new Set<() => void>()

function follow(listener: () => void) {
  listeners.add(listener)
  if (!following) {
    following = true
    followServerTime('/time', (measured) => {
      // a jitter of the network is no reason to draw anew
      if (Math.abs(measured - offsetMs) < 20) return
      offsetMs = measured
      for (const each of listeners) each()
    })
  }
  return () => listeners.delete(listener)
}

/** How many ms the server's clock is ahead of this one; 0 until it was measured. */
export const useServerOffset = (): number => useSyncExternalStore(follow, () => offsetMs)
