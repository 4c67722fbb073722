import type { PlanCommand, PlanTimer } from './commands.ts'
import { Course } from './course.ts'
import { foldPlanAll, type PlanEvent } from './events.ts'
import type { Plan } from './model.ts'

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
        course.end(command.layer, (plan.layers[command.layer]?.queue.length ?? 0) > 0, 'tooOld')
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
