import type { OnAir } from '../../../machines/overlay/model.ts'
import type { Alike, Painting } from '../ports.ts'
import type { Session } from '../renderers/session.ts'

export type First = { seq: number; at: number }

/** What these renderers paint, as other nodes are told. `isOnAir`: whether a graphic still matters. */
export function paintingOf(
  sessions: readonly Session[],
  first: ReadonlyMap<string, First>,
  isOnAir: (graphicId: string) => boolean,
): Painting {
  const alike = new Map<string, Alike>()
  for (const session of sessions) {
    const layers = session.layers ? [...session.layers].sort() : null
    const shown = [...session.allShown].filter(([graphicId]) => isOnAir(graphicId)).sort(byId)
    const at = session.lastPaintAt || session.connectedAt
    const key = JSON.stringify([layers, session.outOfView, shown])
    const known = alike.get(key)
    if (known) {
      known.count++
      known.at = Math.min(known.at, at)
    } else alike.set(key, { count: 1, layers, outOfView: session.outOfView, shown, at })
  }
  return {
    renderers: [...alike.values()],
    first: [...first]
      .filter(([graphicId]) => isOnAir(graphicId))
      .map(([graphicId, { seq, at }]) => [graphicId, seq, at]),
  }
}

const byId = ([one]: readonly [string, number], [other]: readonly [string, number]) => (one < other ? -1 : 1)

/** Whether they show such a graphic at all. */
export const wants = ({ layers }: Alike, { graphicId, graphicName }: OnAir): boolean =>
  !layers || layers.includes(graphicId.toLowerCase()) || layers.includes(graphicName.toLowerCase())

/** As of which seq they have a graphic on screen; 0 when they never said so. */
export const shownBy = ({ shown }: Alike, graphicId: string): number =>
  shown.find(([shownId]) => shownId === graphicId)?.[1] ?? 0
