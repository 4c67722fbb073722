import './ograf-editor.css'
import type { ComponentType } from 'react'
import { gddTypeOf, isGdd } from '../../ograf/gdd.ts'
import { variableOf } from '../../ograf/variables.ts'
import { worded } from '../../schema/worded.ts'
import type { Choice, EditedVariable, Given, Nested, Part as Plain } from './edited.ts'

type Schema = Readonly<Record<string, unknown>>

/** The editor that uses these, for the parts of lists and objects: it cannot be imported by what it imports. */
type Parts = {
  Editor: ComponentType<Given>
  Picker: ComponentType<Plain & { choices: readonly Choice[] }>
  attributes(part: Plain): object
}
type Part = Plain & { parts: Parts }

const OWN = new Set(['multi-line', 'color-rrggbb', 'color-rrggbbaa', 'select', 'select-multiple'])

/** Whether a variable of an OGraf graphic has an editor of its own; all others have that of their type. */
export const isOgrafControl = ({ type, gddType = '' }: EditedVariable): boolean =>
  OWN.has(gddType) || type === 'object' || type === 'array'

/** The editor of a variable by its GDD type; of lists and objects one for each part. */
export function OgrafControl(part: Part) {
  const { type, gddType, schema = {} } = part.variable
  if (gddType === 'multi-line') return <Lines {...part} />
  if (gddType === 'color-rrggbb' || gddType === 'color-rrggbbaa') return <Colour {...part} />
  if (gddType === 'select') return <part.parts.Picker {...part} choices={choicesOf(schema)} />
  if (gddType === 'select-multiple') return <Several {...part} />
  return type === 'array' ? <List {...part} /> : <Members {...part} />
}

/** The choices of a `select`, with the labels that its maker gave them. */
function choicesOf({ enum: values, gddOptions }: Schema) {
  const labels = isGdd(gddOptions) && isGdd(gddOptions.labels) ? gddOptions.labels : {}
  return (Array.isArray(values) ? values : []).flatMap((value: unknown) =>
    typeof value === 'string' || typeof value === 'number'
      ? [{ value, label: typeof labels[value] === 'string' ? labels[value] : String(value) }]
      : [],
  )
}

function Lines(part: Part) {
  const { value, onChange } = part
  return (
    <textarea
      className="input ograf-lines"
      rows={3}
      value={typeof value === 'string' ? value : ''}
      onChange={({ target }) => onChange(target.value)}
      {...part.parts.attributes(part)}
    />
  )
}

const RGB = /^#[0-9a-f]{6}/

function Colour(part: Part) {
  const { variable, value, onChange } = part
  const text = typeof value === 'string' ? value : ''
  const hasAlpha = variable.gddType === 'color-rrggbbaa'
  const rgb = RGB.exec(text)?.[0] ?? '#000000'
  const alpha = /^#[0-9a-f]{8}$/.test(text) ? Number.parseInt(text.slice(7), 16) : 255
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  const told = (next: string, of: number) => onChange(hasAlpha ? `${next}${hex(of)}` : next)
  return (
    <div className="ograf-colour">
      <input
        type="color"
        value={rgb}
        onChange={({ target }) => told(target.value.toLowerCase(), alpha)}
        {...part.parts.attributes(part)}
      />
      <code>{text === '' ? 'Automatic' : text}</code>
      {hasAlpha && (
        <label>
          <span className="visually-hidden">{variable.label}, opacity</span>
          <input
            type="range"
            min={0}
            max={255}
            value={alpha}
            onChange={({ target }) => told(rgb, target.valueAsNumber)}
          />
          <output>{Math.round((alpha / 255) * 100)} %</output>
        </label>
      )}
    </div>
  )
}

function Several(part: Part) {
  const { id, variable, value, onChange } = part
  const { items, gddOptions } = variable.schema ?? {}
  // GDD: the labels stand beside the list of items
  const choices = choicesOf({ ...(isGdd(items) ? items : {}), ...(gddOptions !== undefined && { gddOptions }) })
  const chosen: readonly Nested[] = Array.isArray(value) ? value : []
  return (
    <fieldset className="ograf-several" aria-labelledby={id}>
      {choices.map((choice) => (
        <label key={String(choice.value)} className="check">
          <input
            type="checkbox"
            checked={chosen.includes(choice.value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, choice.value] : chosen.filter((one) => one !== choice.value))
            }
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}

/** A part of a list or object as its editor sees it. */
function partOf(name: string, schema: unknown, label: string): EditedVariable {
  const property = isGdd(schema) ? schema : { type: 'string' }
  const { defaultValue, title, ...variable } = variableOf(name, property)
  return {
    ...variable,
    label: title ?? label,
    gddType: gddTypeOf(property),
    ...(defaultValue !== undefined && { defaultValue: defaultValue as Nested }),
  }
}

function Members(part: Part) {
  const { id, variable, value, onChange } = part
  const { properties } = variable.schema ?? {}
  const members: { readonly [name: string]: Nested } = isNestedObject(value) ? value : {}
  return (
    <fieldset className="ograf-members" aria-labelledby={id}>
      {Object.entries(isGdd(properties) ? properties : {}).map(([name, schema]) => {
        const member = partOf(name, schema, worded(name))
        const settle = (next: Nested | null) => {
          const { [name]: _before, ...others } = members
          onChange(next === null ? others : { ...others, [name]: next })
        }
        return (
          <part.parts.Editor
            key={name}
            variable={member}
            value={members[name] ?? member.defaultValue ?? null}
            choices={[]}
            changed={false}
            onChange={(next) => settle(next as Nested)}
            onReset={() => settle(null)}
          />
        )
      })}
    </fieldset>
  )
}

const isNestedObject = (value: unknown): value is { readonly [name: string]: Nested } => isGdd(value)

/** What a new item of a list is. */
function blankOf(schema: unknown): Nested {
  const { type, default: given } = isGdd(schema) ? schema : {}
  if (given !== undefined) return given as Nested
  if (type === 'number' || type === 'integer') return 0
  if (type === 'boolean') return false
  if (type === 'array') return []
  return type === 'object' ? {} : ''
}

function List(part: Part) {
  const { id, variable, value, onChange } = part
  const { items } = variable.schema ?? {}
  const list: readonly Nested[] = Array.isArray(value) ? value : []
  return (
    <fieldset className="ograf-list" aria-labelledby={id}>
      {list.map((item, index) => {
        const label = `${variable.label} ${index + 1}`
        const one = partOf(String(index), items, label)
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place, and has nothing else
          <div className="ograf-item" key={index}>
            <part.parts.Editor
              variable={{ ...one, label }}
              value={item}
              choices={[]}
              changed={false}
              onChange={(next) => onChange(list.map((before, at) => (at === index ? (next as Nested) : before)))}
              onReset={() => {}}
            />
            <button
              type="button"
              className="ograf-remove"
              onClick={() => onChange(list.filter((_, at) => at !== index))}
            >
              Remove<span className="visually-hidden"> {label}</span>
            </button>
          </div>
        )
      })}
      <button type="button" className="ograf-add" onClick={() => onChange([...list, blankOf(items)])}>
        Add<span className="visually-hidden"> to {variable.label}</span>
      </button>
    </fieldset>
  )
}
