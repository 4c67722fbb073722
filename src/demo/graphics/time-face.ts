import { clockText, clockValue, untilNextSecond } from '../../pages/shared/clock.ts'
import type { GraphicData } from './data.ts'
import type { View } from './runtime.ts'
import { isHalfTime, lastHeadline, shootoutResult, situationFace } from './situation.ts'
import { given } from './text.ts'

/** The texts of a score bug's clock. Empty text is not shown. */
export type TimeFace = {
  /** The clock, the points of a game, or `HT`. */
  main: string
  /** The period. */
  label: string
  /** Time beyond the length of the period. */
  added: { main: string; detail: string } | undefined
  /** Milliseconds until it looks different by itself. */
  againMs: number | undefined
}

type Match = GraphicData['match']

const STOPPED: Readonly<Record<string, string>> = {
  delayed: 'Delayed',
  postponed: 'Postponed',
  suspended: 'Suspended',
  abandoned: 'Abandoned',
  cancelled: 'Cancelled',
}

/** The time at `now` (server time, ms). Values of an operator win over those of the match. */
export function timeFace({ variables, data }: Pick<View, 'variables' | 'data'>, now: number): TimeFace {
  const match = data.match
  const face = match ? matchFace(match, now) : { main: clockText(0), label: '', elapsed: '', againMs: undefined }
  const clock = given(variables.clock)
  const announced = given(variables.addedTime)?.replace(/^\+/, '')
  return {
    main: clock ?? face.main,
    label: given(variables.period) ?? face.label,
    added: addedTime(announced, clock === undefined ? face.elapsed : ''),
    againMs: clock === undefined ? face.againMs : undefined,
  }
}

function addedTime(announced: string | undefined, elapsed: string): TimeFace['added'] {
  if (announced !== undefined) return { main: `+${announced}`, detail: elapsed }
  return elapsed === '' ? undefined : { main: `+${elapsed}`, detail: '' }
}

type Face = { main: string; label: string; elapsed: string; againMs: number | undefined }

const still = (main: string, label: string): Face => ({ main, label, elapsed: '', againMs: undefined })

function matchFace(match: Match, now: number): Face {
  const { state, period, config } = match
  if (state === 'finished') return still(overFace(match), wayThere(match))
  if (state === 'break') return pause(match)
  const stopped = STOPPED[state]
  const label = stopped ?? period?.name ?? ''
  const situation = situationFace(match)
  if (situation && !stopped) return still(situation.main, situation.label)
  if (config && !config.useClock) return still('', label)
  if (stopped && !period) return still('', label)
  return { ...running(match, now), label }
}

/** How it came to the end. */
function wayThere(match: Match): string {
  const { period, config } = match
  return shootoutResult(match) || (period && period.number > config.periodCount ? 'After extra time' : '')
}

const OVER: Readonly<Record<string, string>> = { 'Full time': 'FT', 'Final score': 'Final', 'Match result': 'Result' }

/** `FT` where the sport says full time. */
const overFace = ({ sport }: Match): string => OVER[lastHeadline(sport)] ?? 'FT'

function pause(match: Match): Face {
  const { period, config } = match
  if (!period) return still('', 'Break')
  if (isHalfTime(match)) return still('HT', '')
  if (period.number === config.periodCount && overFace(match) === 'FT') return still('FT', '')
  return still('', `End of ${period.name}`)
}

function running({ clock, period, config }: Match, now: number): Omit<Face, 'label'> {
  const value = clockValue(clock, now)
  const againMs = clock.running ? untilNextSecond(value, clock.direction) : undefined
  const endMs = period?.endMs ?? null
  if (clock.direction === 'down' || endMs === null || value < endMs)
    return { main: clockText(value, clock.direction), elapsed: '', againMs }
  if (config.endBehaviour === 'stopAtLength') return { main: clockText(endMs), elapsed: '', againMs: undefined }
  if (!config.injuryTime) return { main: clockText(value), elapsed: '', againMs }
  return { main: clockText(endMs), elapsed: shortText(value - endMs), againMs }
}

/** `1:23`. */
const shortText = (ms: number) => clockText(ms).replace(/^0/, '')
