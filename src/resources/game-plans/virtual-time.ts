import type { Rule } from '../../../machines/game-plan/rule.ts'
import type { Match } from '../../../machines/match-model.ts'
import { invalid } from '../../errors.ts'
import { createBreaths } from '../breaths.ts'
import type { Happening } from './played-match.ts'
import type { Rehearsal } from './rehearsal.ts'
import type { Timeline } from './timeline.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 86_400 * SECOND

/** The overlay is automatic from so long before the match until so long after it, unless the match says. */
const BEFORE = 60
const AFTER = 15
/** A match that is not over goes on for so long after its last happening. */
const TAIL = MINUTE

/** A stretch of virtual time; `startsAt` is where the match begins. Times are ms since 1970. */
export type Span = { begin: number; startsAt: number; end: number }

type Parts = { happenings: readonly Happening[]; rules: readonly Rule[]; until: number }

/** The time in which a plan is played on a match: with its automation before and after, and the times that rules name. */
export function spanOf({ settings, facts, play }: Match, { happenings, rules, until }: Parts): Span {
  const { date, pregameAutomationTime, postgameAutomationTime } = settings
  const [first] = facts
  const startsAt = Date.parse((facts.find(({ type }) => type === 'matchStart') ?? first)?.timestamp ?? date)
  const firstAt = Math.min(startsAt, ...(first ? [Date.parse(first.timestamp)] : []))
  const times = rules.flatMap(({ trigger }) => (trigger.type === 'time' ? [trigger] : []))
  const dated = times.flatMap(({ of, offsetSeconds }) =>
    of === 'date' ? [Date.parse(date) + offsetSeconds * SECOND - SECOND] : [],
  )
  const automatic = firstAt - (pregameAutomationTime ?? BEFORE) * MINUTE
  const begin = Math.min(automatic, ...dated.filter((at) => at > firstAt - DAY))
  const last = Math.max(firstAt, until, ...happenings.slice(-1).map(({ at }) => at))
  if (play.state !== 'finished') return { begin, startsAt, end: last + TAIL }
  const ended = facts.findLast(({ type }) => type === 'matchEnd')
  const over = ended ? Date.parse(ended.timestamp) : last
  const latest = Math.max(
    0,
    ...times.map(({ of, offsetSeconds }) => (of === 'matchEnd' ? offsetSeconds + TAIL / SECOND : 0)),
  )
  return { begin, startsAt, end: over + Math.max((postgameAutomationTime ?? AFTER) * MINUTE, latest * SECOND) }
}

/** The limits of one simulation. */
const MOST = {
  /** Lines of the time line: more of them nobody reads. */
  lines: 20_000,
  steps: 100_000,
  /** Firings that wait for their delay or their layer. */
  inLine: 2_000,
  /** Without the breaths in between. */
  workMs: 5_000,
}

/**
 * Makes a function to await after each step of a simulation, which lets everybody else be answered. Throws invalid when a plan does more
 * than a simulation may.
 */
export function createAllowance({ lines }: Pick<Timeline, 'lines'>, rehearsal: Pick<Rehearsal, 'plan'>, most = MOST) {
  const breathe = createBreaths()
  let steps = 0
  let workedMs = 0
  let since = performance.now()
  return async (): Promise<void> => {
    steps += 1
    const { waiting, layers } = rehearsal.plan
    const inLine = Object.values(layers).reduce((sum, { queue }) => sum + queue.length, waiting.length)
    workedMs += performance.now() - since
    if (lines.length > most.lines) throw tooMuch(`its time line has more than ${most.lines} lines`)
    if (steps > most.steps) throw tooMuch(`it looks more than ${most.steps} times`)
    if (inLine > most.inLine) throw tooMuch(`more than ${most.inLine} firings wait at once`)
    if (workedMs > most.workMs) throw tooMuch(`to play it takes longer than ${most.workMs} ms`)
    await breathe()
    since = performance.now()
  }
}

const tooMuch = (what: string) =>
  invalid({ 'body.rules': { message: `the plan does too much in this match: ${what}` } })
