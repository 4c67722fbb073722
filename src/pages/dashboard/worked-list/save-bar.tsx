import './worked-list.css'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'

type Props = {
  isDirty: boolean
  busy: boolean
  /** What is missing; a text. */
  said: ReactNode
  label: string
  onDiscard: () => void
  onSave: () => unknown
  /** More that can be done. */
  children?: ReactNode
}

/** Stays in view while something is not saved. */
export function SaveBar({ isDirty, busy, said, label, onDiscard, onSave, children }: Props) {
  if (!isDirty) return null
  return (
    <section className="save-bar" aria-label="Unsaved changes">
      <p role="status">{said || 'The changes are not saved yet.'}</p>
      {children}
      <Button small onClick={onDiscard}>
        Discard
      </Button>
      <Button look="primary" disabled={busy} onClick={() => void onSave()}>
        {busy ? 'Saving…' : label}
      </Button>
    </section>
  )
}
