import type { Live } from '../live/follow.ts'
import type { Outcome } from './use-commands.ts'
import { PANIC_KEY } from './use-keys.ts'

/** The button of the panic key; `outcome` is that of its latest press. */
export function Panic({
  live,
  outcome,
  hideAll,
}: {
  live: Pick<Live, 'onAir' | 'rehearsal' | 'connection'>
  outcome: Outcome | undefined
  hideAll: () => void
}) {
  const count = live.onAir.size
  const known = live.connection === 'connected'
  return (
    <div className="panic">
      <button
        type="button"
        className={count > 0 ? 'panic-button panic-armed' : 'panic-button'}
        aria-keyshortcuts={PANIC_KEY}
        aria-busy={outcome?.phase === 'sending'}
        onClick={hideAll}
      >
        <span>Hide all</span>
        <span className="key panic-key">{PANIC_KEY}</span>
        <span className="panic-count">
          {count > 0
            ? `${count} ${live.rehearsal ? 'in rehearsal' : 'on air'}`
            : known
              ? 'Nothing on air'
              : 'On air: not known'}
        </span>
      </button>
      {/* while it is not connected nobody knows whether nothing is on air */}
      {outcome?.phase === 'failed' && (count > 0 || !known) && (
        <p className="failure" role="alert">
          Hide all: {outcome.message}
        </p>
      )}
    </div>
  )
}
