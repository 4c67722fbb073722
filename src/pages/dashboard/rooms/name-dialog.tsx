import { useState } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { SECTION_COLOURS, sectionColour } from '../../ui/section-colour.ts'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { useCommand } from '../use-command.ts'

type Props = {
  title: string
  path: string
  /** POST makes the record of this name. */
  method?: 'PATCH' | 'POST'
  name: string
  /** As it was read: a change by somebody else in between is refused. */
  readAt: string
  colorKey?: string | undefined
  /** The record has a colour that can be chosen. */
  coloured?: boolean
  onClose: () => void
  reload: () => Promise<void>
}

/** Gives a name, and a colour to records that have one. */
export function NameDialog({
  title,
  path,
  method = 'PATCH',
  name,
  readAt,
  colorKey = '',
  coloured = false,
  onClose,
  reload,
}: Props) {
  const [text, setText] = useState(name)
  const [colour, setColour] = useState(colorKey)
  const change = useCommand(async (body: object, key) => {
    try {
      await api(method, path, { body, key })
    } finally {
      // after a refusal too: somebody else may have changed it
      await reload()
    }
  })
  const submit = async () => {
    const chosen = colour || (method === 'PATCH' ? null : undefined)
    const body = { name: text.trim(), ifUnchangedSince: readAt, ...(coloured && { colorKey: chosen }) }
    if (await change.run(body)) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      label={method === 'PATCH' ? 'Save' : 'Add'}
      command={change}
      ready={text.trim() !== ''}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        maxLength={255}
        error={change.fields.name}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {coloured && (
        <SelectField
          label={
            <span className="section-name">
              <span
                className="section-colour"
                style={{ background: sectionColour(colour || undefined) }}
                aria-hidden="true"
              />
              Colour
            </span>
          }
          error={change.fields.colorKey}
          value={colour}
          onChange={(event) => setColour(event.target.value)}
        >
          <option value="">none</option>
          {[...new Set([...SECTION_COLOURS, ...(colorKey ? [colorKey] : [])])].map((key) => (
            <option key={key}>{key}</option>
          ))}
        </SelectField>
      )}
    </FormDialog>
  )
}
