import { assign, emit, enqueueActions, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import { members, nullable, number, oneOf, optional, type Shape, scalar, table, text } from './shape.ts'

export type Value = string | number | boolean | null
export type Values = Record<string, Value>

/** A graphic as shown: everything a renderer, an update and a hide need to know without another read. */
export type Shown = {
  graphicId: string
  graphicName: string
  kind: 'code' | 'rive'
  /** Published version of the graphic. */
  version: number
  /** Path of the bundle's entry or of the motion file, from the root of the host. */
  url: string
  themeId: number
  themeVersion: number
  roomId: number
  sectionId: string
  presetId: number
  values: Values
  /** The graphic goes off air by itself so long after its show; left out: it stays. show-control: Commands */
  durationSeconds?: number
  /** The play of the game plan that shows it; left out: somebody did by hand. */
  play?: number
  /** Of each variable whose value is a brand, the sponsor slot that it was chosen from, null when it was named. game-plan: Brands and sponsor slots */
  ads?: Ads
}

export type Ads = Readonly<Record<string, string | null>>

/** A graphic on air. `loadSeq` is the seq of its show, `seq` that of its latest load or update. */
export type OnAir = Shown & { loadSeq: number; seq: number }

export type Overlay = {
  /** Keyed by graphicId. */
  graphics: Record<string, OnAir>
  /** Revision of each live source that was last announced to renderers. */
  revisions: Record<string, number>
}

export const overlayShape: Shape<Overlay> = members({
  graphics: table(
    members<OnAir>({
      loadSeq: number,
      seq: number,
      graphicId: text,
      graphicName: text,
      kind: oneOf('code', 'rive'),
      version: number,
      url: text,
      themeId: number,
      themeVersion: number,
      roomId: number,
      sectionId: text,
      presetId: number,
      values: table(scalar),
      durationSeconds: optional(number),
      play: optional(number),
      ads: optional(table(nullable(text))),
    }),
  ),
  revisions: table(number),
})

/** Commands carry the seq that the host will commit them under. */
export type OverlayCommand = { seq: number } & (
  | { type: 'show'; graphic: Shown }
  | {
      type: 'update'
      graphicId: string
      presetId: number
      sectionId: string
      values: Values
      stays?: true
      ads?: Ads
    }
  | { type: 'hide'; graphicId: string }
  | { type: 'hideAll'; sectionId?: string }
  | { type: 'refresh'; revisions: Record<string, number> }
)

/** The time of a graphic is up. */
export type OverlayTimer = { type: 'autoHide'; graphicId: string }

/** Facts of an overlay, whose fold is its state. */
export type OverlayEvent =
  | { type: 'graphic.shown'; graphic: OnAir }
  | { type: 'graphic.updated'; graphic: OnAir }
  | {
      type: 'graphic.hidden'
      graphicId: string
      graphicName: string
      presetId: number
      sectionId: string
      /** As it was shown with. */
      play?: number
    }
  | { type: 'data.refreshed'; seq: number; revisions: Record<string, number> }

/** The state after an event. Pure; used by the machine, by replay and by every delayed view. */
export function fold(overlay: Overlay, event: OverlayEvent): Overlay {
  switch (event.type) {
    case 'graphic.shown':
    case 'graphic.updated':
      return { ...overlay, graphics: { ...overlay.graphics, [event.graphic.graphicId]: event.graphic } }
    case 'graphic.hidden': {
      const { [event.graphicId]: _hidden, ...graphics } = overlay.graphics
      return { ...overlay, graphics }
    }
    case 'data.refreshed': {
      const graphics: Record<string, OnAir> = {}
      for (const [id, graphic] of Object.entries(overlay.graphics)) graphics[id] = { ...graphic, seq: event.seq }
      return { graphics, revisions: { ...overlay.revisions, ...event.revisions } }
    }
  }
}

const hidden = ({ graphicId, graphicName, presetId, sectionId, play }: OnAir): OverlayEvent => ({
  type: 'graphic.hidden',
  graphicId,
  graphicName,
  presetId,
  sectionId,
  ...(play !== undefined && { play }),
})

/** The graphic stays on air, and the play or duration that it was shown with ends it no more. */
function staying({ durationSeconds: _over, play: _play, ...onAir }: OnAir): OnAir {
  return onAir
}

/** The facts that a command comes to now. No facts: nothing changes. */
export function decide(overlay: Overlay, command: OverlayCommand | OverlayTimer): OverlayEvent[] {
  switch (command.type) {
    case 'show': {
      const { graphic, seq } = command
      // names key the manual graphic state; another theme may bring a namesake
      const namesake = Object.values(overlay.graphics).find(
        ({ graphicId, graphicName }) => graphicName === graphic.graphicName && graphicId !== graphic.graphicId,
      )
      // new keys before the spread. docs/performance.md: hidden classes
      const shown: OverlayEvent = { type: 'graphic.shown', graphic: { loadSeq: seq, seq, ...graphic } }
      return namesake ? [hidden(namesake), shown] : [shown]
    }
    case 'update': {
      const onAir = overlay.graphics[command.graphicId]
      if (!onAir) return []
      const { presetId, sectionId, values, seq, ads } = command
      const graphic = { ...(command.stays ? staying(onAir) : onAir), presetId, sectionId, values, seq }
      return [{ type: 'graphic.updated', graphic: ads || onAir.ads ? { ...graphic, ads: ads ?? {} } : graphic }]
    }
    case 'autoHide': {
      const onAir = overlay.graphics[command.graphicId]
      return onAir?.durationSeconds === undefined ? [] : [hidden(onAir)]
    }
    case 'hide': {
      const onAir = overlay.graphics[command.graphicId]
      return onAir ? [hidden(onAir)] : []
    }
    case 'hideAll':
      return Object.values(overlay.graphics)
        .filter(({ sectionId }) => command.sectionId === undefined || sectionId === command.sectionId)
        .map(hidden)
    case 'refresh':
      return Object.keys(overlay.graphics).length > 0
        ? [{ type: 'data.refreshed', seq: command.seq, revisions: command.revisions }]
        : []
  }
}

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
