import type { OnAir } from '../../../machines/overlay/model.ts'
import type { Committed } from '../ports.ts'

/** The frame that a renderer lacks of one graphic. live-path 16 */
export type Lack = 'load' | 'update' | 'gone'

/**
 * `shown`: as of which seq it is on screen. Up to `lateSeq` it may be there with older data than its seq promises, so it is
 * updated even when the seq is right. A seq above the graphic's own cannot be right (a restored backup, a renderer of another
 * server), so it loads anew.
 */
export function lack(graphic: OnAir | undefined, shown: number | undefined, lateSeq: number): Lack | undefined {
  if (!graphic) return shown === undefined ? undefined : 'gone'
  if (shown === graphic.seq && shown > lateSeq) return undefined
  return shown === undefined || shown < graphic.loadSeq || shown > graphic.seq ? 'load' : 'update'
}

/** The graphics to tell a renderer about, in order, from those it shows to those it must show. */
export function difference(shown: ReadonlyMap<string, number>, { context }: Committed, lateSeq: number): string[] {
  const gone = [...shown.keys()].filter((graphicId) => !Object.hasOwn(context.graphics, graphicId))
  const load: OnAir[] = []
  const update: string[] = []
  for (const graphic of Object.values(context.graphics)) {
    const lacks = lack(graphic, shown.get(graphic.graphicId), lateSeq)
    if (lacks === 'load') load.push(graphic)
    else if (lacks === 'update') update.push(graphic.graphicId)
  }
  // in the order of their shows: the last one lies on top
  load.sort((one, other) => one.loadSeq - other.loadSeq)
  return [...gone, ...load.map(({ graphicId }) => graphicId), ...update]
}
