import type { OverlayEvent } from './events.ts'
import type { Ads, OnAir, Overlay, Shown, Values } from './model.ts'

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
