import './colour-field.css'
import { Field } from '../ui/field.tsx'

type Props = {
  label: string
  value: string
  hint?: string
  error: string | undefined
  required?: boolean
  onChange: (value: string) => void
}

const PLAIN = /^#[0-9a-f]{6}$/i

/** A colour that is picked, or typed in any way that CSS takes. */
export function ColourField({ label, value, hint, error, required = true, onChange }: Props) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(given) => (
        <span className="colour-field">
          <input
            type="color"
            className={value === '' ? 'colour-unset' : undefined}
            aria-label={`${label}, chosen`}
            value={PLAIN.test(value) ? value : '#000000'}
            onChange={({ target }) => onChange(target.value)}
          />
          <input
            className="input"
            required={required}
            maxLength={64}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            {...given}
          />
        </span>
      )}
    </Field>
  )
}
