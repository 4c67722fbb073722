import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import type { ThemeVariable } from '../shapes.ts'
import { useCommand } from '../use-command.ts'

type Props = {
  themeId: number
  variable: ThemeVariable
  /** The theme as it was read: a change by somebody else in between is refused. */
  readAt: string
  onClose: () => void
  reload: () => Promise<void>
}

/** Changes what is in force when a competition sets nothing, and what is told about the variable. */
export function VariableDialog({ themeId, variable, readAt, onClose, reload }: Props) {
  const [value, setValue] = useState(variable.defaultValue ?? '')
  const [description, setDescription] = useState(variable.description ?? '')
  const change = useCommand(async (body: object, key) => {
    try {
      await api('PATCH', `/v2/themes/${themeId}/variables/${encodeURIComponent(variable.id)}`, { body, key })
    } finally {
      // after a refusal too: somebody else may have changed it
      await reload()
    }
  })
  const options = variable.type === 'boolean' ? ['true', 'false'] : variable.enumOptions
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const defaultValue = value === '' ? null : value
    if (await change.run({ ifUnchangedSince: readAt, defaultValue, description: description || null })) onClose()
  }
  const field = {
    label: 'Default',
    hint: 'In force wherever a competition sets nothing. Graphics on air take it at once.',
    error: change.fields.defaultValue,
  }
  return (
    <Dialog open onClose={onClose} title={`Change ${variable.name}`}>
      <form className="form" onSubmit={(event) => void submit(event)}>
        {options ? (
          <SelectField {...field} value={value} onChange={(event) => setValue(event.target.value)}>
            <option value="">no default</option>
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </SelectField>
        ) : (
          <TextField {...field} value={value} onChange={(event) => setValue(event.target.value)} />
        )}
        <TextField
          label="About"
          error={change.fields.description}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <Failure error={change.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={change.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
