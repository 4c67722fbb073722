import { type ComponentProps, type ReactNode, useId } from 'react'

type Given = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

/** A label, a control, its description and its fault, read out together. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  children: (given: Given) => ReactNode
}) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ')
  const given: Given = {
    id,
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
  }
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children(given)}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

type Around = { label: ReactNode; hint?: ReactNode; error?: ReactNode }

export function TextField({ label, hint, error, ...rest }: Around & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(given) => <input className="input" autoComplete="off" {...rest} {...given} />}
    </Field>
  )
}

export function SelectField({ label, hint, error, children, ...rest }: Around & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(given) => (
        <select className="input" {...rest} {...given}>
          {children}
        </select>
      )}
    </Field>
  )
}
