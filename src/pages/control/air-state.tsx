import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import { elapsed } from '../ui/elapsed.ts'
import { useNow } from '../ui/use-now.ts'
import { type Air, airOf, remember } from './air.ts'
import { useDesk } from './desk.ts'

type Seen = { air: Air; onAirMs: number | undefined }

/** How far a graphic on air has come, and for how long it has been on air; anew each second. Undefined of none. */
export function useAir(graphic: LiveGraphic): Seen
export function useAir(graphic: LiveGraphic | undefined): Seen | undefined
export function useAir(graphic: LiveGraphic | undefined): Seen | undefined {
  const { live, memories, delayMs } = useDesk()
  const now = useNow(live.serverOffsetMs, graphic !== undefined && live.connection === 'connected')
  if (!graphic) return undefined
  const memory = remember(memories.shown.get(graphic.graphicId), graphic, now)
  const air = airOf(graphic, memory, delayMs, now)
  return { air, onAirMs: graphic.since === null ? undefined : now - Date.parse(graphic.since) - delayMs }
}

const seconds = (ms: number) => `${Math.ceil(ms / 1_000)} s`

/** In words; `short` where it is known that these are the graphics on air. */
export function AirState({ air, onAirMs, short }: { air: Air; onAirMs: number | undefined; short?: boolean }) {
  if (air.at === 'due') return `${short ? 'in' : 'On air in'} ${seconds(air.inMs)}`
  if (air.at === 'unseen') return short ? 'no renderer' : 'Committed · no renderer'
  if (air.at === 'outOfView') return short ? 'out of view' : 'Committed · out of view'
  if (air.at === 'committed') return short ? 'not painted' : 'Committed · not painted'
  return (
    <>
      {!short && 'On air '}
      {onAirMs !== undefined && (
        <span className="tabular" aria-hidden="true">
          {elapsed(onAirMs)}
        </span>
      )}
      {air.at === 'painted' && air.renderers < air.of && ` · ${air.renderers} of ${air.of} renderers`}
      {air.at === 'updating' && air.inMs > 0 && ` · changes in ${seconds(air.inMs)}`}
    </>
  )
}
