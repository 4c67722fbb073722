import { type ReactNode, useState } from 'react'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { ColourField } from '../colour-field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { type Command, useCommand } from '../use-command.ts'
import { bodyOf, type FieldDef, type Values, valuesOf } from './fields.ts'

type Written = { id: number }

type Props<T extends Written> = {
  /** Of the list in the API: `/v1/venues`. */
  path: string
  /** `venue` */
  kind: string
  nameOf: (record: T) => string
  record: T | undefined
  fields: readonly FieldDef[]
  /** What new records have at first. */
  initial?: Values
  onClose: () => void
  onSaved: (record: T) => Promise<void>
  /** More of the form, drawn with the values of its fields. */
  more?: (values: Values) => ReactNode
  /** Written after the record is there; may throw Refusal. `isNew` of the record is true once. */
  also?: (record: T) => Promise<void>
  /** False: what `more` asks for cannot be sent. */
  ready?: boolean
  /** What `more` holds, so that pressing again after a change is another request. */
  alsoSaid?: unknown
  /** What a new record is sent with beside its fields, and what any write is. */
  withNew?: object
  withChange?: object | undefined
}

/** A record that is made or changed; what the server refuses is told at the field in its words. */
export function RecordDialog<T extends Written>({ record, fields, initial = {}, ...props }: Props<T>) {
  const { path, kind, nameOf, onClose, onSaved, more, also, ready = true, alsoSaid, withNew, withChange } = props
  const [before] = useState(() => valuesOf(fields, record))
  const [values, setValues] = useState<Values>(() => (record ? before : { ...before, ...initial }))
  // one that was made is changed when what follows is refused, not made again
  const [made, setMade] = useState<{ record: T; values: Values }>()
  const save = useCommand(async (_input: object, key) => {
    const known = made?.record ?? record
    const body = { ...bodyOf(fields, known && (made?.values ?? before), values), ...withChange }
    let saved = known
    if (!known) saved = await api<T>('POST', path, { body: { ...body, ...withNew }, key })
    else if (Object.keys(body).length > 0) saved = await api<T>('PATCH', `${path}/${known.id}`, { body, key })
    if (!saved) return
    setMade({ record: saved, values })
    await also?.(saved)
    await onSaved(saved)
    onClose()
  })
  const shown = fields.filter(({ onlyNew }) => !(record && onlyNew))
  const seldom = shown.filter(({ isSeldom }) => isSeldom)
  return (
    <FormDialog
      wide
      title={record ? nameOf(record) : `New ${kind}`}
      label={save.busy ? 'Saving…' : record ? 'Save' : `Add the ${kind}`}
      command={save}
      ready={ready}
      onSubmit={() => save.run({ values, alsoSaid })}
      onClose={onClose}
    >
      <RecordFields
        fields={shown.filter(({ isSeldom }) => !isSeldom)}
        isNew={!record}
        values={values}
        save={save}
        onChange={setValues}
      />
      {more?.(values)}
      {seldom.length > 0 && (
        <details className="record-seldom" {...(seldom.some((field) => errorOf(save, field)) && { open: true })}>
          <summary>More: {seldom.map(({ label }) => label.toLowerCase()).join(', ')}</summary>
          <RecordFields fields={seldom} isNew={!record} values={values} save={save} onChange={setValues} />
        </details>
      )}
    </FormDialog>
  )
}

/** Fields in two columns, or in one where there is no room. */
function RecordFields({
  fields,
  isNew,
  values,
  save,
  onChange,
}: {
  fields: readonly FieldDef[]
  isNew: boolean
  values: Values
  save: Command<object>
  onChange: (change: (last: Values) => Values) => void
}) {
  return (
    <div className="record-fields">
      {fields.map((field) => (
        <RecordField
          key={field.name}
          field={field}
          isNew={isNew}
          value={values[field.name] ?? ''}
          error={errorOf(save, field)}
          onChange={(value) => onChange((last) => ({ ...last, [field.name]: value }))}
        />
      ))}
    </div>
  )
}

/** Also of an item of a list: `courts[2]`. */
function errorOf({ fields }: Command<object>, { name, input }: FieldDef): string | undefined {
  if (fields[name] || input !== 'list') return fields[name]
  const [place, reason] = Object.entries(fields).find(([path]) => path.startsWith(`${name}[`)) ?? []
  return place && `Line ${Number(/\d+/.exec(place)?.[0] ?? 0) + 1}: ${reason}`
}

type One = {
  field: FieldDef
  isNew: boolean
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function RecordField({ field, isNew, value, error, onChange }: One) {
  const { label, hint, input = 'text', required = false, maxLength, options = [], untold } = field
  const around = { label, ...(hint && !error && { hint }), error }
  if (input === 'colour') return <ColourField {...around} required={required} value={value} onChange={onChange} />
  if (input === 'select')
    return (
      <SelectField {...around} value={value} required={required} onChange={({ target }) => onChange(target.value)}>
        {untold && !isNew && <option value="">{untold}</option>}
        {options.map(([option, title]) => (
          <option key={option} value={option}>
            {title}
          </option>
        ))}
      </SelectField>
    )
  if (input === 'list')
    return (
      <Field {...around}>
        {(given) => (
          <textarea
            className="input"
            rows={3}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            {...given}
          />
        )}
      </Field>
    )
  return (
    <TextField
      {...around}
      required={required}
      maxLength={maxLength}
      {...(input === 'number' && { inputMode: 'decimal' as const })}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
