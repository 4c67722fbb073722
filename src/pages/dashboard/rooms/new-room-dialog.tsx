import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { navigate } from '../router.tsx'
import type { Room, ThemeList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { type SectionDraft, SectionFields } from './section-fields.tsx'

const USUAL: readonly SectionDraft[] = [
  { key: 1, name: 'Before the match', colorKey: 'blue' },
  { key: 2, name: 'In play', colorKey: 'green' },
  { key: 3, name: 'After the match', colorKey: 'orange' },
]

/** Makes a control room of a theme with its sections in one go, and opens it. */
export function NewRoomButton({ themeId }: { themeId?: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        New control room
      </Button>
      {open && <NewRoomDialog {...(themeId !== undefined && { themeId })} onClose={() => setOpen(false)} />}
    </>
  )
}

function NewRoomDialog({ themeId, onClose }: { themeId?: number; onClose: () => void }) {
  const themes = useResource<ThemeList>('/v2/themes?limit=1000').value?.themes ?? []
  const [chosen, setChosen] = useState<string>()
  const [name, setName] = useState('')
  const [sections, setSections] = useState(USUAL)
  const theme = chosen ?? String(themeId ?? themes.find(({ activeVersion }) => activeVersion !== null)?.id ?? '')
  const make = useCommand(async (body: object, key) => {
    const { id } = await api<Room>('POST', '/v2/control-rooms', { body, key })
    navigate(`/control-rooms/${id}`)
  })
  const named = sections.filter((section) => section.name.trim() !== '')
  const submit = () =>
    make.run({
      themeId: Number(theme),
      name: name.trim(),
      sections: named.map((section) => ({
        name: section.name.trim(),
        ...(section.colorKey && { colorKey: section.colorKey }),
      })),
    })
  return (
    <FormDialog
      onClose={onClose}
      title="New control room"
      about="Presets are added to its sections as soon as it is there."
      label="Create the control room"
      command={make}
      ready={name.trim() !== '' && theme !== ''}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        maxLength={255}
        placeholder="Match day"
        error={make.fields.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Theme"
        value={theme}
        hint="Its graphics are what presets are made of; a room keeps its theme"
        error={make.fields.themeId}
        onChange={(event) => setChosen(event.target.value)}
      >
        {theme === '' && <option value="">Choose…</option>}
        {themes.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
            {one.activeVersion === null ? ', no active version' : ''}
          </option>
        ))}
      </SelectField>
      <SectionFields
        sections={sections}
        problem={(section) => make.fields[`sections[${named.indexOf(section)}].name`]}
        onChange={setSections}
      />
    </FormDialog>
  )
}
