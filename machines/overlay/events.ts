import type { OnAir, Overlay, RundownPosition, Scheduled, Shown } from './model.ts'

/** Which graphic a fact is about. */
type Named = { graphicId: string; graphicName: string; presetId: number; sectionId: string }

/** What an OGraf graphic did once: it is told as it happens, and not to whoever comes later. */
export type CustomAction = { id: string; payload?: unknown }

/** Nobody wants to see the way there: it is told as it happens, too. */
type AtOnce = { skipAnimation?: true }

/**
 * A call of the OGraf Server API, which waits for what renderers answer: told as it happens, too. `delta` and `goto` are of a play, as the
 * controller has said them.
 */
export type Call = { id: string; skipAnimation?: true; delta?: number; goto?: number }

/** What is on air: the facts that the world hears, and has always heard. */
export type OverlayEvent =
  /** `was`: the seq of the fact that holds the graphic as it was before; left out: it was off air. */
  | ({ type: 'graphic.shown'; graphic: OnAir; was?: number; call?: Call } & AtOnce)
  | ({ type: 'graphic.updated'; graphic: OnAir; was?: number; customAction?: CustomAction; call?: Call } & AtOnce)
  | ({
      type: 'graphic.hidden'
      /** As it was shown with. */
      play?: number
      was?: number
      call?: Call
    } & Named &
      AtOnce)
  | { type: 'data.refreshed'; seq: number; revisions: Record<string, number> }

/** Why a scheduled command is scheduled no more. */
export type Outcome = 'done' | 'removed' | 'missed' | 'refused'

/**
 * What is beside the air: preview, schedule, rundown, rehearsal and loaded instances. Journaled apart from the facts of the air, since the release before, which reads the same
 * journal, knows only those.
 */
export type OverlayAside =
  | { type: 'graphic.cued'; graphic: OnAir }
  | ({ type: 'graphic.uncued' } & Named)
  | {
      type: 'command.scheduled'
      presetId: number | null
      graphicId?: string
      graphicName?: string
      scheduled: Scheduled
    }
  | {
      type: 'command.unscheduled'
      id: number
      outcome: Outcome
      /** What spoke against it. */
      reason?: string
      presetId: number | null
      graphicId?: string
      graphicName?: string
    }
  | { type: 'rundown.moved'; position: RundownPosition }
  /** As it is now, on air or not; `customAction`: what it did once while it was not. */
  | { type: 'instance.loaded'; instanceId: string; graphic: Shown; customAction?: CustomAction; call?: Call }
  | ({ type: 'instance.cleared'; instanceId: string } & Named)
  | RehearsalFact

/** Nothing of a rehearsal is on air: what would be is told as such, so that whatever hears of the air does not hear of it. */
export type RehearsalFact =
  /** `rundown`: where it was, and is again when the rehearsal ends. */
  | { type: 'rehearsal.begun'; seq: number; rundown?: RundownPosition }
  | { type: 'rehearsed'; fact: OverlayEvent }
  | { type: 'rehearsal.ended' }

/** The state of an overlay is the fold of these. */
export type OverlayFact = OverlayEvent | OverlayAside

const ASIDES: ReadonlySet<string> = new Set<OverlayAside['type']>([
  'graphic.cued',
  'graphic.uncued',
  'command.scheduled',
  'command.unscheduled',
  'rehearsal.begun',
  'rehearsed',
  'rehearsal.ended',
  'rundown.moved',
  'instance.loaded',
  'instance.cleared',
])
export const isAside = ({ type }: { type: string }): boolean => ASIDES.has(type)

/** What commands of a commit did to graphics: on air, or in rehearsal, where nothing is on air. */
export function stagedEvents(
  events: readonly OverlayEvent[],
  asides: readonly OverlayAside[] | null = null,
): readonly OverlayEvent[] {
  if (!asides?.some(({ type }) => type === 'rehearsed')) return events
  return asides.flatMap((aside) => (aside.type === 'rehearsed' ? aside.fact : []))
}

/** The state after a fact. Pure; used by the machine, by replay and by every delayed view. */
export function fold(overlay: Overlay, fact: OverlayFact): Overlay {
  switch (fact.type) {
    case 'graphic.shown':
    case 'graphic.updated':
      return { ...overlay, graphics: { ...overlay.graphics, [fact.graphic.graphicId]: fact.graphic } }
    case 'graphic.hidden': {
      const { [fact.graphicId]: _hidden, ...graphics } = overlay.graphics
      return { ...overlay, graphics }
    }
    case 'data.refreshed': {
      const graphics: Record<string, OnAir> = {}
      // new keys before the spread. docs/performance.md: hidden classes
      for (const [id, graphic] of Object.entries(overlay.graphics))
        graphics[id] = { setSeq: graphic.seq, ...graphic, seq: fact.seq }
      return { ...overlay, graphics, revisions: { ...overlay.revisions, ...fact.revisions } }
    }
    case 'graphic.cued':
      return { ...overlay, preview: { ...overlay.preview, [fact.graphic.graphicId]: fact.graphic } }
    case 'graphic.uncued':
      return { ...overlay, preview: without(overlay.preview, fact.graphicId) }
    case 'command.scheduled':
      return { ...overlay, schedule: { ...overlay.schedule, [fact.scheduled.id]: fact.scheduled } }
    case 'command.unscheduled':
      return { ...overlay, schedule: without(overlay.schedule, String(fact.id)) }
    case 'rehearsal.begun':
      return {
        ...overlay,
        rehearsal: { since: fact.seq, graphics: {}, ...(fact.rundown && { rundown: fact.rundown }) },
      }
    case 'rehearsed': {
      const { rehearsal, graphics } = overlay
      const after = fold({ ...overlay, graphics: rehearsal?.graphics ?? {} }, fact.fact)
      // of one whose beginning retention took only the live data is left
      return { ...after, graphics, ...(rehearsal && { rehearsal: { ...rehearsal, graphics: after.graphics } }) }
    }
    case 'rehearsal.ended':
      return { ...overlay, rehearsal: undefined }
    case 'rundown.moved':
      return { ...overlay, rundown: fact.position }
    case 'instance.loaded': {
      const { instanceId: id, graphic } = fact
      return { ...overlay, instances: { ...overlay.instances, [id]: { id, graphic } } }
    }
    case 'instance.cleared':
      return { ...overlay, instances: without(overlay.instances, fact.instanceId) }
  }
}

/** An empty part is none, so that a state costs nothing for what is not used. */
function without<T>(table: Record<string, T> = {}, key: string): Record<string, T> | undefined {
  const { [key]: _gone, ...rest } = table
  return Object.keys(rest).length > 0 ? rest : undefined
}
