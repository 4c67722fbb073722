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
  | { type: 'play.begun'; play: Play; at: number; until: number | null; n: number }
  /** The fact of a play was corrected; `n`: and the overlay is to update its graphic. */
  | {
      type: 'play.updated'
      id: number
      layer: string
      values: Play['values']
      factAt: string | null
      n: number | null
    }
  /** A play is over; `n`: its graphic is to be hidden, null: it is off air already, or another one takes its place. */
  | { type: 'play.ended'; id: number; layer: string; at: number; n: number | null }

/** Effects that a plan keeps; older ones were carried out long ago. */
const MOST_EFFECTS = 200

/** The state after an event. Pure. */
export function foldPlan(plan: Plan, event: PlanEvent): Plan {
  const folded = foldOne(plan, event)
  const numbered = Math.max(plan.numbered, 'play' in event ? event.play.id : 0, 'n' in event ? (event.n ?? 0) : 0)
  return numbered === folded.numbered ? folded : { ...folded, numbered }
}

function foldOne(plan: Plan, event: PlanEvent): Plan {
  switch (event.type) {
    case 'plan.switched':
      return event.on
        ? { ...plan, on: true }
        : { ...plan, on: false, paused: false, match: null, waiting: [], layers: {}, alarmAt: null, fresh: false }
    case 'plan.saw':
      return { ...plan, match: event.match, overlaySeq: event.overlaySeq, fresh: false }
    case 'plan.paused':
      return { ...plan, paused: true }
    case 'plan.resumed':
      return { ...plan, paused: false, fresh: true }
    case 'plan.alarmed':
      return { ...plan, alarmAt: event.at }
    case 'plan.done':
      return { ...plan, effects: plan.effects.filter(({ n }) => n > event.n) }
    case 'layer.held':
      return withLayer(plan, event.layer, (layer) => ({ ...layer, heldBy: event.by }))
    case 'layer.released':
      return { ...withLayer(plan, event.layer, (layer) => ({ ...layer, heldBy: null })), fresh: true }
    case 'rule.remembered':
      return withMemory(plan, event.ruleId, event.memory)
    case 'rule.fired':
      return withMemory(plan, event.ruleId, { firedAt: event.at })
    case 'rule.suppressed':
    case 'rule.withdrawn':
      return plan
    case 'play.waited':
      return { ...plan, waiting: [...plan.waiting, { ...event.play, dueAt: event.dueAt }] }
    case 'play.queued':
      return withLayer(plan, event.play.layer, (layer) => ({
        ...layer,
        queue: [...layer.queue, event.play].sort(nextFirst),
      }))
    case 'play.dropped':
      return withLayer(
        { ...plan, waiting: plan.waiting.filter(({ id }) => id !== event.id) },
        event.layer,
        (layer) => ({ ...layer, queue: layer.queue.filter(({ id }) => id !== event.id) }),
      )
    case 'play.begun': {
      const { play, at, until, n } = event
      const running = { ...play, leftMs: null, begun: true, resumes: false, since: at, until }
      const seconds = until === null ? null : (until - at) / 1000
      const begun = withLayer(plan, play.layer, (layer) => ({ ...layer, running }))
      return withEffect(begun, { n, do: 'show', layer: play.layer, play, seconds })
    }
    case 'play.updated': {
      const { id, layer: name, values, factAt, n } = event
      const changed = <P extends Play>(one: P): P => (one.id === id ? { ...one, values, factAt } : one)
      const updated = withLayer({ ...plan, waiting: plan.waiting.map(changed) }, name, (layer) => ({
        ...layer,
        running: layer.running && changed(layer.running),
        queue: layer.queue.map(changed),
      }))
      const running = updated.layers[name]?.running
      return running?.id === id && n !== null
        ? withEffect(updated, { n, do: 'update', layer: name, play: running, seconds: null })
        : updated
    }
    case 'play.ended': {
      const { layer: name, n } = event
      const running = plan.layers[name]?.running
      if (running?.id !== event.id) return plan
      const ended = withLayer(plan, name, (layer) => ({ ...layer, running: null }))
      return n === null ? ended : withEffect(ended, { n, do: 'hide', layer: name, play: running, seconds: null })
    }
  }
}

/** The higher priority, then the rule that comes first, then the older one. */
export const nextFirst = (one: Play, other: Play) =>
  other.priority - one.priority || one.order - other.order || one.id - other.id

const withMemory = (plan: Plan, ruleId: string, more: Partial<Memory>): Plan => ({
  ...plan,
  rules: { ...plan.rules, [ruleId]: { ...NO_MEMORY, ...plan.rules[ruleId], ...more } },
})

/** A layer that nobody holds and nothing runs on is none. */
function withLayer(plan: Plan, name: string, change: (layer: Layer) => Layer): Plan {
  const { [name]: before = EMPTY_LAYER, ...others } = plan.layers
  const after = change(before)
  const isEmpty = after.heldBy === null && after.running === null && after.queue.length === 0
  return { ...plan, layers: isEmpty ? others : { ...others, [name]: after } }
}

const withEffect = (plan: Plan, effect: Effect): Plan => ({
  ...plan,
  effects: [...plan.effects, effect].slice(-MOST_EFFECTS),
})
