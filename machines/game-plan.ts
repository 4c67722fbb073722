import { assign, emit, enqueueActions, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import type { PlanCommand, PlanTimer } from './game-plan/commands.ts'
import { afterPlan, decidePlan } from './game-plan/decide.ts'
import { foldPlan, type PlanEvent } from './game-plan/events.ts'
import { NO_PLAN, type Plan } from './game-plan/model.ts'

const step = decided(decidePlan, foldPlan, afterPlan)

type Guarded = { context: Plan; event: PlanCommand | PlanTimer }
type TimerSet = { event: PlanTimer; at: number } | null

/** The timers that facts set (event and time, ms since 1970) or cancel (null), by name: one change of each. */
function timersOf(plan: Plan, facts: readonly PlanEvent[]): Map<string, TimerSet> {
  const timers = new Map<string, TimerSet>()
  const waiting = new Set(plan.waiting.map(({ id }) => id))
  for (const fact of facts)
    switch (fact.type) {
      case 'plan.alarmed':
        timers.set('alarm', fact.at === null ? null : { event: { type: 'woken' }, at: fact.at })
        break
      case 'plan.switched':
      case 'plan.rehearsing':
        if (fact.type === 'plan.switched' && fact.on) break
        timers.set('alarm', null)
        for (const id of waiting) timers.set(`wait:${id}`, null)
        for (const layer of Object.keys(plan.layers)) timers.set(`layer:${layer}`, null)
        break
      case 'play.waited':
        timers.set(`wait:${fact.play.id}`, { event: { type: 'waited', id: fact.play.id }, at: fact.dueAt })
        waiting.add(fact.play.id)
        break
      case 'play.dropped':
        if (waiting.has(fact.id)) timers.set(`wait:${fact.id}`, null)
        break
      case 'play.begun': {
        const { id, layer } = fact.play
        if (fact.until !== null) timers.set(`layer:${layer}`, { event: { type: 'timeUp', layer, id }, at: fact.until })
        break
      }
      case 'play.ended': {
        const name = `layer:${fact.layer}`
        if (timers.has(name) || plan.layers[fact.layer]?.running?.until !== null) timers.set(name, null)
        break
      }
      default:
    }
  return timers
}

const nowOf = ({ at }: PlanCommand | PlanTimer) => (typeof at === 'number' ? at : Date.parse(at ?? ''))

const told = { actions: ['setTimers', 'tell', 'fold'] } as const
/** While an overlay is automatic every command and timer is decided on; a paused plan takes the same ones. */
const TOLD = {
  ...{ advance: told, pause: told, clear: told, resume: told, hold: told, release: told, fire: told },
  ...{ waited: told, timeUp: told, woken: told },
}

/**
 * The game plan of one overlay: the graphics that it puts on air by itself, and when. A look tells it what happened (`advance`); shows and hides are facts
 * that the overlay's own commands come from. game-plan: Rules of behaviour
 */
export const planMachine = setup({
  types: {
    context: {} as Plan,
    events: {} as PlanCommand | PlanTimer,
    emitted: {} as Decided<PlanEvent>,
  },
  guards: {
    isOn: ({ context }: Guarded) => context.on,
    isOff: ({ context }: Guarded) => !context.on,
    isPaused: ({ context }: Guarded) => context.paused,
    isResumed: ({ context }: Guarded) => !context.paused,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    // before the fold, which the decision would follow otherwise
    setTimers: enqueueActions(({ enqueue, context, event }) => {
      const now = nowOf(event)
      for (const [id, timer] of timersOf(context, step.facts({ context, event }).facts))
        if (timer === null) enqueue.cancel(id)
        else enqueue.raise(timer.event, { id, delay: Math.max(0, timer.at - now) })
    }),
  },
}).createMachine({
  id: 'game-plan',
  context: NO_PLAN,
  initial: 'off',
  states: {
    off: {
      always: { guard: 'isOn', target: 'playing' },
      on: { advance: told },
    },
    playing: {
      always: [
        { guard: 'isOff', target: 'off' },
        { guard: 'isPaused', target: 'paused' },
      ],
      on: TOLD,
    },
    paused: {
      always: [
        { guard: 'isOff', target: 'off' },
        { guard: 'isResumed', target: 'playing' },
      ],
      on: TOLD,
    },
  },
})
