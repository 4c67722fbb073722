import type { OnAir } from '../../machines/overlay.ts'
import type { Committed } from './ports.ts'
import type { Showing } from './protocol.ts'

/** What one renderer lacks. live-path 16 */
export type Difference = { load: OnAir[]; update: OnAir[]; gone: string[] }

/**
 * From what a renderer shows to what it must show. Up to `lateSeq` a graphic may be on screen with older data than its
 * seq promises, so it is updated even when the seq is right. A seq above the graphic's own cannot be right (a restored backup, a
 * renderer of another server), so it loads anew.
 */
export function difference(showing: readonly Showing[], { context }: Committed, lateSeq: number): Difference {
  const shown = new Map<string, number>()
  for (const { graphicId, seq } of showing) shown.set(graphicId, seq)
  const result: Difference = { load: [], update: [], gone: [] }
  for (const graphic of Object.values(context.graphics)) {
    const seq = shown.get(graphic.graphicId)
    shown.delete(graphic.graphicId)
    if (seq === graphic.seq && seq > lateSeq) continue
    if (seq === undefined || seq < graphic.loadSeq || seq > graphic.seq) result.load.push(graphic)
    else result.update.push(graphic)
  }
  // in the order of their shows: the last one lies on top
  result.load.sort((one, other) => one.loadSeq - other.loadSeq)
  result.gone.push(...shown.keys())
  return result
}
