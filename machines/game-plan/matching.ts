import type { Fact, Match, MatchClock } from '../match-model.ts'
import { competitorOf, sideOf } from '../play/sides.ts'
import { type Memory, NO_MEMORY, type Plan, type Reason, type SeenMatch } from './model.ts'
import type { Phase, Rule, Trigger } from './rule.ts'

/** The match that a plan is played on; `at` is ms since 1970. */
export type Game = Pick<Match, 'facts' | 'competitors' | 'play'> & { date: string }

/** A trigger that matched. `reason`: why its rule does not fire, as far as that is known already. */
export type Occurrence = {
  rule: Rule
  order: number
  fact: Fact | null
  reason: Reason | null
  /** The trigger lasts, and matches again since an operator gave the layer of its rule back. */
  again?: true
}

/** The triggers that matched since the plan looked last, and the times that its rules are to remember. */
export type Happened = { occurrences: Occurrence[]; memories: Map<string, Memory> }

const PHASES: Partial<Record<SeenMatch['state'], Phase>> = {
  scheduled: 'pregame',
  delayed: 'pregame',
  live: 'live',
  break: 'break',
  finished: 'postgame',
}

/** A match as the plan sees it now, after it saw it as `before`. */
export function seenOf({ facts, play }: Game, before: SeenMatch | null, at: number): SeenMatch {
  const { state, period } = play
  const ended = state === 'finished'
  const end = ended ? facts.findLast(({ type }) => type === 'matchEnd') : undefined
  // a match that is interrupted is still in the period that it was in
  const interrupted = state === 'suspended' || state === 'delayed'
  return {
    lastFactId: facts.reduce((last, { id }) => Math.max(last, id), before?.lastFactId ?? 0),
    state,
    period: period?.number ?? 0,
    inPeriod: period !== null && (state === 'live' || (interrupted && (before?.inPeriod ?? false))),
    endedAt: ended ? (before?.endedAt ?? (end ? Date.parse(end.timestamp) : at)) : null,
  }
}

/** The time that a clock shows, ms. */
export function clockAt({ running, valueMs, asOf, direction }: MatchClock, at: number): number {
  if (!running) return valueMs
  const ran = Math.max(0, at - Date.parse(asOf))
  return direction === 'up' ? valueMs + ran : Math.max(0, valueMs - ran)
}

/** How far a clock is beyond a time, in ms: below zero the time is still to come. */
const beyond = (clock: MatchClock, seconds: number, at: number) =>
  clock.direction === 'up' ? clockAt(clock, at) - seconds * 1000 : seconds * 1000 - clockAt(clock, at)

const intervalOf = ({ state, period }: SeenMatch): { phase: Phase | undefined; during: string } => ({
  phase: PHASES[state],
  during: `${state} ${period}`,
})

/** In place of a period, or of 0 for a time of day, where its time was past before the rule could fire. */
const passedOver = (key: number) => -1 - key

/** The time of day of a rule, ms since 1970; undefined while it is not known. */
function momentOf({ of, offsetSeconds }: Extract<Trigger, { type: 'time' }>, game: Game, seen: SeenMatch) {
  const from = of === 'date' ? Date.parse(game.date) : seen.endedAt
  return from === null || Number.isNaN(from) ? undefined : from + offsetSeconds * 1000
}

const appliesTo = ({ period }: { period?: number | undefined }, seen: SeenMatch) =>
  seen.inPeriod && (period === undefined || period === seen.period)

export type MatchLook = { game: Game; seen: SeenMatch; at: number }

/** Triggers whose rules go on as long as the state or period that they wait for. game-plan: Rules of behaviour 4 */
const isLasting = ({ trigger }: Rule) =>
  trigger.type === 'state' || trigger.type === 'interval' || (trigger.type === 'period' && trigger.at === 'start')

/**
 * The triggers that match since the plan saw its match, in the order of the rules. Of a plan that saw none yet, and of layers and plans
 * that an operator gave back, those match that last; of rules without a named layer, the caller knows which layer it is.
 */
export function happenedSince(
  rules: readonly Rule[],
  plan: Pick<Plan, 'match' | 'rules' | 'fresh' | 'released' | 'layers' | 'waiting'>,
  look: MatchLook,
): Happened {
  const happened = matched(rules, plan, plan.match, look)
  if (!plan.fresh || !plan.match) return happened
  const plays = Object.values(plan.layers).flatMap(({ running, queue }) => (running ? [running, ...queue] : queue))
  const busy = new Set([...plays, ...plan.waiting].map(({ ruleId }) => ruleId))
  for (const { rule } of happened.occurrences) busy.add(rule.id)
  const again = matched(rules, plan, null, look)
  const isAgain = (rule: Rule) =>
    rule.enabled && isLasting(rule) && !busy.has(rule.id) && (rule.layer === undefined || isReleased(plan, rule.layer))
  const memories = rules.flatMap((rule) => {
    const memory = isAgain(rule) ? again.memories.get(rule.id) : undefined
    return memory ? [[rule.id, memory] as const] : []
  })
  return {
    occurrences: [
      ...happened.occurrences,
      ...again.occurrences.flatMap((one) => (isAgain(one.rule) ? [{ ...one, again: true as const }] : [])),
    ],
    memories: new Map([...happened.memories, ...memories]),
  }
}

/** Whether an operator gave this layer back, alone or with the whole plan. game-plan: Rules of behaviour 4 */
export const isReleased = ({ released }: Pick<Plan, 'released'>, layer: string | undefined): boolean =>
  released === undefined || (layer !== undefined && released.includes(layer))

function matched(
  rules: readonly Rule[],
  plan: Pick<Plan, 'rules'>,
  before: SeenMatch | null,
  { game, seen, at }: MatchLook,
): Happened {
  const memories = new Map<string, Memory>()
  const occurrences: Occurrence[] = []
  const facts = before ? game.facts.filter(({ id }) => id > before.lastFactId) : []
  const began = seen.inPeriod && !(before?.inPeriod && before.period === seen.period)
  const over = before?.inPeriod && !(seen.inPeriod && before.period === seen.period) ? before.period : undefined
  for (const [order, rule] of rules.entries()) {
    const { trigger } = rule
    const memory = plan.rules[rule.id] ?? NO_MEMORY
    const occur = (reason: Reason | null = null, fact: Fact | null = null) => {
      occurrences.push({ rule, order, fact, reason: rule.enabled ? reason : 'disabled' })
    }
    const remember = (more: Partial<Memory>) => memories.set(rule.id, { ...memory, ...more })
    /** A time that is reached: its rule fires, is too late, or (`quietly`) the time was past when the plan first looked. */
    const reach = (key: number, lateMs: number, quietly: boolean) => {
      const { reached } = memory
      const had = reached.includes(key)
      const passed = reached.includes(passedOver(key))
      if (lateMs < 0) {
        // a wrong date or clock was put right, and the time is still to come: what has not fired yet has its turn then
        const isToCome = passed || (had && trigger.type === 'time' && memory.firedAt === null)
        if (isToCome) remember({ reached: reached.filter((one) => one !== key && one !== passedOver(key)) })
      } else if (had || passed) return
      else if (lateMs <= rule.maxAgeSeconds * 1000 && !(quietly && lateMs > 1000)) {
        remember({ reached: [...reached, key] })
        occur()
      } else {
        remember({ reached: [...reached, passedOver(key)] })
        if (!quietly) occur('tooOld')
      }
    }
    switch (trigger.type) {
      case 'fact':
        for (const fact of facts)
          if (isOf(trigger, fact, game))
            occur(at - Date.parse(fact.timestamp) > rule.maxAgeSeconds * 1000 ? 'tooOld' : null, fact)
        break
      case 'state':
        if (seen.state === trigger.state && before?.state !== seen.state) occur()
        break
      case 'period':
        if (trigger.at === 'start' && began && (trigger.number ?? seen.period) === seen.period) occur()
        if (trigger.at === 'end' && over !== undefined && (trigger.number ?? over) === over) occur()
        break
      case 'clock':
        if (appliesTo(trigger, seen)) reach(seen.period, beyond(game.play.clock, trigger.seconds, at), began)
        break
      case 'time': {
        const moment = momentOf(trigger, game, seen)
        if (moment !== undefined) reach(0, at - moment, before === null)
        break
      }
      case 'interval': {
        const { phase, during } = intervalOf(seen)
        if (phase !== trigger.during) break
        const everyMs = trigger.everySeconds * 1000
        const last = memory.interval?.during === during && before !== null ? memory.interval.at : undefined
        // of one that is off it is told once that it does not fire
        if (last !== undefined && (!rule.enabled || at < last + everyMs)) break
        const isLate = last === undefined || at >= last + 2 * everyMs
        remember({ interval: { during, at: isLate ? at : last + everyMs } })
        occur()
        break
      }
    }
  }
  return { occurrences, memories }
}

/** Whether a fact is one that a trigger waits for. */
export const isOf = (trigger: Trigger, fact: Fact, game: Pick<Game, 'competitors'>): boolean =>
  trigger.type === 'fact' &&
  trigger.factTypes.includes(fact.type) &&
  (trigger.side === undefined || trigger.side === sideOfFact(game, fact))

/** The side of the team or player that a fact names; undefined when it names none. */
export const sideOfFact = ({ competitors }: Pick<Game, 'competitors'>, fact: Fact) => {
  const index = competitorOf(competitors, fact)
  return typeof index === 'number' ? sideOf(competitors[index]) : undefined
}

/** When rules of clock, time and interval match next, as things stand, soonest first. `memories`: of this look, over those of the plan. */
export function nextTimes(
  rules: readonly Rule[],
  plan: Pick<Plan, 'rules'>,
  look: MatchLook,
  memories: Plan['rules'] = NO_MEMORIES,
): { ruleId: string; name: string; at: number }[] {
  const times: { ruleId: string; name: string; at: number }[] = []
  for (const rule of rules) {
    if (!rule.enabled || !TIMED.has(rule.trigger.type)) continue
    const time = nextTime(rule, memories[rule.id] ?? plan.rules[rule.id] ?? NO_MEMORY, look)
    if (time !== undefined) times.push({ ruleId: rule.id, name: rule.name, at: Math.max(time, look.at) })
  }
  return times.sort((one, other) => one.at - other.at)
}

const NO_MEMORIES: Plan['rules'] = {}
const TIMED: ReadonlySet<Trigger['type']> = new Set(['clock', 'time', 'interval'])

function nextTime({ trigger }: Rule, memory: Memory, { game, seen, at }: MatchLook): number | undefined {
  switch (trigger.type) {
    case 'clock': {
      const { clock } = game.play
      if (!appliesTo(trigger, seen) || !clock.running || memory.reached.includes(seen.period)) return undefined
      const left = -beyond(clock, trigger.seconds, at)
      return left > 0 ? at + left : undefined
    }
    case 'time': {
      const moment = momentOf(trigger, game, seen)
      return moment === undefined || moment <= at || memory.reached.includes(0) ? undefined : moment
    }
    case 'interval': {
      const { phase, during } = intervalOf(seen)
      if (phase !== trigger.during || memory.interval?.during !== during) return undefined
      return memory.interval.at + trigger.everySeconds * 1000
    }
    default:
      return undefined
  }
}
