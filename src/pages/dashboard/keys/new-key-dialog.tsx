import { useState } from 'react'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { ApiKey, ApiKeyCreated } from '../shapes.ts'
import { ShownOnce } from '../shown-once.tsx'
import { useCommand } from '../use-command.ts'
import { ScopeFields } from './scope-fields.tsx'
import { type Accesses, accessesOf, scopesOf } from './scopes.ts'

/** spec: Authentication 8 */
const EXPIRIES = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['60d', '60 days'],
  ['90d', '90 days'],
  ['1y', 'One year'],
  ['custom', 'On a date'],
  ['none', 'Never'],
] as const

type Props = {
  /** The key that it is to take the place of: both work until the old one is deleted. spec: Authentication 10 */
  like?: ApiKey
  onClose: () => void
  onMade: () => Promise<void>
}

/** Asks for a key, then shows it once. */
export function NewKeyDialog({ like, onClose, onMade }: Props) {
  const [made, setMade] = useState<ApiKeyCreated>()
  if (made)
    return (
      <ShownOnce
        title={`The key ${made.name}`}
        label="API key"
        secret={made.key}
        why="Only a fingerprint of it is stored. Whoever loses the key makes a new one."
        lost="Delete this key and make another one."
        onClose={onClose}
      >
        <p className="field-hint">
          Expires: <Moment at={made.expiresAt} never="never" />
        </p>
      </ShownOnce>
    )
  return (
    <NewKeyForm
      {...(like && { like })}
      onClose={onClose}
      onMade={async (created) => {
        setMade(created)
        await onMade()
      }}
    />
  )
}

type FormProps = Pick<Props, 'like' | 'onClose'> & { onMade: (created: ApiKeyCreated) => Promise<void> }

function NewKeyForm({ like, onClose, onMade }: FormProps) {
  const [name, setName] = useState(like?.name ?? '')
  const [accesses, setAccesses] = useState<Accesses>(accessesOf(like?.scopes ?? []))
  const [expiry, setExpiry] = useState<string>('30d')
  const [date, setDate] = useState('')
  const make = useCommand(async (body: object, key) => {
    await onMade(await api<ApiKeyCreated>('POST', '/v1/keys', { body, key }))
  })
  const scopes = scopesOf(accesses)
  const submit = () => {
    const expiresAt = expiry === 'custom' && date !== '' ? { expiresAt: new Date(date).toISOString() } : {}
    void make.run({ name: name.trim(), scopes, expiry, ...expiresAt })
  }
  return (
    <FormDialog
      onClose={onClose}
      title="New API key"
      {...(like && { about: `With the scopes of ${like.preview}. Both work until the old one is deleted.` })}
      label="Make the key"
      command={make}
      ready={scopes.length > 0 && name.trim() !== ''}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        hint="What uses it: it stands beside everything the key does, in the as-run log too."
        required
        maxLength={255}
        error={make.fields.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <ScopeFields accesses={accesses} error={make.fields.scopes} onChange={setAccesses} />
      <div className="form-row">
        <SelectField
          label="Expires"
          error={make.fields.expiry}
          value={expiry}
          onChange={(event) => setExpiry(event.target.value)}
        >
          {EXPIRIES.map(([value, title]) => (
            <option key={value} value={value}>
              {value === 'custom' || value === 'none' ? title : `After ${title.toLowerCase()}`}
            </option>
          ))}
        </SelectField>
        {expiry === 'custom' && (
          <Field label="Date and time" error={make.fields.expiresAt}>
            {(given) => (
              <input
                className="input"
                type="datetime-local"
                required
                value={date}
                onChange={(event) => setDate(event.target.value)}
                {...given}
              />
            )}
          </Field>
        )}
      </div>
      {expiry === 'none' && <p className="notice">It works until somebody deletes it.</p>}
    </FormDialog>
  )
}
