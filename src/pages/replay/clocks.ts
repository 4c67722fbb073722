import { clockText, clockValue, type MatchClock } from '../shared/clock.ts'

/** How fast time passes in the replay, and its time (ms since 1970). A rate of 0 stands still. */
export type Pace = { at: number; rate: number }

type Clocked = { clock?: MatchClock; match?: { clock?: MatchClock } }

const isObject = (value: unknown): value is Clocked => typeof value === 'object' && value !== null

const clockOf = (data: unknown): MatchClock | undefined =>
  isObject(data) ? (data.clock ?? data.match?.clock) : undefined

/**
 * The data of a graphic so that its clock shows the time of then. Graphics let a clock run by the time of today and
 * at its own pace; at any other it is given standing, and anew whenever its text changes.
 */
export function withClock(data: unknown, { at, rate }: Pace): unknown {
  const clock = clockOf(data)
  if (!isObject(data) || !clock?.running) return data
  const shown: MatchClock =
    rate === 1
      ? { ...clock, asOf: new Date(Date.now() - (at - Date.parse(clock.asOf))).toISOString() }
      : { ...clock, running: false, valueMs: clockValue(clock, at), asOf: new Date().toISOString() }
  return {
    ...data,
    ...(data.clock && { clock: shown }),
    ...(data.match?.clock && { match: { ...data.match, clock: shown } }),
  }
}

/** The text of a running clock in the data; undefined when none runs. */
export function clockShown(data: unknown, at: number): string | undefined {
  const clock = clockOf(data)
  return clock?.running ? textAt(clock, at) : undefined
}

/** A match clock as people read it. */
export const textAt = (clock: MatchClock, at: number) => clockText(clockValue(clock, at), clock.direction)
