import type { Hand } from '../../machines/game-plan/commands.ts'
import type { PlanEvent } from '../../machines/game-plan/events.ts'
import type { Play, Reason } from '../../machines/game-plan/model.ts'
import type { Rule, Trigger } from '../../machines/game-plan/rule.ts'
import type { Match } from '../../machines/match-model.ts'
import type { SportName } from '../../machines/sports.ts'
import type { Judge } from '../../src/resources/game-plans/look.ts'
import { Rehearsal } from '../../src/resources/game-plans/rehearsal.ts'
import { type Ask, type Brief, commanded, factOf, KICK_OFF, matchOf } from '../machines/match-support.ts'

export const at = (seconds: number) => KICK_OFF + seconds * 1000
const iso = (ms: number) => new Date(ms).toISOString()

let made = 0
/** A rule that shows the graphic of its name for 8 s. */
export const rule = (name: string, trigger: Trigger, more: Partial<Rule> = {}): Rule => ({
  id: `rule-${++made}`,
  name,
  enabled: true,
  trigger,
  presetId: 1,
  delaySeconds: 0,
  end: { afterSeconds: 8 },
  priority: 50,
  onInterrupt: 'drop',
  maxAgeSeconds: 30,
  cooldownSeconds: 0,
  every: 1,
  once: false,
  ...more,
})

export const goals = { type: 'fact' as const, factTypes: ['goal'] }

/** Shows what the rule is called, with the scorer of the fact. */
export const showsItsName: Judge = ({ name, presetId }, fact) => ({
  reason: null,
  picture: { presetId, graphicId: name, graphicName: name, values: fact ? { player: fact.playerId } : {} },
})

type Played = { judge?: Judge; sport?: SportName; refusal?: (play: Play, at: number) => Reason | null }

/** A match and the plan of one overlay, played together in virtual time; seconds are counted from kick-off. */
export class Scene {
  readonly rehearsal: Rehearsal
  match: Match
  readonly told: (PlanEvent & { readonly toldAt: number })[] = []
  #facts = 0

  constructor(rules: readonly Rule[], { judge = showsItsName, sport = 'football' as SportName, refusal }: Played = {}) {
    const told = (event: PlanEvent, toldAt: number) => this.told.push({ ...event, toldAt })
    this.rehearsal = new Rehearsal({ rules, judgeAt: () => judge, told, ...(refusal && { refusal }) })
    this.match = matchOf(sport)
  }

  /** The overlay is automatic from now on. */
  on(second = -3600): this {
    return this.see(second)
  }

  /** The plan looks at the match. */
  see(second: number, hands: readonly Hand[] = []): this {
    const { facts, competitors, play, settings } = this.match
    this.rehearsal.look({ facts, competitors, play, date: settings.date }, at(second), hands)
    return this
  }

  /** Facts happen, and are told at once. */
  fact(second: number, type: string, more: Partial<Brief> = {}, toldAt = second): this {
    const id = ++this.#facts
    return this.ask(toldAt, {
      type: 'record',
      id,
      fact: factOf({ type, timestamp: iso(at(second)), ...more }),
    })
  }

  ask(second: number, ...asks: Ask[]): this {
    this.match = commanded(this.match, ...asks.map((ask) => ({ at: iso(at(second)), ...ask })))
    return this.see(second)
  }

  hand(second: number, action: Hand['action'], graphicId: string, by: string | null = 'Ann'): this {
    const running = Object.values(this.rehearsal.plan.layers).find((layer) => layer.running?.graphicId === graphicId)
    const play = running?.running?.id ?? null
    return this.see(second, [{ action, graphicId, play, layers: action === 'hideAll' ? [] : [graphicId], by }])
  }

  to(second: number): this {
    this.rehearsal.runTo(at(second))
    return this
  }

  /** What goes on and off air, with the second: `10 +Goal`, `18 -Goal`, `12 ~Goal` of an update. */
  get air(): string[] {
    const names = new Map<number, string>()
    const ends = new Map<number, number | null>()
    return this.told.flatMap((event) => {
      const second = (event.toldAt - KICK_OFF) / 1000
      if (event.type === 'play.begun') {
        names.set(event.play.id, event.play.name)
        ends.set(event.play.id, event.until)
      }
      if (event.type === 'play.begun') return [`${second} +${event.play.name}`]
      if (event.type === 'play.updated') return [`${second} ~${names.get(event.id) ?? '?'}`]
      // the plan takes it off, or the overlay does when its time is up
      return event.type === 'play.ended' && (event.n !== null || ends.get(event.id) === event.at)
        ? [`${second} -${names.get(event.id)}`]
        : []
    })
  }

  /** What fired, or why it did not: `10 Goal fired`, `10 Goal cooldown`. */
  get recent(): string[] {
    const word = (event: PlanEvent) =>
      event.type === 'rule.fired'
        ? 'fired'
        : event.type === 'rule.suppressed'
          ? event.reason
          : event.type === 'rule.withdrawn'
            ? `withdrawn${event.reason === null ? '' : ` ${event.reason}`}`
            : undefined
    return this.told.flatMap((event) => {
      const said = word(event)
      return said && 'ruleId' in event && 'name' in event
        ? [`${(event.toldAt - KICK_OFF) / 1000} ${event.name} ${said}`]
        : []
    })
  }
}

export const playing = (rules: readonly Rule[], more: Played = {}): Scene => new Scene(rules, more).on()
