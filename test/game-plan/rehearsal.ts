import { initialTransition, type SnapshotFrom } from 'xstate'
import type { Hand, PlanCommand, PlanTimer } from '../../machines/game-plan/decide.ts'
import type { PlanEvent } from '../../machines/game-plan/events.ts'
import type { Game, Occurrence } from '../../machines/game-plan/matching.ts'
import type { Plan } from '../../machines/game-plan/model.ts'
import type { Rule } from '../../machines/game-plan/rule.ts'
import { planMachine } from '../../machines/game-plan.ts'
import type { Fact } from '../../machines/match-model.ts'
import type { Unstamped } from '../../src/actors/ask.ts'
import { transitionOf } from '../../src/actors/effects.ts'
import {
  advanceOf,
  type CorrectedPlay,
  correctedPlays,
  correctionOf,
  firingOf,
  type Judged,
  lookAt,
} from '../../src/resources/game-plans/look.ts'

const step = transitionOf(planMachine)

/** What a rule says now of an occurrence of it. */
export type Judge = (rule: Rule, fact: Fact | null) => Judged

export type Told = PlanEvent & { readonly toldAt: number }

/** A game plan played in virtual time, by the machine that plays it on air. Times are ms since 1970. */
export class Rehearsal {
  readonly told: Told[] = []
  readonly #rules: readonly Rule[]
  readonly #judge: Judge
  readonly #timers = new Map<string, { at: number; event: PlanTimer }>()
  #snapshot: SnapshotFrom<typeof planMachine> = initialTransition(planMachine)[0]
  #game: Game | undefined
  #seq = 0

  constructor(rules: readonly Rule[], judge: Judge) {
    this.#rules = rules
    this.#judge = judge
  }

  get plan(): Plan {
    return this.#snapshot.context
  }

  /** The match is so now; `hands`: what people did at the overlay since the last look. */
  look(game: Game, at: number, hands: readonly Hand[] = []): void {
    this.#runTo(at)
    this.#game = game
    this.#advance(at, hands)
  }

  /** Time passes. */
  runTo(at: number): void {
    this.#runTo(at)
  }

  /** A command of an operator. */
  send(command: Unstamped<Exclude<PlanCommand, { type: 'advance' }>>): void {
    this.#runTo(command.at)
    this.#apply({ ...command, seq: ++this.#seq } as PlanCommand, command.at)
    if (this.plan.fresh) this.#advance(command.at, [])
  }

  /** The overlay is not automatic any more. */
  switchOff(at: number): void {
    this.#runTo(at)
    const { match, overlaySeq } = this.plan
    this.#apply(
      {
        ...{ type: 'advance', seq: ++this.#seq, at, on: false, match, overlaySeq },
        ...{ hands: [], corrections: [], memories: {}, firings: [], alarmAt: null, done: 0 },
      },
      at,
    )
  }

  #advance(at: number, hands: readonly Hand[]): void {
    if (!this.#game) return
    const look = lookAt(this.#rules, this.plan, this.#game, at)
    const firings = look.occurrences.map((occurrence) => firingOf(occurrence, this.#judged(occurrence)))
    const corrections = correctedPlays(look).flatMap((one) => correctionOf(one, this.#judgedAgain(one)) ?? [])
    const { overlaySeq, numbered } = this.plan
    const seeing = { overlaySeq: overlaySeq + hands.length, hands, done: numbered }
    this.#apply({ ...advanceOf(look, firings, corrections, seeing), seq: ++this.#seq }, at)
  }

  #judged({ rule, fact, reason }: Occurrence): Judged {
    return reason === null ? this.#judge(rule, fact) : { reason, picture: null }
  }

  #judgedAgain({ rule, fact }: CorrectedPlay): Judged | undefined {
    return rule && fact && this.#judge(rule, fact)
  }

  #runTo(until: number): void {
    for (;;) {
      const [name, timer] = [...this.#timers].sort(([, one], [, other]) => one.at - other.at)[0] ?? []
      if (name === undefined || !timer || timer.at > until) return
      this.#timers.delete(name)
      this.#apply({ ...timer.event, at: new Date(timer.at).toISOString() }, timer.at)
      if (timer.event.type === 'woken') this.#advance(timer.at, [])
    }
  }

  #apply(event: PlanCommand | PlanTimer, at: number): void {
    const { snapshot, events, timers } = step(this.#snapshot, event)
    this.#snapshot = snapshot as SnapshotFrom<typeof planMachine>
    for (const timer of timers)
      if ('cancel' in timer) this.#timers.delete(timer.name)
      else this.#timers.set(timer.name, { at: at + timer.dueInMs, event: timer.event as PlanTimer })
    for (const one of events as PlanEvent[]) this.told.push({ ...one, toldAt: at })
  }
}
