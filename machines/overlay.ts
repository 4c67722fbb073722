import { assign, emit, enqueueActions, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { decide, type OverlayCommand, type OverlayTimer, onPreview } from './overlay/decide.ts'
import { fold, type OverlayFact } from './overlay/events.ts'
import { type Overlay, offAfterMs, type Shown, staged } from './overlay/model.ts'

const step = decided(decide, fold)

type Asked = OverlayCommand | OverlayTimer
type Guarded = { context: Overlay; event: Asked }

/** The timer of a graphic. */
const timerOf = (graphicId: string) => `out:${graphicId}`
/** The timer of a scheduled command. */
export const timerAt = (id: number) => `at:${id}`
const isTimed = (graphic: Shown | undefined) => graphic !== undefined && offAfterMs(graphic) !== undefined

/** Whether a command may set or cancel timers; most do not. */
function setsTimers(overlay: Overlay, command: Asked): boolean {
  if (command.type === 'update') return command.stays === true && isTimed(overlay.graphics[command.graphicId])
  if (command.type === 'show' && isTimed(command.graphic)) return true
  if (command.type === 'hideAll' && command.scheduled === true) return true
  for (const id in overlay.graphics) {
    const onAir = overlay.graphics[id]
    if (onAir && isTimed(onAir) && mayEnd(onAir, command)) return true
  }
  return false
}

/** Whether a show, hide or hideAll may take it off air, or show it anew. */
function mayEnd({ graphicId, graphicName }: Shown, command: Asked): boolean {
  if (command.type === 'hide') return command.graphicId === graphicId
  if (command.type !== 'show') return true
  return command.graphic.graphicId === graphicId || command.graphic.graphicName === graphicName
}

/** What is left of the time of a graphic that comes back. */
const leftOf = (command: Asked, graphicId: string) =>
  command.type === 'undo' ? command.back.find(({ graphic }) => graphic.graphicId === graphicId)?.leftMs : undefined

type Timer = { id: string; delay?: number; event?: OverlayTimer }

/**
 * What a fact makes of a timer: set anew, or cancelled when no `event` is there. `before`: the graphics as they were; one that had no time has
 * no timer to cancel, and its commit needs no more than its own row.
 */
function timerFor(fact: OverlayFact, command: Asked, before: Overlay['graphics']): Timer | undefined {
  switch (fact.type) {
    case 'rehearsed':
      return timerFor(fact.fact, command, before)
    case 'graphic.hidden':
      return isTimed(before[fact.graphicId]) ? { id: timerOf(fact.graphicId) } : undefined
    case 'graphic.shown':
    case 'graphic.updated': {
      const { graphicId } = fact.graphic
      const id = timerOf(graphicId)
      const offMs = offAfterMs(fact.graphic)
      if (offMs === undefined) return isTimed(before[graphicId]) ? { id } : undefined
      const leftMs = leftOf(command, graphicId)
      // an update leaves the time
      if (fact.type === 'graphic.updated' && leftMs === undefined) return undefined
      return { id, delay: leftMs ?? offMs, event: { type: 'autoHide', graphicId } }
    }
    case 'command.scheduled': {
      const { id } = fact.scheduled
      return { id: timerAt(id), delay: command.type === 'schedule' ? command.inMs : 0, event: { type: 'due', id } }
    }
    case 'command.unscheduled':
      return { id: timerAt(fact.id) }
    default:
      return undefined
  }
}

const actions = ['tell', 'fold'] as const
const withTimers = ['setTimers', 'tell', 'fold'] as const
/** Most commands leave timers alone. */
const either = [{ guard: 'timed', actions: withTimers }, { actions }] as const

/** Graphics of one overlay. Every command goes through decide and fold; the states only say whether anything is on air, or it rehearses. */
export const overlayMachine = setup({
  types: {
    context: {} as Overlay,
    events: {} as Asked,
    emitted: {} as Decided<OverlayFact>,
  },
  guards: {
    targetOnAir: ({ context, event }: Guarded) => 'graphicId' in event && event.graphicId in staged(context).graphics,
    targetCued: ({ context, event }: Guarded) => event.type === 'take' && onPreview(context, event.presetId).length > 0,
    somethingCued: ({ context }: Guarded) => context.preview !== undefined,
    isScheduled: ({ context, event }: Guarded) =>
      event.type === 'unschedule' && context.schedule?.[event.id] !== undefined,
    clearsAll: ({ event }: Guarded) => event.type === 'hideAll' && event.scheduled === true,
    timed: ({ context, event }: Guarded) => setsTimers(context, event),
    begins: ({ event }: Guarded) => event.type === 'rehearse' && event.on,
    ends: ({ event }: Guarded) => event.type === 'rehearse' && !event.on,
    nothingOnAir: ({ context }: Guarded) => Object.keys(context.graphics).length === 0,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
    // before the fold, which the decision would follow otherwise
    setTimers: enqueueActions(({ enqueue, context, event }) => {
      const { graphics } = staged(context)
      for (const fact of step.facts({ context, event }).facts) {
        const timer = timerFor(fact, event, graphics)
        if (timer?.event) enqueue.raise(timer.event, { id: timer.id, delay: timer.delay ?? 0 })
        else if (timer) enqueue.cancel(timer.id)
      }
    }),
  },
}).createMachine({
  id: 'overlay',
  context: { graphics: {}, revisions: {} },
  initial: 'offAir',
  // beside the air, whatever is on it
  on: {
    cue: { actions },
    uncue: { actions },
    schedule: { actions: withTimers },
    unschedule: { guard: 'isScheduled', actions: withTimers },
    drop: { actions: withTimers },
  },
  states: {
    offAir: {
      on: {
        show: [
          { guard: 'timed', target: 'onAir', actions: withTimers },
          { target: 'onAir', actions },
        ],
        hide: 'offAir',
        hideAll: [{ guard: 'clearsAll', actions: withTimers }, { target: 'offAir' }],
        refresh: [{ guard: 'somethingCued', actions }, { target: 'offAir' }],
        take: { guard: 'targetCued', target: 'onAir', actions: withTimers },
        batch: { target: 'onAir', actions: withTimers },
        undo: { target: 'onAir', actions: withTimers },
        perform: { target: 'onAir', actions: withTimers },
        instance: { target: 'onAir', actions: withTimers },
        moveRundown: { target: 'onAir', actions: withTimers },
        rehearse: [{ guard: 'begins', target: 'rehearsal', actions }, { target: 'offAir' }],
      },
    },
    // nothing is on air, whatever is commanded
    rehearsal: {
      on: {
        show: { actions: withTimers },
        update: { guard: 'targetOnAir', actions: withTimers },
        step: { guard: 'targetOnAir', actions: withTimers },
        custom: { guard: 'targetOnAir', actions },
        hide: { actions: withTimers },
        hideAll: { actions: withTimers },
        refresh: { actions },
        take: { guard: 'targetCued', actions: withTimers },
        batch: { actions: withTimers },
        undo: { actions: withTimers },
        perform: { actions: withTimers },
        instance: { actions: withTimers },
        autoHide: { actions },
        moveRundown: { actions: withTimers },
        rehearse: [{ guard: 'ends', target: 'offAir', actions: withTimers }, { target: 'rehearsal' }],
      },
    },
    onAir: {
      always: { guard: 'nothingOnAir', target: 'offAir' },
      on: {
        show: either,
        update: [
          { guard: 'timed', actions: withTimers },
          { guard: 'targetOnAir', actions },
        ],
        step: { guard: 'targetOnAir', actions: withTimers },
        custom: { guard: 'targetOnAir', actions },
        hide: either,
        hideAll: either,
        refresh: { actions },
        take: { guard: 'targetCued', actions: withTimers },
        batch: { actions: withTimers },
        undo: { actions: withTimers },
        perform: { actions: withTimers },
        instance: { actions: withTimers },
        moveRundown: { actions: withTimers },
        autoHide: { actions },
        // what is on air is taken off by whoever means it
        rehearse: { guard: 'ends', target: 'onAir' },
      },
    },
  },
})
