import { useId } from 'react'
import { type Choice, Editor, type Value } from '../../ui/value-editor.tsx'
import type { Variable } from './use-graphics.ts'

type Values = Readonly<Record<string, Value>>
type Props = {
  variables: readonly Variable[]
  /** The stored values over the defaults. */
  values: Values
  exposed: readonly string[]
  choices: Readonly<Record<string, readonly Choice[]>>
  /** The reasons of a refusal: `variableValues.title`. */
  problems: Readonly<Record<string, string>>
  onValues: (values: Values) => void
  onExposed: (exposed: readonly string[]) => void
}

/** A field for each control variable of a graphic, and whether operators see it. */
export function PresetValues({ variables, values, exposed, choices, problems, onValues, onExposed }: Props) {
  /** A value equal to the default is not stored: it follows the graphic. */
  const set = ({ name, defaultValue }: Variable, value: Value) => {
    const { [name]: _before, ...others } = values
    onValues(value === (defaultValue ?? null) ? others : { ...others, [name]: value })
  }
  const expose = (name: string, on: boolean) =>
    onExposed(variables.map((one) => one.name).filter((one) => (one === name ? on : exposed.includes(one))))
  return (
    <div className="preset-values">
      {variables.map((variable) => (
        <One
          key={variable.name}
          variable={variable}
          values={values}
          choices={choices[variable.type] ?? []}
          problem={problems[`variableValues.${variable.name}`]}
          exposed={exposed.includes(variable.name)}
          onChange={(value) => set(variable, value)}
          onExposed={(on) => expose(variable.name, on)}
        />
      ))}
    </div>
  )
}

function One({
  variable,
  values,
  choices,
  problem,
  exposed,
  onChange,
  onExposed,
}: {
  variable: Variable
  values: Values
  choices: readonly Choice[]
  problem: string | undefined
  exposed: boolean
  onChange: (value: Value) => void
  onExposed: (on: boolean) => void
}) {
  const id = useId()
  const { name, label, defaultValue } = variable
  return (
    <div className="preset-value">
      <Editor
        variable={variable}
        value={values[name] ?? defaultValue ?? null}
        choices={choices}
        changed={name in values && values[name] !== null}
        back="Use the default"
        errorId={problem && `${id}-error`}
        onChange={onChange}
        onReset={() => onChange(defaultValue ?? null)}
      />
      {problem && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {problem}
        </p>
      )}
      <label className="check">
        <input type="checkbox" checked={exposed} onChange={(event) => onExposed(event.target.checked)} />
        Operators set it<span className="visually-hidden">: {label}</span>
      </label>
    </div>
  )
}
