import { assign, emit, enqueueActions, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { decide, type OverlayCommand, type OverlayTimer } from './overlay/decide.ts'
import { fold, type OverlayEvent } from './overlay/events.ts'
import type { Overlay, Shown } from './overlay/model.ts'

const step = decided(decide, fold)

type Guarded = { context: Overlay; event: OverlayCommand | OverlayTimer }

/** The timer of a graphic. */
const timerOf = (graphicId: string) => `out:${graphicId}`
const isTimed = (graphic: Shown | undefined) => graphic?.durationSeconds !== undefined

/** Whether a command may set or cancel the timer of a graphic; most do neither. */
function setsTimers(overlay: Overlay, command: OverlayCommand | OverlayTimer): boolean {
  if (command.type === 'update') return command.stays === true && isTimed(overlay.graphics[command.graphicId])
  if (command.type === 'show' && isTimed(command.graphic)) return true
  for (const id in overlay.graphics) if (isTimed(overlay.graphics[id])) return true
  return false
}

/** Graphics of one overlay. Every command goes through decide and fold; the states only say whether anything is on air. */
export const overlayMachine = setup({
  types: {
    context: {} as Overlay,
    events: {} as OverlayCommand | OverlayTimer,
    emitted: {} as Decided<OverlayEvent>,
  },
  guards: {
    targetOnAir: ({ context, event }: Guarded) => event.type === 'update' && event.graphicId in context.graphics,
    timed: ({ context, event }: Guarded) => setsTimers(context, event),
    nothingOnAir: ({ context }: Guarded) => Object.keys(context.graphics).length === 0,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    // before the fold, which the decision would follow otherwise
    setTimers: enqueueActions(({ enqueue, context, event }) => {
      for (const fact of step.facts({ context, event }).facts) {
        const graphicId =
          fact.type === 'graphic.hidden' ? fact.graphicId : 'graphic' in fact ? fact.graphic.graphicId : ''
        const seconds = fact.type === 'graphic.shown' ? fact.graphic.durationSeconds : undefined
        const id = timerOf(graphicId)
        if (seconds !== undefined) enqueue.raise({ type: 'autoHide', graphicId }, { id, delay: seconds * 1000 })
        else if (fact.type !== 'graphic.updated' || !isTimed(fact.graphic)) enqueue.cancel(id)
      }
    }),
  },
}).createMachine({
  id: 'overlay',
  context: { graphics: {}, revisions: {} },
  initial: 'offAir',
  states: {
    offAir: {
      on: {
        show: [
          { guard: 'timed', target: 'onAir', actions: ['setTimers', 'tell', 'fold'] },
          { target: 'onAir', actions: ['tell', 'fold'] },
        ],
        hide: 'offAir',
        hideAll: 'offAir',
        refresh: 'offAir',
      },
    },
    onAir: {
      always: { guard: 'nothingOnAir', target: 'offAir' },
      on: {
        show: [{ guard: 'timed', actions: ['setTimers', 'tell', 'fold'] }, { actions: ['tell', 'fold'] }],
        update: [
          { guard: 'timed', actions: ['setTimers', 'tell', 'fold'] },
          { guard: 'targetOnAir', actions: ['tell', 'fold'] },
        ],
        hide: [{ guard: 'timed', actions: ['setTimers', 'tell', 'fold'] }, { actions: ['tell', 'fold'] }],
        hideAll: [{ guard: 'timed', actions: ['setTimers', 'tell', 'fold'] }, { actions: ['tell', 'fold'] }],
        refresh: { actions: ['tell', 'fold'] },
        autoHide: { actions: ['tell', 'fold'] },
      },
    },
  },
})
