import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { type Access, type Accesses, RESOURCES } from './scopes.ts'

const ACCESSES: readonly (readonly [Access, string])[] = [
  ['none', 'None'],
  ['read', 'Read'],
  ['write', 'Write'],
]

type Props = { accesses: Accesses; error: string | undefined; onChange: (accesses: Accesses) => void }

/** None, read or write for each resource. spec: Authentication 4 */
export function ScopeFields({ accesses, error, onChange }: Props) {
  const id = useId()
  const all = (access: Access) => onChange(Object.fromEntries(RESOURCES.map(([resource]) => [resource, access])))
  return (
    <fieldset className="scopes" {...(error && { 'aria-describedby': `${id}-error` })}>
      <legend className="field-label">What it may do</legend>
      <p className="field-hint">Write includes read.</p>
      <div className="scopes-all">
        {ACCESSES.map(([access, title]) => (
          <Button small key={access} onClick={() => all(access)}>
            {title} on everything
          </Button>
        ))}
      </div>
      {RESOURCES.map(([resource, about]) => (
        <fieldset className="scope" key={resource}>
          <legend className="visually-hidden">{resource}</legend>
          <div className="scope-name" aria-hidden="true">
            {resource}
            <span className="field-hint">{about}</span>
          </div>
          <div className="scope-choices">
            {ACCESSES.map(([access, title]) => (
              <label className="scope-choice" key={access}>
                <input
                  type="radio"
                  name={`${id}-${resource}`}
                  checked={(accesses[resource] ?? 'none') === access}
                  onChange={() => onChange({ ...accesses, [resource]: access })}
                />
                <span>{title}</span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
