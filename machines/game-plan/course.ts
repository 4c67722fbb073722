import type { Correction, Firing, Hand, PlanCommand, Refusal } from './commands.ts'
import { Layers, ofRule } from './layers.ts'
import { type Layer, type Memory, NO_MEMORY, type Plan, type Play, type Reason, type SeenMatch } from './model.ts'

/** So many commands of the overlay are looked at again at most. */
const SEQS_UNTOLD = 200
/** Plays that are delayed, over all layers. */
const MOST_WAITING = 200

/** One command on its way: what was heard since, what matched, what speaks against it. */
export class Course extends Layers {
  readonly #before: Plan

  constructor(plan: Plan, at: number) {
    super(plan, at)
    this.#before = plan
  }

  advance(command: Extract<PlanCommand, { type: 'advance' }>): void {
    const { on, match, overlaySeq, hands, refusals, done, rehearsal = false } = command
    const turns = on && (this.#before.rehearsal !== undefined) !== rehearsal
    if (turns) this.#rehearse(rehearsal)
    else this.#settle(command)
    const before = turns ? { ...this.plan } : this.#before
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
    this.begin(play)
  }

  /** No graphic of the plan is on air from now on, and no rule fires. A show that was under way may come after the command that hid the rest. */
  clear(by: string): void {
    for (const [layer, { running }] of Object.entries(this.plan.layers)) if (running) this.end(layer, true, 'paused')
    if (!this.plan.paused) this.tell({ type: 'plan.paused', at: this.at, by })
  }

  #consider(firing: Firing): void {
    const memory = this.plan.rules[firing.rule.id] ?? NO_MEMORY
    const matches = memory.matches + 1
    const reason = firing.reason ?? this.#speaksAgainst(firing, memory, matches)
    if (firing.rule.every > 1) this.#remember(firing, { matches })
    const play = reason === null && this.#playOf(firing)
    if (!play) {
      this.#suppressed(firing, reason ?? 'presetInvalid')
      return
    }
    const delayMs = firing.rule.delaySeconds * 1000
    if (delayMs > 0 && this.plan.waiting.length >= MOST_WAITING) this.#suppressed(firing, 'priority')
    else if (delayMs > 0)
      this.tell({ type: 'play.waited', play: { ...play, readyAt: this.at + delayMs }, dueAt: this.at + delayMs })
    else this.place(play)
  }

  /** Plays that were not sure to be shown are settled: shown by now, or refused. */
  #settle({ done, shown, refusals }: Extract<PlanCommand, { type: 'advance' }>): void {
    for (const { n, do: action, play, unsure } of this.#before.effects) {
      if (action !== 'show' || n > done) continue
      const refused = refusals.find(({ playId }) => playId === play.id)
      const isOpen = unsure && !play.begun
      // another took its place before it could be shown
      if (isOpen && !shown.includes(play.id)) this.refused(play, refused ? refused.reason : 'priority')
      else if (isOpen) this.tell({ type: 'rule.fired', ...ofRule(play, this.at) })
      // it was told that it fired
      else if (refused) this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.at), reason: refused.reason })
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
    const { heldBy = null } = this.layer(rule.layer ?? picture?.graphicId ?? '')
    if (this.plan.paused) return 'paused'
    if (heldBy !== null) return 'held'
    // a play whose turn is still to come counts as fired
    const isComing = (rule.once || rule.cooldownSeconds > 0) && this.#isComing(rule.id)
    if (rule.once && (isComing || firedAt !== null)) return 'once'
    if (matches % rule.every !== 0) return 'every'
    if (rule.cooldownSeconds > 0 && isComing) return 'cooldown'
    if (firedAt !== null && this.at - firedAt < rule.cooldownSeconds * 1000) return 'cooldown'
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
    // member by member, in the order of its shape: put together from parts it takes twenty times as long
    const play: Play = {
      id: this.number(),
      ruleId: rule.id,
      name: rule.name,
      factId,
      factAt,
      layer: rule.layer ?? picture.graphicId,
      priority: rule.priority,
      order,
      end: rule.end,
      onInterrupt: rule.onInterrupt,
      maxAgeSeconds: rule.maxAgeSeconds,
      readyAt: this.at,
      leftMs: null,
      begun: false,
      resumes: false,
      presetId: picture.presetId,
      graphicId: picture.graphicId,
      graphicName: picture.graphicName,
      values: picture.values,
    }
    if (picture.sponsored !== undefined) play.sponsored = picture.sponsored
    return play
  }

  #switch(on: boolean): void {
    if (!on) this.#withdrawAll('autoModeOff')
    this.tell({ type: 'plan.switched', on, at: this.at })
  }

  /** Nothing of the plan is on air when a rehearsal begins, and nothing of the rehearsal is when it has ended. */
  #rehearse(on: boolean): void {
    this.#withdrawAll(null)
    this.tell({ type: 'plan.rehearsing', on, at: this.at })
  }

  #withdrawAll(reason: Reason | null): void {
    for (const play of [...this.plan.waiting, ...Object.values(this.plan.layers).flatMap(({ queue }) => queue)])
      this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.at), reason })
  }

  #hear({ action, graphicId, play, layers, by }: Hand): void {
    // the server takes the graphic of a play off, which another play may show by now
    const isMeant = ({ running }: Layer) => (by === null ? running?.id === play : running?.graphicId === graphicId)
    const shown = Object.entries(this.plan.layers).filter(([, layer]) => layer.running !== null && isMeant(layer))
    const leftOut = by === null ? undefined : action === 'hideAll' ? 'paused' : 'held'
    for (const [layer, { running }] of shown) {
      // what was hidden was not its play yet: a show that is under way comes after the command
      const isUnderWay = by !== null && action.startsWith('hide') && running?.id !== play
      this.end(layer, isUnderWay, leftOut)
    }
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
    for (const play of this.plan.waiting) if (isOver(play)) this.drop(play, null)
    for (const [layer, { running, queue }] of Object.entries(this.plan.layers)) {
      for (const play of queue) if (isOver(play)) this.drop(play, null)
      if (!running || !isOver(running)) continue
      this.end(layer, true, null)
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
      const n = same(values, play.values) ? null : this.number()
      this.tell({ type: 'play.updated', id: playId, layer: play.layer, values, factAt, n })
    } else if (running) {
      this.end(play.layer, true)
      this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.at), reason: null })
      this.fill(play.layer)
    } else this.drop(play, null)
  }

  #suppressed({ rule, factId }: Firing, reason: Reason): void {
    this.tell({ type: 'rule.suppressed', ruleId: rule.id, name: rule.name, factId, at: this.at, reason })
  }

  #remember({ rule }: Firing, more: Partial<Memory>): void {
    const memory = { ...NO_MEMORY, ...this.plan.rules[rule.id], ...more }
    this.tell({ type: 'rule.remembered', ruleId: rule.id, memory })
  }
}

const byPriority = (one: Firing, other: Firing) =>
  other.rule.priority - one.rule.priority || one.order - other.order || (one.factId ?? 0) - (other.factId ?? 0)

/** Plain data, whose members always come in the same order. */
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
