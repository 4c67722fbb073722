import {
  type Effect,
  EMPTY_LAYER,
  type Layer,
  type Memory,
  NO_MEMORY,
  type Plan,
  type Play,
  type Reason,
  type SeenMatch,
} from './model.ts'

type OfRule = { ruleId: string; name: string; factId: number | null; at: number }

/** Facts of a plan, whose fold is its state. `n` numbers the effects, which the overlay is to carry out. */
export type PlanEvent =
  | { type: 'plan.switched'; on: boolean; at: number }
  /** The overlay rehearses: the plan plays from its beginning, and afterwards goes on with what it remembered before. */
  | { type: 'plan.rehearsing'; on: boolean; at: number }
  | { type: 'plan.saw'; match: SeenMatch | null; overlaySeq: number }
  | { type: 'plan.paused'; at: number; by: string }
  | { type: 'plan.resumed'; at: number; by: string }
  | { type: 'plan.alarmed'; at: number | null }
  /** The overlay has carried out the effects up to this number. */
  | { type: 'plan.done'; n: number }
  | { type: 'layer.held'; layer: string; by: string; at: number }
  | { type: 'layer.released'; layer: string; by: string; at: number }
  | { type: 'rule.remembered'; ruleId: string; memory: Memory }
  | ({ type: 'rule.fired' } & OfRule)
  | ({ type: 'rule.suppressed'; reason: Reason } & OfRule)
  | ({ type: 'rule.withdrawn'; reason: Reason | null } & OfRule)
  | { type: 'play.waited'; play: Play; dueAt: number }
  | { type: 'play.queued'; play: Play }
  /** Plays that wait no more, for their delay or for their layer. */
  | { type: 'play.dropped'; id: number; layer: string }
  /** `unsure`: whether its rule fired is told once the overlay has shown it, or could not. */
  | { type: 'play.begun'; play: Play; at: number; until: number | null; n: number; unsure?: boolean }
  /** The fact of a play was corrected; `n`: the effect that corrects its graphic on air. */
  | {
      type: 'play.updated'
      id: number
      layer: string
      values: Play['values']
      factAt: string | null
      n: number | null
    }
  /**
   * A play is over; `n`: its graphic is to be hidden, null: it is off air already, or another one takes its place. `leftOut`: why it is left out
   * where the overlay has not shown it by now; without, nothing is to be told of that.
   */
  | { type: 'play.ended'; id: number; layer: string; at: number; n: number | null; leftOut?: Reason | null }

const NOT_FRESH = { fresh: false, released: undefined }

/** Effects that a plan keeps; older ones were carried out long ago. */
const MOST_EFFECTS = 200

/** The state after an event. Pure. */
export const foldPlan = (plan: Plan, event: PlanEvent): Plan => foldPlanAll(plan, [event])

/** The state after events. Pure. */
export function foldPlanAll(plan: Plan, events: readonly PlanEvent[]): Plan {
  const draft = new PlanDraft(plan)
  for (const event of events) draft.fold(event)
  return draft.plan
}

/** The tables of a draft that may be changed, once they are copies. */
type Own = Omit<Plan, 'layers' | 'rules'> & { layers: Record<string, Layer>; rules: Record<string, Memory> }

/**
 * A plan that takes events one after the other. What they change is copied once for all of them: two hundred rules that fire at once would
 * copy the memories of all rules two hundred times.
 */
export class PlanDraft {
  readonly #plan: Own
  readonly #given: Plan

  constructor(plan: Plan) {
    this.#given = plan
    this.#plan = { ...plan }
  }

  /** As it is now; its tables change with the next event. */
  get plan(): Plan {
    return this.#plan
  }

  fold(event: PlanEvent): void {
    const plan = this.#plan
    plan.numbered = Math.max(plan.numbered, 'play' in event ? event.play.id : 0, 'n' in event ? (event.n ?? 0) : 0)
    switch (event.type) {
      case 'plan.switched':
        plan.on = event.on
        if (!event.on)
          for (const { running } of Object.values(plan.layers)) if (running) this.#leaveOut(running.id, 'autoModeOff')
        if (!event.on)
          Object.assign(plan, { paused: false, match: null, waiting: [], layers: {}, alarmAt: null, ...NOT_FRESH })
        break
      case 'plan.rehearsing':
        Object.assign(plan, { paused: false, match: null, waiting: [], layers: {}, effects: [], alarmAt: null })
        if (event.on) plan.rehearsal = { rules: plan.rules }
        plan.rules = event.on ? {} : copyOf(plan.rehearsal?.rules ?? {})
        if (!event.on) plan.rehearsal = undefined
        break
      case 'plan.saw':
        plan.match = event.match
        plan.overlaySeq = event.overlaySeq
        Object.assign(plan, NOT_FRESH)
        break
      case 'plan.paused':
        plan.paused = true
        break
      case 'plan.resumed':
        plan.paused = false
        plan.fresh = true
        plan.released = undefined
        break
      case 'plan.alarmed':
        plan.alarmAt = event.at
        break
      case 'plan.done':
        plan.effects = plan.effects.filter(({ n }) => n > event.n)
        break
      case 'layer.held':
        this.#change(event.layer, { heldBy: event.by })
        break
      case 'layer.released':
        this.#change(event.layer, { heldBy: null })
        // one that is fresh without a list takes up all layers already
        if (!plan.fresh || plan.released) plan.released = [...(plan.released ?? []), event.layer]
        plan.fresh = true
        break
      case 'rule.remembered':
        this.#remember(event.ruleId, event.memory)
        break
      case 'rule.fired':
        this.#remember(event.ruleId, { firedAt: event.at })
        break
      case 'rule.suppressed':
      case 'rule.withdrawn':
        break
      case 'play.waited':
        plan.waiting = [...plan.waiting, { ...event.play, dueAt: event.dueAt }]
        break
      case 'play.queued':
        this.#change(event.play.layer, { queue: [...this.#layer(event.play.layer).queue, event.play].sort(nextFirst) })
        break
      case 'play.dropped': {
        plan.waiting = without(plan.waiting, event.id)
        const { queue } = this.#layer(event.layer)
        this.#change(event.layer, { queue: without(queue, event.id) })
        break
      }
      case 'play.begun': {
        const { play, at, until, n, unsure } = event
        const running = { ...play, leftMs: null, begun: true, resumes: false, since: at, until }
        this.#change(play.layer, { running })
        const seconds = until === null ? null : (until - at) / 1000
        this.#effect({ n, do: 'show', layer: play.layer, play, seconds, ...(unsure && { unsure }) })
        break
      }
      case 'play.updated':
        this.#update(event)
        break
      case 'play.ended': {
        const { layer, n } = event
        const { running } = this.#layer(layer)
        if (running?.id !== event.id) break
        this.#change(layer, { running: null })
        if (event.leftOut !== undefined) this.#leaveOut(event.id, event.leftOut)
        if (n !== null) this.#effect({ n, do: 'hide', layer, play: running, seconds: null })
        break
      }
    }
  }

  #update({ id, layer: name, values, factAt, n }: Extract<PlanEvent, { type: 'play.updated' }>): void {
    const changed = <P extends Play>(one: P): P => (one.id === id ? { ...one, values, factAt } : one)
    const { running, queue } = this.#layer(name)
    this.#plan.waiting = this.#plan.waiting.map(changed)
    this.#change(name, { running: running && changed(running), queue: queue.map(changed) })
    const updated = this.#layer(name).running
    if (updated?.id === id && n !== null) this.#effect({ n, do: 'update', layer: name, play: updated, seconds: null })
  }

  #layer(name: string): Layer {
    return this.#plan.layers[name] ?? EMPTY_LAYER
  }

  /** A layer that nobody holds and nothing runs on is none. */
  #change(name: string, more: Partial<Layer>): void {
    const layer = { ...this.#layer(name), ...more }
    const isEmpty = layer.heldBy === null && layer.running === null && layer.queue.length === 0
    if (isEmpty && !(name in this.#plan.layers)) return
    const layers = this.#layers()
    if (isEmpty) delete layers[name]
    else layers[name] = layer
  }

  #remember(ruleId: string, more: Partial<Memory>): void {
    const rules = this.#rules()
    rules[ruleId] = { ...NO_MEMORY, ...rules[ruleId], ...more }
  }

  #effect(effect: Effect): void {
    const effects = this.#effects()
    effects.push(effect)
    if (effects.length > MOST_EFFECTS) effects.shift()
  }

  /** The show of a play that is over. */
  #leaveOut(id: number, leftOut: Reason | null): void {
    const { effects } = this.#plan
    for (let index = effects.length - 1; index >= 0; index--) {
      const effect = effects[index]
      if (effect?.do !== 'show' || effect.play.id !== id) continue
      this.#effects()[index] = { ...effect, leftOut }
      return
    }
  }

  #effects(): Effect[] {
    if (this.#plan.effects === this.#given.effects) this.#plan.effects = [...this.#given.effects]
    // a list of this plan alone
    return this.#plan.effects as Effect[]
  }

  #layers(): Record<string, Layer> {
    const { layers } = this.#plan
    if (layers !== this.#given.layers) return layers
    const own = copyOf(layers)
    this.#plan.layers = own
    return own
  }

  #rules(): Record<string, Memory> {
    const { rules } = this.#plan
    if (rules !== this.#given.rules) return rules
    const own = copyOf(rules)
    this.#plan.rules = own
    return own
  }
}

/** By hand and without a prototype: a third of what `{ ...table }` takes for a hundred members. */
function copyOf<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  const copy: Record<string, T> = Object.create(null)
  for (const name in table) copy[name] = table[name] as T
  return copy
}

/** The same where there is none of this id. */
const without = <P extends Play>(plays: readonly P[], id: number): readonly P[] =>
  plays.some((play) => play.id === id) ? plays.filter((play) => play.id !== id) : plays

/** The higher priority, then the rule that comes first, then the older one. */
export const nextFirst = (one: Play, other: Play) =>
  other.priority - one.priority || one.order - other.order || one.id - other.id
