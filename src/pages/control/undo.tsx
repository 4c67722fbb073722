import type { LiveUndo } from '../../realtime/followers/live-protocol.ts'
import { useNow } from '../ui/use-now.ts'
import { targetOf, useDesk } from './desk.ts'
import type { Room } from './model.ts'
import { UNDO_KEY } from './use-keys.ts'

/** For half a minute after a command, what undo would do, and the button that does it. Nothing without one. */
export function Undo() {
  const { live, room, outcomes, undo } = useDesk()
  const told = live.undo
  const now = useNow(live.serverOffsetMs, told !== null && live.connection === 'connected')
  const outcome = outcomes.get(targetOf.undo)
  const leftMs = told ? Date.parse(told.until) - now : 0
  if (!told || leftMs <= 0) return null
  return (
    <div className="undo">
      <button
        type="button"
        className="undo-button"
        aria-keyshortcuts={UNDO_KEY}
        aria-busy={outcome?.phase === 'sending'}
        onClick={undo}
      >
        <span className="undo-head">
          Undo
          <span className="key" aria-hidden="true">
            ⌫
          </span>
          <span className="tabular undo-left" aria-hidden="true">
            {Math.ceil(leftMs / 1_000)} s
          </span>
        </span>
        <span className="undo-what" title={whatOf(told, room)}>
          {whatOf(told, room)}
        </span>
      </button>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </div>
  )
}

/** In words, what comes and what goes. */
function whatOf({ hides, restores }: LiveUndo, { presets }: Room): string {
  const nameOf = ({ presetId, graphicName }: LiveUndo['hides'][number]) =>
    presets.find(({ id }) => id === presetId)?.name ?? graphicName
  const named = (graphics: LiveUndo['hides']) => graphics.map(nameOf).join(', ')
  return [
    restores.length > 0 ? `brings back ${named(restores)}` : '',
    hides.length > 0 ? `takes off ${named(hides)}` : '',
  ]
    .filter(Boolean)
    .join(' · ')
}
