import type { OverlayEvent } from '../../machines/overlay/events.ts'

export type JournalRow = { seq: number; events: readonly OverlayEvent[] }

/**
 * Which rows from the beginning of an overlay's journal its state still needs: of every graphic that they leave on air the last one and the
 * one that showed it, and the last one of each live source. The fold of these is the fold of all. `rows` in order of seq.
 */
export function keepers(rows: readonly JournalRow[]): Set<number> {
  const graphics = new Map<string, readonly number[]>()
  const revisions = new Map<string, number>()
  for (const { seq, events } of rows)
    for (const event of events) {
      if (event.type === 'data.refreshed') {
        for (const source of Object.keys(event.revisions)) revisions.set(source, seq)
        // also moves the seq of everything on air
        revisions.set('', seq)
      } else if (event.type === 'graphic.hidden') graphics.delete(event.graphicId)
      else graphics.set(event.graphic.graphicId, [seq, event.graphic.loadSeq])
    }
  return new Set([...graphics.values(), [...revisions.values()]].flat())
}
