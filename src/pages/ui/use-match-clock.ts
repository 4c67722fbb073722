import { useEffect, useState } from 'react'
import { clockText, clockValue, type MatchClock, untilNextSecond } from '../shared/clock.ts'
import { localNow } from '../shared/server-time.ts'

/** The text of a match clock now. It stands while `runs` is false: nobody knows then whether the match goes on. */
export function useMatchClock(clock: MatchClock, serverOffsetMs: number, runs: boolean): string {
  const [value, setValue] = useState(() => clockValue(clock, localNow() + serverOffsetMs))
  useEffect(() => {
    if (!runs) return
    let timer = 0
    // a second of the match begins when it began, not with one of the day
    const tick = () => {
      const next = clockValue(clock, localNow() + serverOffsetMs)
      setValue(next)
      if (clock.running) timer = window.setTimeout(tick, untilNextSecond(next, clock.direction) + 5)
    }
    tick()
    return () => window.clearTimeout(timer)
  }, [clock, serverOffsetMs, runs])
  return clockText(value, clock.direction)
}
