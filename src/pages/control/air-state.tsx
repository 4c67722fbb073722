import { type Air, airOf, remember } from '../../realtime/followers/air.ts'
import type { LiveGraphic } from '../../realtime/followers/live-protocol.ts'
import { elapsed } from '../ui/elapsed.ts'
import { useNow } from '../ui/use-now.ts'
import { useDesk } from './desk.ts'

/** `offInMs`: until it goes off air by itself. */
type Seen = { air: Air; onAirMs: number | undefined; offInMs: number | undefined }

/** How far a graphic on air has come, and for how long it has been on air; anew each second. Undefined of none. */
export function useAir(graphic: LiveGraphic): Seen
export function useAir(graphic: LiveGraphic | undefined): Seen | undefined
export function useAir(graphic: LiveGraphic | undefined): Seen | undefined {
  const { live, memories, delayMs } = useDesk()
  const now = useNow(live.serverOffsetMs, graphic !== undefined && live.connection === 'connected')
  if (!graphic) return undefined
  const memory = remember(memories.shown.get(graphic.graphicId), graphic, now)
  const air: Air = live.rehearsal ? { at: 'rehearsed' } : airOf(graphic, memory, delayMs, now)
  const { since, until } = graphic
  return {
    air,
    onAirMs: since === null ? undefined : now - Date.parse(since) - delayMs,
    offInMs: until === null ? undefined : Math.max(0, Date.parse(until) + delayMs - now),
  }
}

const seconds = (ms: number) => `${Math.ceil(ms / 1_000)} s`

/** Where nobody is known to have it on screen. */
const UNPAINTED: Partial<Record<Air['at'], string>> = {
  unseen: 'no renderer',
  outOfView: 'out of view',
  committed: 'not painted',
}

/** In words; `short` where it is known that these are the graphics on air. */
export function AirState({ air, onAirMs, offInMs, short }: Seen & { short?: boolean }) {
  // a second that has begun counts
  const off = offInMs !== undefined && <span className="tabular air-off"> · off in {elapsed(offInMs + 999)}</span>
  if (air.at === 'due') return `${short ? 'in' : 'On air in'} ${seconds(air.inMs)}`
  const unpainted = UNPAINTED[air.at]
  if (unpainted !== undefined)
    return (
      <>
        {short ? unpainted : `Committed · ${unpainted}`}
        {off}
      </>
    )
  return (
    <>
      {!short && (air.at === 'rehearsed' ? 'In rehearsal ' : 'On air ')}
      {onAirMs !== undefined && (
        <span className="tabular" aria-hidden="true">
          {elapsed(onAirMs)}
        </span>
      )}
      {air.at === 'painted' && air.renderers < air.of && ` · ${air.renderers} of ${air.of} renderers`}
      {air.at === 'updating' && air.inMs > 0 && ` · changes in ${seconds(air.inMs)}`}
      {off}
    </>
  )
}
