import { useEffect, useState } from 'react'
import { localNow } from '../shared/server-time.ts'

/** The server's time in ms since 1970, again each second, right after the second has begun; it stands while it is told not to tick. */
export function useNow(serverOffsetMs: number, isTicking = true): number {
  const [now, setNow] = useState(() => localNow() + serverOffsetMs)
  useEffect(() => {
    if (!isTicking) return
    let timer = 0
    const tick = () => {
      const time = localNow() + serverOffsetMs
      setNow(time)
      timer = window.setTimeout(tick, 1_000 - (time % 1_000) + 5)
    }
    tick()
    return () => window.clearTimeout(timer)
  }, [serverOffsetMs, isTicking])
  return now
}
