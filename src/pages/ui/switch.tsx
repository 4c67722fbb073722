import './content.css'
import { Switch as Parts } from 'radix-ui'
import { type ComponentProps, type ReactNode, useId } from 'react'

/** Without its label, for where that stands elsewhere. */
export function SwitchControl(props: ComponentProps<typeof Parts.Root>) {
  return (
    <Parts.Root className="switch" {...props}>
      <span className="switch-word" aria-hidden="true">
        {props.checked ? 'On' : 'Off'}
      </span>
      <Parts.Thumb className="switch-thumb" />
    </Parts.Root>
  )
}

/** On or off, at once: it shows the state of the server, not that of the press. */
export function Switch({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  label: string
  hint?: ReactNode
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const id = useId()
  return (
    <div className="switch-row">
      <div>
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        {hint && (
          <p className="field-hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
      <SwitchControl
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
        {...(hint && { 'aria-describedby': `${id}-hint` })}
      />
    </div>
  )
}
