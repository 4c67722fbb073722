import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from './parts.tsx'
import { useCommand } from './use-command.ts'

/** Asks before something that matters; stays open and says why when the server would not. */
export function Confirm({
  open,
  title,
  about,
  label,
  look = 'danger',
  disabled = false,
  onClose,
  onCancel = onClose,
  write,
  children,
}: {
  open: boolean
  title: string
  about: ReactNode
  /** The label of the button: `Delete the key`. */
  label: string
  look?: 'danger' | 'primary'
  disabled?: boolean
  /** After the command was done. */
  onClose: () => void
  /** After it was given up; like `onClose` unless said. */
  onCancel?: () => void
  write: (key: string) => Promise<void>
  children?: ReactNode
}) {
  const command = useCommand((_input: undefined, key) => write(key))
  const cancel = () => {
    command.forget()
    onCancel()
  }
  const confirm = async () => {
    if (await command.run(undefined)) onClose()
  }
  return (
    <Dialog open={open} onClose={cancel} title={title} about={about}>
      {children}
      <Failure error={command.error} />
      <div className="dialog-actions">
        <Button onClick={cancel}>Cancel</Button>
        <Button look={look} disabled={disabled || command.busy} onClick={() => void confirm()}>
          {label}
        </Button>
      </div>
    </Dialog>
  )
}
