import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { ColourField } from '../colour-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import type { Brand } from '../shapes.ts'
import { previewOf, uploadLogo, wrongLogo } from '../upload-logo.ts'
import { useCommand } from '../use-command.ts'
import { BrandMark } from './brand-mark.tsx'

type Fields = Pick<Brand, 'name' | 'primaryColor' | 'textColor' | 'active' | 'house'> & {
  tagline: string
  from: string
  to: string
}
type Logo = { file: File; url: string; problem: string | undefined } | 'none'

const NEW: Fields = {
  ...{ name: '', primaryColor: '#1d2b53', textColor: '#ffffff', tagline: '' },
  ...{ from: '', to: '', active: true, house: false },
}

const fieldsOf = (brand: Brand): Fields => ({
  ...brand,
  tagline: brand.tagline ?? '',
  from: localTime(brand.from),
  to: localTime(brand.to),
})

/** As a field for date and time has it, in the time zone of the browser. */
function localTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const moment = (local: string) => (local === '' ? null : new Date(local).toISOString())

/** A brand that is made or changed, with its logo. */
export function BrandDialog({
  brand,
  onClose,
  reload,
}: {
  brand: Brand | undefined
  onClose: () => void
  reload: () => Promise<void>
}) {
  const [fields, setFields] = useState<Fields>(brand ? fieldsOf(brand) : NEW)
  const [logo, setLogo] = useState<Logo>()
  // one that was made is changed when its logo is refused, not made again
  const [made, setMade] = useState<Brand>()
  const set = (changes: Partial<Fields>) => setFields((before) => ({ ...before, ...changes }))
  const save = useCommand(async (_input: object, key) => {
    const { name, tagline, from, to, primaryColor, textColor, active, house } = fields
    const known = made ?? brand
    const colours = { primaryColor, textColor }
    const body = {
      name: name.trim(),
      tagline: tagline || null,
      ...colours,
      active,
      house,
      from: moment(from),
      to: moment(to),
    }
    const saved = await (known
      ? api<Brand>('PATCH', `/v2/brands/${known.id}`, { body, key })
      : api<Brand>('POST', '/v2/brands', { body, key }))
    setMade(saved)
    if (logo === 'none') await api('DELETE', `/v2/brands/${saved.id}/logo`)
    else if (logo) await uploadLogo(`/v2/brands/${saved.id}/logo`, logo.file)
    await reload()
    onClose()
  })
  const shownLogo = logo === 'none' ? null : (logo?.url ?? brand?.logoUrl ?? null)
  const problem = logo !== 'none' && logo?.problem
  return (
    <FormDialog
      wide
      onClose={onClose}
      title={brand ? brand.name : 'Add a brand'}
      about="Graphics on air follow at once."
      label={brand ? 'Save' : 'Add'}
      command={save}
      ready={!problem}
      onSubmit={() => save.run({ ...fields, logo: logo === 'none' ? logo : logo?.url.length })}
    >
      <TextField
        label="Name"
        required
        maxLength={60}
        error={save.fields.name}
        value={fields.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <div className="brand-logo">
        <BrandMark brand={{ ...fields, logoUrl: shownLogo }} />
        <Field label="Logo" hint="PNG or JPEG, at most 500 KB" error={problem || undefined}>
          {(given) => (
            <input
              className="input"
              type="file"
              accept="image/png,image/jpeg"
              onChange={({ target }) => {
                const file = target.files?.[0]
                if (file) void previewOf(file).then((url) => setLogo({ file, url, problem: wrongLogo(file) }))
              }}
              {...given}
            />
          )}
        </Field>
        {shownLogo && (
          <Button small onClick={() => setLogo('none')}>
            Without a logo
          </Button>
        )}
      </div>
      <TextField
        label="Tagline"
        maxLength={120}
        error={save.fields.tagline}
        value={fields.tagline}
        onChange={({ target }) => set({ tagline: target.value })}
      />
      <div className="brand-pair">
        <ColourField
          label="Colour"
          value={fields.primaryColor}
          error={save.fields.primaryColor}
          onChange={(primaryColor) => set({ primaryColor })}
        />
        <ColourField
          label="Colour of text"
          value={fields.textColor}
          error={save.fields.textColor}
          onChange={(textColor) => set({ textColor })}
        />
      </div>
      <div className="brand-pair">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={end === 'from' ? 'From' : 'Until'}
            type="datetime-local"
            error={save.fields[end]}
            value={fields[end]}
            onChange={({ target }) => set({ [end]: target.value })}
          />
        ))}
      </div>
      <div className="brand-pair">
        <Check label="In rotation" checked={fields.active} onChange={(active) => set({ active })} />
        <Check
          label="Of the house: also on overlays with free ads"
          checked={fields.house}
          onChange={(house) => set({ house })}
        />
      </div>
    </FormDialog>
  )
}

const Check = ({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) => (
  <label className="check">
    <input type="checkbox" checked={checked} onChange={({ target }) => onChange(target.checked)} />
    {label}
  </label>
)
