import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from './parts.tsx'

type Props = {
  open?: boolean
  title: string
  about?: ReactNode
  wide?: boolean
  /** The text of its button. */
  label: string
  command: { readonly busy: boolean; readonly error: unknown }
  /** False: the fields cannot be sent yet. */
  ready?: boolean
  onSubmit: () => unknown
  onClose: () => void
  children: ReactNode
}

/** A dialog that is filled in: its fields, why it was not done, and the two ways out. */
export function FormDialog({
  open = true,
  title,
  about,
  wide = false,
  label,
  command,
  ready = true,
  onSubmit,
  onClose,
  children,
}: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={title} about={about} wide={wide}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void onSubmit()
        }}
      >
        {children}
        <Failure error={command.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={command.busy || !ready}>
            {label}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
