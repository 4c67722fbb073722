import type { Value } from '../overlay/model.ts'
import { foldPlanAll, nextFirst, PlanDraft, type PlanEvent } from './events.ts'
import {
  EMPTY_LAYER,
  type Layer,
  type Memory,
  NO_MEMORY,
  type Picture,
  type Plan,
  type Play,
  type Reason,
  type Running,
  type SeenMatch,
} from './model.ts'
import type { Rule } from './rule.ts'

/** A trigger that matched, judged: `reason` speaks against it, else `picture` is its graphic. */
export type Firing = {
  rule: Pick<
    Rule,
    | 'id'
    | 'name'
    | 'delaySeconds'
    | 'end'
    | 'priority'
    | 'layer'
    | 'onInterrupt'
    | 'maxAgeSeconds'
    | 'cooldownSeconds'
    | 'every'
    | 'once'
  >
  order: number
  factId: number | null
  factAt: string | null
  reason: Reason | null
  picture: Picture | null
}

/** A command of the overlay by hand, and the graphics that it touched. `by` null: by the server, which holds no layer. */
export type Hand = {
  action: 'show' | 'update' | 'hide' | 'hideAll'
  graphicId: string
  /** The play of the plan that had shown the graphic; null: an operator had. */
  play: number | null
  /** The layers on which the plan shows this graphic. */
  layers: readonly string[]
  by: string | null
}

/** A fact behind a play was corrected, or is gone. */
export type Correction = {
  playId: number
  factAt: string | null
  values: Readonly<Record<string, Value | { slot: string }>> | null
}

/** A play that the overlay could not show. */
export type Refusal = { playId: number; reason: Reason }

/** Commands carry the seq that the host will commit them under, and when it is, ms since 1970. */
export type PlanCommand = {
  seq: number
  at: number
} /**
 * What the plan sees: all that happened since it looked last. `done`: what the overlay was to do up to this number is done; `shown`: plays
 * that were not sure to be shown, and were.
 */ & (
  | {
      type: 'advance'
      on: boolean
      match: SeenMatch | null
      overlaySeq: number
      hands: readonly Hand[]
      refusals: readonly Refusal[]
      corrections: readonly Correction[]
      memories: Readonly<Record<string, Memory>>
      firings: readonly Firing[]
      alarmAt: number | null
      done: number
      shown: readonly number[]
    }
  | { type: 'pause' | 'resume'; by: string }
  /** Everything was taken off air by hand, when no graphic of the plan was on air yet. */
  | { type: 'clear'; by: string }
  | { type: 'hold'; layer: string; by: string }
  | { type: 'release'; layer?: string; by: string }
  /** Fires by hand: only a graphic that cannot be shown stops the rule. */
  | { type: 'fire'; firing: Firing; by: string }
)

/** Timers; the host says the time, ISO 8601. */
export type PlanTimer = { at?: string } & (
  | { type: 'waited'; id: number }
  | { type: 'timeUp'; layer: string; id: number }
  | { type: 'woken' }
)

/** The facts that a command comes to now. No facts: nothing changes. */
export function decidePlan(plan: Plan, command: PlanCommand | PlanTimer): PlanEvent[] {
  const at = typeof command.at === 'number' ? command.at : Date.parse(command.at ?? '')
  const course = new Course(plan, at)
  switch (command.type) {
    case 'advance':
      course.advance(command)
      break
    case 'pause':
      if (!plan.paused) course.tell({ type: 'plan.paused', at, by: command.by })
      break
    case 'clear':
      course.clear(command.by)
      break
    case 'resume':
      if (plan.paused) {
        course.tell({ type: 'plan.resumed', at, by: command.by })
        for (const layer of Object.keys(plan.layers)) course.fill(layer)
      }
      break
    case 'hold':
      course.hold(command.layer, command.by)
      break
    case 'release':
      for (const [layer, { heldBy }] of Object.entries(plan.layers))
        if (heldBy !== null && (command.layer ?? layer) === layer) {
          course.tell({ type: 'layer.released', layer, by: command.by, at })
          course.fill(layer)
        }
      break
    case 'fire':
      course.fire(command.firing)
      break
    case 'waited': {
      const due = plan.waiting.find(({ id }) => id === command.id)
      if (due) {
        const { dueAt: _due, ...play } = due
        course.tell({ type: 'play.dropped', id: due.id, layer: due.layer })
        course.place(play)
      }
      break
    }
    case 'timeUp':
      if (plan.layers[command.layer]?.running?.id === command.id) {
        // the overlay takes the graphic off air itself; before the next one of the layer it must be off
        course.end(command.layer, (plan.layers[command.layer]?.queue.length ?? 0) > 0)
        course.fill(command.layer)
      }
      break
    case 'woken':
      course.tell({ type: 'plan.alarmed', at: null })
      break
  }
  last = { before: plan, events: course.events, after: course.plan }
  return course.events
}

let last: { before: Plan; events: readonly PlanEvent[]; after: Plan } | undefined

/** The state after the events of a command. Of the last one it is known from deciding: a plan with two hundred layers is not copied twice. */
export const afterPlan = (plan: Plan, events: readonly PlanEvent[]): Plan =>
  last?.before === plan && last.events === events ? last.after : foldPlanAll(plan, events)

/** So many commands of the overlay are looked at again at most. */
const SEQS_UNTOLD = 200
/** Plays in line for one layer; those beyond would come so late that they mean nothing any more. */
const MOST_IN_LINE = 20
/** Plays that are delayed, over all layers. */
const MOST_WAITING = 200

/** One command on its way: the state so far, and the facts that it has come to. */
class Course {
  readonly events: PlanEvent[] = []
  readonly #at: number
  readonly #before: Plan
  readonly #draft: PlanDraft
  /** The layer on which each graphic runs. */
  #layers: Map<string, string> | undefined
  #numbered: number

  constructor(plan: Plan, at: number) {
    this.#before = plan
    this.#draft = new PlanDraft(plan)
    this.#numbered = plan.numbered
    this.#at = at
  }

  /** As it is after what was told. */
  get plan(): Plan {
    return this.#draft.plan
  }

  tell(event: PlanEvent): void {
    this.events.push(event)
    this.#draft.fold(event)
  }

  advance(command: Extract<PlanCommand, { type: 'advance' }>): void {
    const { on, match, overlaySeq, hands, refusals, done } = command
    const before = this.#before
    this.#settle(command)
    if (before.on !== on) this.#switch(on)
    for (const hand of on ? hands : []) this.#hear(hand)
    for (const refusal of on ? refusals : []) this.#giveUp(refusal)
    const cleared = on ? hands.find(({ action, by }) => action === 'hideAll' && by !== null) : undefined
    if (cleared?.by) this.clear(cleared.by)
    // new live data moves the overlay on, too: not each of its steps is worth a commit
    const isNews = hands.length > 0 || overlaySeq >= before.overlaySeq + SEQS_UNTOLD
    if (before.fresh || isNews || !same(before.match, match)) this.tell({ type: 'plan.saw', match, overlaySeq })
    if (on) this.#play(command, before)
    // not by itself: to be told again what is done costs nothing, a commit does
    if (this.events.length > 0) this.#done(done)
  }

  #play(command: Extract<PlanCommand, { type: 'advance' }>, before: Plan): void {
    const { match, corrections, firings, alarmAt } = command
    if (before.match && match) this.#endWith(before.match, match)
    for (const correction of corrections) this.#correct(correction)
    for (const [ruleId, memory] of Object.entries(command.memories))
      this.tell({ type: 'rule.remembered', ruleId, memory })
    for (const firing of [...firings].sort(byPriority)) this.#consider(firing)
    if (this.plan.alarmAt !== alarmAt) this.tell({ type: 'plan.alarmed', at: alarmAt })
  }

  /** Fires a rule by hand: reasons against it are overruled, unless there is no graphic to show. */
  fire(firing: Firing): void {
    const play = this.#playOf(firing)
    if (!play) {
      this.#suppressed(firing, firing.reason ?? 'presetInvalid')
      return
    }
    this.#begin(play)
  }

  /** No graphic of the plan is on air from now on, and no rule fires. A show that was under way may come after the command that hid the rest. */
  clear(by: string): void {
    for (const [layer, { running }] of Object.entries(this.plan.layers)) if (running) this.end(layer, true)
    if (!this.plan.paused) this.tell({ type: 'plan.paused', at: this.#at, by })
  }

  hold(layer: string, by: string): void {
    if (this.#layer(layer).heldBy === by) return
    this.tell({ type: 'layer.held', layer, by, at: this.#at })
    for (const play of this.#layer(layer).queue) this.#drop(play, 'held')
    for (const play of this.plan.waiting) if (play.layer === layer) this.#drop(play, 'held')
  }

  /** The first play in line for a layer takes it; plays that waited too long are dropped. */
  fill(name: string): void {
    for (const play of this.#layer(name).queue) {
      const { heldBy, running } = this.#layer(name)
      if (this.plan.paused || heldBy !== null || running) return
      if (this.#isTooOld(play)) {
        this.#drop(play, 'tooOld')
        continue
      }
      this.tell({ type: 'play.dropped', id: play.id, layer: name })
      this.#begin(play)
    }
  }

  /** The play is over; `hide`: and its graphic goes off air. */
  end(layer: string, hide: boolean): void {
    const running = this.#layer(layer).running
    if (running) this.tell({ type: 'play.ended', id: running.id, layer, at: this.#at, n: hide ? this.#number() : null })
  }

  /** A play that is ready: takes its layer, waits for it, or loses. */
  place(play: Play): void {
    const { heldBy, running } = this.#layer(play.layer)
    if (this.#isTooOld(play)) this.#refused(play, 'tooOld')
    else if (this.plan.paused) this.#refused(play, 'paused')
    else if (heldBy !== null) this.#refused(play, 'held')
    else if (!running || yieldsTo(running, play)) this.#begin(play)
    else if (play.onInterrupt === 'drop') this.#refused(play, 'priority')
    else this.#queue(play)
  }

  #consider(firing: Firing): void {
    const memory = this.plan.rules[firing.rule.id] ?? NO_MEMORY
    const matches = memory.matches + 1
    const reason = firing.reason ?? this.#speaksAgainst(firing, memory, matches)
    const play = this.#playOf(firing)
    if (firing.rule.every > 1) this.#remember(firing, { matches })
    if (reason !== null || !play) {
      this.#suppressed(firing, reason ?? 'presetInvalid')
      return
    }
    const delayMs = firing.rule.delaySeconds * 1000
    if (delayMs > 0 && this.plan.waiting.length >= MOST_WAITING) this.#suppressed(firing, 'priority')
    else if (delayMs > 0)
      this.tell({ type: 'play.waited', play: { ...play, readyAt: this.#at + delayMs }, dueAt: this.#at + delayMs })
    else this.place(play)
  }

  /** What was not sure to be shown is by now, or never was. */
  #settle({ done, shown, refusals }: Extract<PlanCommand, { type: 'advance' }>): void {
    for (const { n, do: action, play, unsure } of this.#before.effects) {
      if (action !== 'show' || n > done) continue
      const refused = refusals.find(({ playId }) => playId === play.id)
      const isOpen = unsure && !play.begun
      // another took its place before it could be shown
      if (isOpen && !shown.includes(play.id)) this.#refused(play, refused?.reason ?? 'priority')
      else if (isOpen) this.tell({ type: 'rule.fired', ...ofRule(play, this.#at) })
      // it was told that it fired
      else if (refused) this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.#at), reason: refused.reason })
    }
    if (this.events.length > 0) this.#done(done)
  }

  #done(upTo: number): void {
    if (this.plan.effects.some(({ n }) => n <= upTo)) this.tell({ type: 'plan.done', n: upTo })
  }

  #giveUp({ playId }: Refusal): void {
    for (const [layer, { running }] of Object.entries(this.plan.layers)) {
      if (running?.id !== playId) continue
      this.end(layer, false)
      this.fill(layer)
    }
  }

  #speaksAgainst({ rule, picture }: Firing, { firedAt }: Memory, matches: number): Reason | null {
    const { heldBy = null } = this.#layer(rule.layer ?? picture?.graphicId ?? '')
    if (this.plan.paused) return 'paused'
    if (heldBy !== null) return 'held'
    // a play whose turn is still to come counts as fired
    const isComing = (rule.once || rule.cooldownSeconds > 0) && this.#isComing(rule.id)
    if (rule.once && (isComing || firedAt !== null)) return 'once'
    if (matches % rule.every !== 0) return 'every'
    if (rule.cooldownSeconds > 0 && isComing) return 'cooldown'
    if (firedAt !== null && this.#at - firedAt < rule.cooldownSeconds * 1000) return 'cooldown'
    return null
  }

  #isComing(id: string): boolean {
    const isIt = ({ ruleId, begun }: Play) => ruleId === id && !begun
    const { waiting, layers, effects } = this.plan
    return (
      waiting.some(isIt) ||
      Object.values(layers).some(({ queue }) => queue.some(isIt)) ||
      effects.some(({ unsure, play }) => unsure && isIt(play))
    )
  }

  #playOf({ rule, order, factId, factAt, picture }: Firing): Play | undefined {
    if (!picture) return undefined
    const { id: ruleId, name, end, priority, onInterrupt, maxAgeSeconds } = rule
    const layer = rule.layer ?? picture.graphicId
    const own = { id: this.#number(), ruleId, name, factId, layer, priority, order, end, onInterrupt, maxAgeSeconds }
    return { ...own, factAt, readyAt: this.#at, leftMs: null, begun: false, resumes: false, ...picture }
  }

  #begin(play: Play): void {
    const { running } = this.#layer(play.layer)
    if (running) this.#interrupt(running, play)
    // a graphic is on air once: whichever layer had it has it no more
    const other = this.#layerOf(play.graphicId)
    if (other !== undefined && other !== play.layer) this.end(other, false)
    const lasts = play.leftMs ?? ('afterSeconds' in play.end ? play.end.afterSeconds * 1000 : null)
    const until = lasts === null ? null : this.#at + lasts
    const unsure = play.sponsored === true
    this.tell({ type: 'play.begun', play, at: this.#at, until, n: this.#number(), ...(unsure && { unsure }) })
    this.#layers?.set(play.graphicId, play.layer)
    if (!play.begun && !unsure) this.tell({ type: 'rule.fired', ...ofRule(play, this.#at) })
  }

  /** The layer on which a graphic runs. */
  #layerOf(graphicId: string): string | undefined {
    this.#layers ??= new Map(
      Object.entries(this.plan.layers).flatMap(([name, { running }]) => (running ? [[running.graphicId, name]] : [])),
    )
    const layer = this.#layers.get(graphicId)
    return layer !== undefined && this.#layer(layer).running?.graphicId === graphicId ? layer : undefined
  }

  #interrupt(running: Running, by: Play): void {
    this.end(running.layer, running.graphicId !== by.graphicId)
    if (running.onInterrupt === 'drop') return
    const { since: _since, until, ...play } = running
    const leftMs = until === null ? null : until - this.#at
    if (running.onInterrupt === 'queue') this.#queue({ ...play, readyAt: this.#at })
    // one without a time of its own goes on as long as it would have
    else if (leftMs !== 0) this.#queue({ ...play, leftMs, resumes: true })
  }

  /** Puts a play into the line of its layer; where the line is full, the play whose turn would come last goes. */
  #queue(play: Play): void {
    const last = this.#layer(play.layer).queue[MOST_IN_LINE - 1]
    if (last && nextFirst(last, play) < 0) {
      this.#refused(play, 'priority')
      return
    }
    this.tell({ type: 'play.queued', play })
    if (last) this.#drop(last, 'priority')
  }

  #isTooOld({ resumes, readyAt, maxAgeSeconds }: Play): boolean {
    return !resumes && this.#at - readyAt > maxAgeSeconds * 1000
  }

  #switch(on: boolean): void {
    if (!on)
      for (const play of [...this.plan.waiting, ...Object.values(this.plan.layers).flatMap(({ queue }) => queue)])
        this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.#at), reason: 'autoModeOff' })
    this.tell({ type: 'plan.switched', on, at: this.#at })
  }

  #hear({ action, graphicId, play, layers, by }: Hand): void {
    // the server takes the graphic of a play off, which another play may show by now
    const isMeant = ({ running }: Layer) => (by === null ? running?.id === play : running?.graphicId === graphicId)
    const shown = Object.entries(this.plan.layers).filter(([, layer]) => layer.running !== null && isMeant(layer))
    for (const [layer] of shown) this.end(layer, false)
    if (action === 'hideAll') return
    if (by !== null) for (const layer of new Set([...layers, ...shown.map(([name]) => name)])) this.hold(layer, by)
    else for (const [layer] of shown) this.fill(layer)
  }

  /** Ends plays that last until the state or the period changes, on air and in line. */
  #endWith(before: SeenMatch, now: SeenMatch): void {
    const isOver = ({ end }: Play) =>
      'until' in end &&
      ((end.until === 'state' && before.state !== now.state) ||
        (end.until === 'period' && (before.period !== now.period || (before.inPeriod && !now.inPeriod))))
    for (const play of this.plan.waiting) if (isOver(play)) this.#drop(play, null)
    for (const [layer, { running, queue }] of Object.entries(this.plan.layers)) {
      for (const play of queue) if (isOver(play)) this.#drop(play, null)
      if (!running || !isOver(running)) continue
      this.end(layer, true)
      this.fill(layer)
    }
  }

  #correct({ playId, factAt, values }: Correction): void {
    const layers = Object.values(this.plan.layers)
    const running = layers.find((layer) => layer.running?.id === playId)?.running
    const play =
      running ?? [...this.plan.waiting, ...layers.flatMap(({ queue }) => queue)].find(({ id }) => id === playId)
    if (!play) return
    if (values !== null) {
      const n = same(values, play.values) ? null : this.#number()
      this.tell({ type: 'play.updated', id: playId, layer: play.layer, values, factAt, n })
    } else if (running) {
      this.end(play.layer, true)
      this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.#at), reason: null })
      this.fill(play.layer)
    } else this.#drop(play, null)
  }

  #drop(play: Play, reason: Reason | null): void {
    this.tell({ type: 'play.dropped', id: play.id, layer: play.layer })
    if (reason === null) this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.#at), reason })
    else this.#refused(play, reason)
  }

  #refused(play: Play, reason: Reason): void {
    this.tell({ type: 'rule.suppressed', ...ofRule(play, this.#at), reason })
  }

  #suppressed({ rule, factId }: Firing, reason: Reason): void {
    this.tell({ type: 'rule.suppressed', ruleId: rule.id, name: rule.name, factId, at: this.#at, reason })
  }

  #remember({ rule }: Firing, more: Partial<Memory>): void {
    const memory = { ...NO_MEMORY, ...this.plan.rules[rule.id], ...more }
    this.tell({ type: 'rule.remembered', ruleId: rule.id, memory })
  }

  #layer(name: string) {
    return this.plan.layers[name] ?? EMPTY_LAYER
  }

  /** The next number for a play or an effect, in order over all commands of the plan. */
  #number(): number {
    this.#numbered += 1
    return this.#numbered
  }
}

const ofRule = ({ ruleId, name, factId }: Play, at: number) => ({ ruleId, name, factId, at })

/** Whether a play yields its layer: to a higher priority only; one that lasts until it is replaced, to an equal one, too. */
const yieldsTo = ({ priority, end }: Running, play: Play) =>
  play.priority > priority || (play.priority === priority && 'until' in end && end.until === 'replaced')

const byPriority = (one: Firing, other: Firing) =>
  other.rule.priority - one.rule.priority || one.order - other.order || (one.factId ?? 0) - (other.factId ?? 0)

/** Plain data, whose members always come in the same order. */
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
