import { useId } from 'react'
import { type Choice, Editor, type Value } from '../../ui/value-editor.tsx'
import type { Variable } from '../rooms/use-graphics.ts'
import { Link } from '../router.tsx'
import type { Preset } from '../shapes.ts'
import { type FieldFaults, saidAt } from '../worked-list/faults.ts'
import type { Draft, RuleValue } from './draft.ts'
import { valuesFor } from './phrases.ts'

type Props = {
  rule: Draft
  preset: Preset
  variables: readonly Variable[]
  choices: Readonly<Record<string, readonly Choice[]>>
  /** Where brands share slots. */
  slotsPath: string
  faults: FieldFaults | undefined
  onChange: (values: Draft['variableValues']) => void
}

const isPlain = ({ type }: Variable) => type !== 'object' && type !== 'array'

/** A value as a rule may set it. */
function plainOf(value: Value): RuleValue {
  if (typeof value !== 'object' || value === null) return value
  return 'slot' in value && typeof value.slot === 'string' ? { slot: value.slot } : null
}

/** Values of a rule's graphic that differ from its preset: written, or taken from the match. */
export function ValueFields({ rule, preset, variables, choices, slotsPath, faults, onChange }: Props) {
  const values = rule.variableValues ?? {}
  const set = (name: string, value: RuleValue | undefined) => {
    const { [name]: _before, ...others } = values
    onChange(value === undefined ? others : { ...others, [name]: value })
  }
  const unknown = Object.keys(values).filter((name) => !variables.some((variable) => variable.name === name))
  return (
    <div className="plan-values">
      {variables.length === 0 && unknown.length === 0 && (
        <p className="cell-about">This graphic has nothing that could be set.</p>
      )}
      {/* a rule sets no lists and objects of OGraf graphics: those are of the preset */}
      {variables.filter(isPlain).map((variable) => (
        <One
          key={variable.name}
          rule={rule}
          variable={variable}
          given={values[variable.name]}
          ofPreset={preset.variableValues?.[variable.name] ?? variable.defaultValue ?? null}
          choices={choices[variable.type] ?? []}
          fault={saidAt(faults, `variableValues.${variable.name}`)}
          onChange={(value) => set(variable.name, value)}
        />
      ))}
      {variables.some(({ type }) => type === 'ad') && (
        <p className="field-hint">
          A brand, or a slot that several brands share: <Link to={slotsPath}>sponsor slots of this profile</Link>.
        </p>
      )}
      {unknown.map((name) => (
        <p className="notice notice-bad" key={name}>
          The graphic takes no “{name}” any more.{' '}
          <button type="button" className="link-button" onClick={() => set(name, undefined)}>
            Drop it
          </button>
        </p>
      ))}
    </div>
  )
}

const isExpression = (value: RuleValue | undefined): value is { expression: string } =>
  typeof value === 'object' && value !== null && 'expression' in value

const OWN = 'own'

function One({
  rule,
  variable,
  given,
  ofPreset,
  choices,
  fault,
  onChange,
}: {
  rule: Draft
  variable: Variable
  given: RuleValue | undefined
  ofPreset: Value
  choices: readonly Choice[]
  fault: string | undefined
  onChange: (value: RuleValue | undefined) => void
}) {
  const id = useId()
  const offered = valuesFor(variable, rule.trigger)
  const phrase = isExpression(given) ? offered.find(({ source }) => source === given.expression) : undefined
  const how = given === undefined ? '' : isExpression(given) ? (phrase?.source ?? OWN) : 'value'
  const choose = (next: string) => {
    if (next === '') onChange(undefined)
    else if (next === 'value') onChange(plainOf(ofPreset))
    else if (next === OWN) onChange({ expression: isExpression(given) ? given.expression : '' })
    else onChange({ expression: next })
  }
  return (
    <fieldset className="plan-value">
      <legend className="visually-hidden">{variable.label}</legend>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {variable.label}
        </label>
        <select
          className="input"
          id={id}
          value={how}
          aria-invalid={fault !== undefined}
          aria-describedby={fault && `${id}-fault`}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">as the preset has it</option>
          <option value="value">{variable.type === 'ad' ? 'this brand or slot:' : 'this value:'}</option>
          {offered.length > 0 && (
            <optgroup label="From the match">
              {offered.map(({ words, source }) => (
                <option key={source} value={source}>
                  {words}
                </option>
              ))}
            </optgroup>
          )}
          <option value={OWN}>worked out by an expression…</option>
        </select>
      </div>
      {how === 'value' && (
        <Editor
          variable={{ ...variable, label: `Value of ${variable.label.toLowerCase()}`, description: undefined }}
          value={given as Value}
          choices={choices}
          changed={false}
          onChange={(value) => onChange(plainOf(value))}
          onReset={() => onChange(undefined)}
        />
      )}
      {how === OWN && isExpression(given) && (
        <textarea
          className="input mono"
          rows={2}
          spellCheck={false}
          aria-label={`Expression for ${variable.label.toLowerCase()}`}
          value={given.expression}
          aria-invalid={fault !== undefined}
          onChange={({ target }) => onChange({ expression: target.value })}
        />
      )}
      {variable.description && <p className="field-hint">{variable.description}</p>}
      {fault && (
        <p className="field-error" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  )
}
