import { type Air, airOf, type Memory, PAINT_WITHIN_MS, remember } from './air.ts'
import type { Button } from './button.ts'
import type { LiveGraphic } from './live-protocol.ts'
import type { Told } from './told.ts'

type State = 'off' | 'cued' | 'committed' | 'onAir' | 'failing'

/** A lamp that waits for its paint is looked at again so soon. */
const LOOK_AGAIN_MS = 250
const NOBODY = { renderers: 0, of: 0 }

/**
 * The lamps of an overlay for whoever cannot hold a socket. `until`: when they may be others though nothing happens, ms since 1970.
 * `memories`, by graphicId, outlive a call. integrations: State document
 */
export function lampsOf(told: Told, buttons: readonly Button[], memories: Map<string, Memory>, now: number) {
  const { card, match, renderers, seq, onAir, preview } = told
  const ids = new Set(onAir.map(({ graphicId }) => graphicId))
  for (const graphicId of memories.keys()) if (!ids.has(graphicId)) memories.delete(graphicId)
  const lights = onAir.map((graphic) => {
    const memory = remember(memories.get(graphic.graphicId), graphic, now)
    memories.set(graphic.graphicId, memory)
    return lightOf(told, graphic, memory, now)
  })
  const byPreset = new Map(lights.map(({ presetId, ...light }) => [presetId, light]))
  const cued = new Set(preview.map(({ presetId }) => presetId))
  const lamps = {
    overlayId: card.id,
    name: card.name,
    match: match && matchOf(match),
    presets: buttons.map((button) => {
      const { state, painted, until } = byPreset.get(button.presetId) ?? {
        state: cued.has(button.presetId) ? 'cued' : 'off',
        painted: NOBODY,
        until: null,
      }
      return { ...button, state, painted, until }
    }),
    renderers: { connected: renderers.length, behind: renderers.filter(({ state }) => state === 'behind').length },
    automatic: card.autoMode,
    seq,
  }
  return { lamps, until: Math.min(...lights.map(({ changesAt }) => changesAt)) }
}

/** What the lamp of a graphic on air says: failing is one that nobody painted in time. `now` is the server's time. */
export function stateOf(
  air: Air,
  { seqAt }: Memory,
  delayMs: number,
  now: number,
): Extract<State, 'onAir' | 'committed' | 'failing'> {
  if (air.at === 'painted' || air.at === 'updating') return 'onAir'
  return air.at === 'committed' && now >= seqAt + delayMs + PAINT_WITHIN_MS ? 'failing' : 'committed'
}

function lightOf({ card, rehearsal }: Told, graphic: LiveGraphic, memory: Memory, now: number) {
  const { presetId, until, painted } = graphic
  const { renderers, of } = painted
  const delayMs = card.encodingDelaySeconds * 1000
  const air = airOf(graphic, memory, delayMs, now)
  const on = stateOf(air, memory, delayMs, now)
  // nothing of a rehearsal is on air
  const state = rehearsal ? 'committed' : on
  const isSettled = rehearsal || air.at === 'painted' || state === 'failing' || of === 0
  const changesAt = isSettled ? Number.POSITIVE_INFINITY : now + LOOK_AGAIN_MS
  return { presetId, state, painted: { renderers, of }, until, changesAt }
}

function matchOf({ state, clock, period, competitors }: NonNullable<Told['match']>) {
  const scoreOf = (isHome: boolean) => competitors.find((one) => one.isHome === isHome)?.score ?? null
  const anchor = clock && {
    ...{ running: clock.running, valueMs: clock.valueMs, asOf: clock.asOf, direction: clock.direction },
  }
  return { state, score: { home: scoreOf(true), away: scoreOf(false) }, clock: anchor, period }
}
