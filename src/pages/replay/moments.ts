import { patched } from './patch.ts'
import type { Graphic, Recorded, Situation, Step } from './recorded.ts'

/** How everything is from one step on. */
export type Moment = {
  /** Ms since 1970. */
  at: number
  step: Step
  /** The graphics on air, in the order in which they came. */
  graphics: ReadonlyMap<string, Graphic>
  match: Situation | null
}

/** Every step with the state that it leads to; graphics that do not change are shared. */
export function momentsOf({ steps }: Recorded): Moment[] {
  const given = new Map<string, unknown>()
  let graphics: ReadonlyMap<string, Graphic> = new Map()
  let match: Situation | null = null
  return steps.map((step) => {
    const next = new Map(graphics)
    for (const change of step.changes) {
      const { graphicId } = change
      if (change.action === 'hide') {
        next.delete(graphicId)
        continue
      }
      const data = patched(given.get(graphicId), change.data)
      given.set(graphicId, data)
      if (change.action === 'load') {
        const { action: _, ...load } = change
        // the graphic shown last lies on top
        next.delete(graphicId)
        next.set(graphicId, { ...load, data })
        continue
      }
      const before = next.get(graphicId)
      // done once: whoever jumps here does not see it
      const { action: _, customAction: __, ...update } = change
      if (before) next.set(graphicId, { ...before, ...update, data })
    }
    graphics = next
    match = step.match ?? match
    return { at: Date.parse(step.at), step, graphics, match }
  })
}

/** The index of the moment in force at a time; the first before any. */
export function indexAt(moments: readonly Moment[], at: number): number {
  let [low, high] = [0, moments.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((moments[middle]?.at ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

export type Bar = { from: number; until: number }

/** When each graphic was on air, by its name, in the order of their first show. */
export function lanesOf(moments: readonly Moment[], to: number): { name: string; bars: Bar[] }[] {
  const lanes = new Map<string, { name: string; bars: Bar[]; since: number | undefined }>()
  for (const { at, graphics } of moments) {
    for (const [id, { graphicName }] of graphics) {
      const lane = lanes.get(id) ?? { name: graphicName, bars: [], since: undefined }
      lanes.set(id, lane)
      lane.since ??= at
    }
    for (const [id, lane] of lanes) {
      if (lane.since === undefined || graphics.has(id)) continue
      lane.bars.push({ from: lane.since, until: at })
      lane.since = undefined
    }
  }
  return [...lanes.values()].map(({ name, bars, since }) => ({
    name,
    bars: since === undefined ? bars : [...bars, { from: since, until: to }],
  }))
}
