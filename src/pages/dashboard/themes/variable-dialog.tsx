import { useState } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
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

/** Changes the value in force when a competition sets none, and the variable's description. */
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
  const submit = async () => {
    const defaultValue = value === '' ? null : value
    if (await change.run({ ifUnchangedSince: readAt, defaultValue, description: description || null })) onClose()
  }
  const field = {
    label: 'Default',
    hint: 'In force wherever a competition sets nothing. Graphics on air take it at once.',
    error: change.fields.defaultValue,
  }
  return (
    <FormDialog onClose={onClose} title={`Change ${variable.name}`} label="Save" command={change} onSubmit={submit}>
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
    </FormDialog>
  )
}
