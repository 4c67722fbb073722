import './value-editor.css'
import { type ReactNode, useId, useState } from 'react'
import type { Choice, Given, Part, Value, EditedVariable as Variable } from './edited.ts'
import { measureOf, rounded } from './measure.ts'
import { isOgrafControl, OgrafControl } from './ograf-editor.tsx'
import { SwitchControl } from './switch.tsx'

export type { Choice, Value } from './edited.ts'

/** As many options as fit beside each other are buttons. */
const MOST_BUTTONS = 4
/** Types that name something of the match, and brands. */
const CHOSEN = new Set(['match', 'team', 'player', 'fact', 'period', 'set', 'round', 'court', 'stat', 'teamStat', 'ad'])

/** The right editor for the type of a variable, with its name, its description, and the way back. */
export function Editor(given: Given) {
  const { variable, changed, back = 'Undo', onReset } = given
  const id = useId()
  const grouped = isGrouped(variable)
  return (
    <div className={changed ? 'editor editor-changed' : 'editor'}>
      <div className="editor-head">
        {grouped ? (
          <span className="field-label" id={id}>
            {variable.label}
          </span>
        ) : (
          <label className="field-label" htmlFor={id}>
            {variable.label}
          </label>
        )}
        {changed && (
          <button type="button" className="editor-reset" onClick={onReset}>
            {back}
            <span className="visually-hidden"> {variable.label}</span>
          </button>
        )}
      </div>
      {control(given, id)}
      {variable.description && (
        <p className="field-hint" id={`${id}-hint`}>
          {variable.description}
        </p>
      )}
    </div>
  )
}

/** Several controls stand for one value: no label belongs to one of them. */
const isGrouped = ({ type, options = [], gddType }: Variable) =>
  type === 'object' || type === 'array' || (type === 'enum' && gddType === undefined && options.length <= MOST_BUTTONS)

function control(given: Given, id: string): ReactNode {
  const { type, options = [], schema } = given.variable
  if (schema && isOgrafControl(given.variable)) return <OgrafControl {...given} id={id} parts={PARTS} />
  if (type === 'boolean') return <Toggle {...given} id={id} />
  if (type === 'number') return <NumberField {...given} id={id} />
  if (type === 'enum' && options.length <= MOST_BUTTONS) return <Buttons {...given} id={id} />
  if (type === 'enum') return <Picker {...given} id={id} choices={options.map((value) => ({ value, label: value }))} />
  if (CHOSEN.has(type)) return <Picker {...given} id={id} />
  return <Text {...given} id={id} />
}

/** What the editors of OGraf graphics are made of, too. */
const PARTS = { Editor, Picker, attributes: (part: Part) => attributes(part) }

const attributes = ({ id, first, variable, errorId }: Part) => ({
  id,
  ...(first && { 'data-first': true }),
  ...described(id, variable, errorId),
})

function described(id: string, { description }: Variable, errorId: string | undefined) {
  const ids = [description && `${id}-hint`, errorId].filter(Boolean).join(' ')
  return ids === '' ? {} : { 'aria-describedby': ids }
}

/** The text for nothing chosen: the default, or that the match decides. */
const nothingOf = ({ defaultValue }: Variable) => (defaultValue == null ? 'Automatic' : `Default: ${defaultValue}`)

function Text(part: Part) {
  const { variable, value, onChange } = part
  const hasDefault = typeof variable.defaultValue === 'string' && variable.defaultValue !== ''
  return (
    <input
      className="input"
      type="text"
      autoComplete="off"
      placeholder={hasDefault ? '' : 'Automatic'}
      value={value === null ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' && !hasDefault ? null : target.value)}
      {...attributes(part)}
    />
  )
}

function NumberField(part: Part) {
  const { value, onChange, variable } = part
  const { read, write, step } = measureOf(variable.gddType)
  const [typed, setTyped] = useState<string>()
  // typed text stands while it means the value, so that "1." and "-" can be written
  const isTyped = typed !== undefined && (read(typed) === undefined || read(typed) === value)
  const text = isTyped ? typed : typeof value === 'number' ? write(value) : String(value ?? '')
  const turn = (by: number) => {
    setTyped(undefined)
    onChange(rounded((typeof value === 'number' ? value : 0) + by))
  }
  return (
    <div className="stepper">
      <button type="button" onClick={() => turn(-step)} aria-label={`${variable.label} minus one`}>
        −
      </button>
      <input
        className="input tabular"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        placeholder="Automatic"
        value={text}
        aria-invalid={read(text) === undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          const number = read(target.value)
          if (number !== undefined) onChange(number)
        }}
        onBlur={() => setTyped(undefined)}
        {...attributes(part)}
      />
      <button type="button" onClick={() => turn(step)} aria-label={`${variable.label} plus one`}>
        +
      </button>
    </div>
  )
}

function Toggle(part: Part) {
  const { value, onChange } = part
  return <SwitchControl checked={value === true} onCheckedChange={onChange} {...attributes(part)} />
}

function Buttons(part: Part) {
  const { id, variable, value, onChange, first, errorId } = part
  const options = variable.options ?? []
  return (
    <div className="segments" role="radiogroup" aria-labelledby={id} {...described(id, variable, errorId)}>
      {options.map((option, index) => (
        <label key={option}>
          <input
            type="radio"
            name={id}
            checked={value === option}
            onChange={() => onChange(option)}
            {...(first &&
              (value === option || (index === 0 && !options.includes(String(value)))) && { 'data-first': true })}
          />
          <span>{option}</span>
        </label>
      ))}
    </div>
  )
}

function Picker(part: Part) {
  const { variable, value, choices, onChange } = part
  const known = value === null || choices.some((choice) => JSON.stringify(choice.value) === JSON.stringify(value))
  return (
    <select
      className="input"
      value={value === null ? '' : JSON.stringify(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : JSON.parse(target.value))}
      {...attributes(part)}
    >
      <option value="">{nothingOf(variable)}</option>
      {!known && <option value={JSON.stringify(value)}>{missing(variable, value)}</option>}
      {grouped(choices).map(([group, list]) =>
        group === undefined ? (
          list.map((choice) => <Option key={JSON.stringify(choice.value)} choice={choice} />)
        ) : (
          <optgroup key={group} label={group}>
            {list.map((choice) => (
              <Option key={JSON.stringify(choice.value)} choice={choice} />
            ))}
          </optgroup>
        ),
      )}
    </select>
  )
}

function missing({ type }: Variable, value: Value): string {
  if (typeof value === 'object') return `${value && 'slot' in value ? value.slot : ''}, no sponsor slot here`
  if (type === 'enum') return `${value}, no choice any more`
  return type === 'ad' ? `Brand ${value}, deleted` : `${value}, not in the match now`
}

const Option = ({ choice }: { choice: Choice }) => <option value={JSON.stringify(choice.value)}>{choice.label}</option>

function grouped(choices: readonly Choice[]): [string | undefined, Choice[]][] {
  const groups = new Map<string | undefined, Choice[]>()
  for (const choice of choices) groups.set(choice.group, [...(groups.get(choice.group) ?? []), choice])
  return [...groups]
}
