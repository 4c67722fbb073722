import type { LiveState } from '../../../src/pages/live/state.ts'
import { airOf, type Memory, remember } from '../../../src/realtime/followers/air.ts'
import { stateOf } from '../../../src/realtime/followers/lamps.ts'

/** As the state document of an overlay calls them; unknown: the connection is lost. integrations: State document */
export type Lamp = 'off' | 'cued' | 'committed' | 'onAir' | 'failing' | 'unknown'

/** What is known of each graphic on air, by graphicId, between two messages. */
export type Memories = ReadonlyMap<string, Memory>

/** The memories after a message that made this state. `now` is the server's time, ms since 1970. */
export const remembered = (before: Memories, live: LiveState, now: number): Memories =>
  new Map([...live.onAir].map(([id, graphic]) => [id, remember(before.get(id), graphic, now)]))

/** What is true of a preset now. `now` is the server's time, ms since 1970. */
export function lampOf(
  { live, memories, now }: { live: LiveState | undefined; memories: Memories; now(): number },
  presetId: number,
): Lamp {
  if (!live) return 'unknown'
  const graphic = [...live.onAir.values()].find((one) => one.presetId === presetId)
  if (!graphic) return isCued(live, presetId) ? 'cued' : 'off'
  const memory = memories.get(graphic.graphicId)
  // nothing of a rehearsal is on air
  if (!memory || live.rehearsal) return 'committed'
  const delayMs = (live.overlay?.encodingDelay ?? 0) * 1_000
  return stateOf(airOf(graphic, memory, delayMs, now()), memory, delayMs, now())
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
