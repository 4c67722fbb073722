import { elapsed } from '../ui/elapsed.ts'
import { useNow } from '../ui/use-now.ts'
import { useDesk } from './desk.ts'

/** How long it is until then, by the server's time: only this text is made anew each second. */
export function Countdown({ at, label }: { at: string; label?: string }) {
  const { live } = useDesk()
  const now = useNow(live.serverOffsetMs, live.connection === 'connected')
  // a second that has begun counts
  const leftMs = Math.ceil(Math.max(0, Date.parse(at) - now) / 1_000) * 1_000
  return (
    <time className="countdown tabular" dateTime={at}>
      {label}
      {elapsed(leftMs)}
    </time>
  )
}
