import type { OnAir, Overlay } from './model.ts'

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
