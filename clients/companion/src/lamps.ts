import type { LiveState } from '../../../src/pages/live/state.ts'

/** As the state document of an overlay calls them; unknown: the connection is lost. integrations: State document */
export type Lamp = 'off' | 'cued' | 'committed' | 'onAir' | 'failing' | 'unknown'

/** What is true of a preset now. */
export function lampOf(live: LiveState | undefined, presetId: number): Lamp {
  if (!live) return 'unknown'
  const shown = [...live.onAir.values()].find((graphic) => graphic.presetId === presetId)
  if (!shown) return isCued(live, presetId) ? 'cued' : 'off'
  const { graphicId, painted } = shown
  if (live.renderers.some(({ problems }) => problems.some((problem) => problem.graphicId === graphicId)))
    return 'failing'
  return painted.renderers > 0 ? 'onAir' : 'committed'
}

export const isCued = (live: LiveState, presetId: number): boolean =>
  [...live.preview.values()].some((cue) => cue.presetId === presetId)

/** Seconds until it goes off air by itself; undefined when it stays, or is not there. `now` is the server's time, ms since 1970. */
export function secondsLeft(live: LiveState | undefined, now: number, presetId?: number): number | undefined {
  const ends = [...(live?.onAir.values() ?? [])]
    .filter((graphic) => presetId === undefined || graphic.presetId === presetId)
    .flatMap(({ until }) => (until === null ? [] : [Date.parse(until)]))
  return ends.length === 0 ? undefined : Math.max(0, Math.ceil((Math.min(...ends) - now) / 1_000))
}
