import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Copy } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'

// a press beside the dialog must not take away a secret that cannot be shown again
const stays = () => {}

/** A secret, the only time it can be seen; null when the answer that had it was lost. */
export function ShownOnce({
  title,
  label,
  secret,
  why,
  lost,
  children,
  onClose,
}: {
  title: string
  label: string
  secret: string | null
  why: ReactNode
  /** The way out when the secret was lost. */
  lost: string
  children?: ReactNode
  onClose: () => void
}) {
  return (
    <Dialog open onClose={stays} title={title}>
      <div className="stack">
        {secret === null ? (
          <p className="notice notice-bad">The answer that had it was lost, and it cannot be shown again. {lost}</p>
        ) : (
          <>
            <p className="notice">
              <b>Copy it now: it is shown only this once.</b> {why}
            </p>
            <Copy text={secret} label={label} />
          </>
        )}
        {children}
        <div className="dialog-actions">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
