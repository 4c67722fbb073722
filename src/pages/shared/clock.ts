/** spec: sport data, `match.clock`; `limitMs` is the time at which it stops by itself, as far as that is told. */
export type MatchClock = {
  running: boolean
  valueMs: number
  asOf: string
  direction: 'up' | 'down'
  limitMs?: number | null
}

/** Milliseconds on the match clock at this server time, never below zero. */
export function clockValue({ running, valueMs, asOf, direction, limitMs }: MatchClock, now: number): number {
  const passed = running ? Math.max(0, now - Date.parse(asOf)) : 0
  if (direction === 'down') return Math.max(0, valueMs - passed)
  // one that was set beyond its limit stays there
  return Math.max(0, valueMs, Math.min(valueMs + passed, limitMs ?? Number.POSITIVE_INFINITY))
}

/** `mm:ss`, with as many minutes as there are: 07:05, 45:00, 104:31. */
export function clockText(valueMs: number, direction: MatchClock['direction'] = 'up'): string {
  // a clock that counts down reaches zero when its last second is over, not when it begins
  const seconds = direction === 'down' ? Math.ceil(valueMs / 1000) : Math.floor(valueMs / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}

/** Milliseconds until the text changes. */
export function untilNextSecond(valueMs: number, direction: MatchClock['direction']): number {
  const part = valueMs % 1000
  return direction === 'down' ? part || 1000 : 1000 - part
}
