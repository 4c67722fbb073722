import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useCommand } from '../use-command.ts'

/** Tells a webhook again what happened in a span of time. */
export function ReplayDialog({
  path,
  onClose,
  reload,
}: {
  path: string
  onClose: () => void
  reload: () => Promise<void>
}) {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [replayed, setReplayed] = useState<number>()
  const replay = useCommand(async (body: object, key) => {
    const answer = await api<{ replayed: number }>('POST', `${path}/replay`, { body, key })
    setReplayed(answer.replayed)
    await reload()
  })
  if (replayed !== undefined)
    return (
      <Dialog open onClose={onClose} title="Replay">
        <p>{replayed === 1 ? 'One event is delivered again.' : `${replayed} events are delivered again.`}</p>
        <div className="dialog-actions">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  const moment = (local: string) => new Date(local).toISOString()
  return (
    <FormDialog
      onClose={onClose}
      title="Replay"
      about="Events of the last 30 days are delivered again under their ids, and those that were never told for the first time."
      label="Replay"
      command={replay}
      ready={from !== ''}
      onSubmit={() => replay.run({ from: moment(from), ...(to !== '' && { to: moment(to) }) })}
    >
      <Field label="From" error={replay.fields.from}>
        {(given) => (
          <input
            className="input"
            type="datetime-local"
            required
            value={from}
            onChange={(event) => setFrom(event.target.value)}
            {...given}
          />
        )}
      </Field>
      <Field label="Until" hint="Left empty: now." error={replay.fields.to}>
        {(given) => (
          <input
            className="input"
            type="datetime-local"
            value={to}
            onChange={(event) => setTo(event.target.value)}
            {...given}
          />
        )}
      </Field>
    </FormDialog>
  )
}
