import { initialTransition, type SnapshotFrom } from 'xstate'
import type { Hand, PlanCommand, PlanTimer, Refusal } from '../../../machines/game-plan/commands.ts'
import type { PlanEvent } from '../../../machines/game-plan/events.ts'
import type { Game } from '../../../machines/game-plan/matching.ts'
import type { Plan, Play, Reason } from '../../../machines/game-plan/model.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import { planMachine } from '../../../machines/game-plan.ts'
import { transitionOf, type Unstamped } from '../../../machines/transition.ts'
import { advanceOf, type Judge, type Look, lookAt } from './look.ts'

const step = transitionOf(planMachine)

export type RehearsalParts = {
  rules: readonly Rule[]
  /** The judge of one look at this moment. */
  judgeAt(look: Look): Judge
  /** Why the overlay would not show a play with a brand now; left out, or null: it would. */
  refusal?(play: Play, at: number): Reason | null
  /** Everything that the plan tells, and when it did; nothing of what the overlay would not show. */
  told(event: PlanEvent, at: number): void
}

/** A game plan played in virtual time, by the machine that plays it on air. Times are ms since 1970. */
export class Rehearsal {
  readonly #parts: RehearsalParts
  readonly #timers = new Map<string, { at: number; event: PlanTimer }>()
  /** Plays that the overlay would not show. */
  readonly #refused = new Set<number>()
  #snapshot: SnapshotFrom<typeof planMachine> = initialTransition(planMachine)[0]
  #game: Game | undefined
  #seq = 0

  constructor(parts: RehearsalParts) {
    this.#parts = parts
  }

  get plan(): Plan {
    return this.#snapshot.context
  }

  /** Has the plan look at the match as it is now; `hands`: commands of people at the overlay since the last look. */
  look(game: Game, at: number, hands: readonly Hand[] = []): void {
    this.runTo(at)
    this.#game = game
    this.#advance(at, hands)
  }

  /** The match has gone on by what no rule waits for: timers find it so, and the plan does not look. */
  pass(game: Game): void {
    this.#game = game
  }

  /** Moves virtual time on. */
  runTo(at: number): void {
    while (this.runOne(at)) {}
  }

  /** Fires the next timer that is due until then; false when there is none. */
  runOne(until: number): boolean {
    let next: { name: string; at: number; event: PlanTimer } | undefined
    for (const [name, timer] of this.#timers) if (!next || timer.at < next.at) next = { name, ...timer }
    if (!next || next.at > until) return false
    const { name, at, event } = next
    this.#timers.delete(name)
    this.#apply({ ...event, at: new Date(at).toISOString() }, at)
    if (event.type === 'woken') this.#advance(at, [])
    return true
  }

  /** A command of an operator. */
  send(command: Unstamped<Exclude<PlanCommand, { type: 'advance' }>>): void {
    this.runTo(command.at)
    this.#apply({ ...command, seq: ++this.#seq } as PlanCommand, command.at)
    if (this.plan.fresh) this.#advance(command.at, [])
  }

  /** The overlay is not automatic any more. */
  switchOff(at: number): void {
    this.runTo(at)
    const { match, overlaySeq } = this.plan
    this.#apply(
      {
        ...{ type: 'advance', seq: ++this.#seq, at, on: false, match, overlaySeq },
        ...{ hands: [], refusals: [], corrections: [], memories: {}, firings: [], alarmAt: null, done: 0, shown: [] },
      },
      at,
    )
  }

  #advance(
    at: number,
    hands: readonly Hand[],
    { shown = [], refusals = [] }: { shown?: readonly number[]; refusals?: readonly Refusal[] } = {},
  ): void {
    if (!this.#game) return
    const look = lookAt(this.#parts.rules, this.plan, this.#game, at)
    const { overlaySeq, numbered } = this.plan
    const seeing = { overlaySeq: overlaySeq + hands.length, hands, refusals, shown, done: numbered }
    this.#apply({ ...advanceOf(look, this.#parts.judgeAt(look), seeing), seq: ++this.#seq }, at)
  }

  #apply(event: PlanCommand | PlanTimer, at: number): void {
    const { snapshot, events, timers } = step(this.#snapshot, event)
    this.#snapshot = snapshot as SnapshotFrom<typeof planMachine>
    for (const timer of timers)
      if ('cancel' in timer) this.#timers.delete(timer.name)
      else this.#timers.set(timer.name, { at: at + timer.dueInMs, event: timer.event as PlanTimer })
    const shown: number[] = []
    const refusals: Refusal[] = []
    for (const one of events as PlanEvent[]) {
      if (one.type === 'play.begun' && one.unsure) {
        const reason = this.#parts.refusal?.(one.play, at) ?? null
        if (reason !== null) {
          refusals.push({ playId: one.play.id, reason })
          this.#refused.add(one.play.id)
          continue
        }
        shown.push(one.play.id)
      }
      if (one.type === 'play.ended' && this.#refused.delete(one.id)) continue
      this.#parts.told(one, at)
    }
    // as the overlay answers
    if (shown.length + refusals.length > 0) this.#advance(at, [], { shown, refusals })
  }
}
