import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'

/** Whether a renderer has painted any of it: a graphic committed and painted nowhere must not look as if it were. */
export const isOnScreen = (onAir: ReadonlyMap<string, LiveGraphic>) =>
  [...onAir.values()].some(({ painted }) => painted.renderers > 0)
