import './worked-list.css'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type Props = {
  isDirty: boolean
  /** The list was saved here, and nothing has changed since. */
  isSaved: boolean
  /** The consequence of saving, as a text. */
  saved: string
  busy: boolean
  /** The fields that are missing, as a text. */
  said: ReactNode
  label: string
  onDiscard: () => void
  onSave: () => unknown
  /** More that can be done. */
  children?: ReactNode
}

/** Stays in view while something is not saved, and for a moment says that it is. */
export function SaveBar({ isDirty, isSaved, saved, busy, said, label, onDiscard, onSave, children }: Props) {
  const isTold = useForAWhile(isSaved && !isDirty)
  if (!isDirty)
    return (
      <p className={isTold ? 'save-bar save-bar-done' : 'visually-hidden'} role="status">
        {isSaved && saved}
      </p>
    )
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

const TOLD_MS = 5_000

/** Whether something has been so for no longer than a moment. */
function useForAWhile(isSo: boolean): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    setOver(false)
    if (!isSo) return
    const timer = window.setTimeout(() => setOver(true), TOLD_MS)
    return () => window.clearTimeout(timer)
  }, [isSo])
  return isSo && !isOver
}
