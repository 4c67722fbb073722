import type { Choice, ThemeVariable, Value, Variable } from './api.ts'
import { node } from './dom.ts'

export type Changed = (name: string, value: Value | undefined) => void

let fields = 0

/** A labelled control; `hint` is read out with it. */
function labelled(name: string, hint: string, control: HTMLElement, ...more: HTMLElement[]) {
  const id = `field-${++fields}`
  control.id = id
  const parts: HTMLElement[] = [node('label', { for: id }, name), node('div', { class: 'control' }, control, ...more)]
  if (hint) {
    parts.push(node('p', { id: `${id}-hint` }, hint))
    control.setAttribute('aria-describedby', `${id}-hint`)
  }
  return node('div', { class: 'field' }, ...parts)
}

/** The editor of a control variable; undefined is a value that is not set. */
export function variableField(
  variable: Variable,
  value: Value | undefined,
  choices: readonly Choice[] | undefined,
  changed: Changed,
) {
  const { name, description = '' } = variable
  return labelled(
    name,
    description,
    control(variable, value, choices, (next) => changed(name, next)),
  )
}

function control(
  { type, options = [], defaultValue }: Variable,
  value: Value | undefined,
  choices: readonly Choice[] | undefined,
  changed: (value: Value | undefined) => void,
): HTMLElement {
  const standard = defaultValue ?? undefined
  if (type === 'boolean') {
    const yes = [
      { value: 'true', label: 'On' },
      { value: 'false', label: 'Off' },
    ]
    const shown = standard === undefined ? 'Not set' : `Default: ${standard ? 'on' : 'off'}`
    return picker(yes, value === undefined ? undefined : String(value), shown, (next) =>
      changed(next === undefined ? undefined : next === 'true'),
    )
  }
  if (type === 'enum') {
    const listed = options.map((option) => ({ value: option, label: option }))
    return picker(listed, value, standard === undefined ? 'Not set' : `Default: ${standard}`, changed)
  }
  if (type === 'string' || type === 'number') {
    const input = node('input', {
      type: type === 'number' ? 'number' : 'text',
      placeholder: standard === undefined ? 'Not set' : String(standard),
      autocomplete: 'off',
      spellcheck: 'false',
      ...(type === 'number' && { step: 'any' }),
    })
    input.value = value === undefined ? '' : String(value)
    input.addEventListener('input', () => {
      if (input.value === '') changed(undefined)
      else changed(type === 'number' ? input.valueAsNumber : input.value)
    })
    return input
  }
  return picker(choices ?? [], value, choices?.length ? 'Not set' : 'None in this scenario', changed)
}

function picker(
  choices: readonly Choice[],
  value: Value | undefined,
  none: string,
  changed: (value: Value | undefined) => void,
) {
  const select = node('select', {})
  select.append(new Option(none, ''))
  const groups = new Map<string, HTMLOptGroupElement>()
  for (const [index, choice] of choices.entries()) {
    const option = new Option(
      choice.label,
      String(index),
      false,
      JSON.stringify(choice.value) === JSON.stringify(value),
    )
    if (choice.group === undefined) {
      select.append(option)
      continue
    }
    const known = groups.get(choice.group) ?? node('optgroup', { label: choice.group })
    groups.set(choice.group, known)
    known.append(option)
    select.append(known)
  }
  select.disabled = choices.length === 0
  select.addEventListener('change', () =>
    changed(select.value === '' ? undefined : choices[Number(select.value)]?.value),
  )
  return select
}

const isColour = ({ name, isStyle, value }: ThemeVariable) =>
  /colou?r/i.test(name) || (isStyle && /^#[0-9a-f]{3,8}$/i.test(value ?? ''))

/** A colour that the browser's picker can show. */
const plain = (text: string) =>
  /^#[0-9a-f]{6}/i.test(text)
    ? text.slice(0, 7).toLowerCase()
    : text.replace(/^#(.)(.)(.).?$/, '#$1$1$2$2$3$3').toLowerCase()

/** The editor of a theme variable; undefined is the value of the profile or the default. */
export function themeField(
  variable: ThemeVariable,
  value: string | undefined,
  changed: (name: string, value: string | undefined) => void,
) {
  const { name, type, enumOptions, description } = variable
  const tell = (next: string) => changed(name, next === '' ? undefined : next)
  if (type === 'boolean' || type === 'enum') {
    const options = type === 'enum' ? (enumOptions ?? []) : ['true', 'false']
    const listed = options.map((option) => ({ value: option, label: option }))
    const none = variable.value === null ? 'Not set' : `As it is: ${variable.value}`
    return labelled(
      name,
      description ?? '',
      picker(listed, value, none, (next) => tell(String(next ?? ''))),
    )
  }
  const input = node('input', { type: 'text', placeholder: variable.value ?? 'Not set', autocomplete: 'off' })
  input.value = value ?? ''
  if (!isColour(variable)) {
    input.addEventListener('input', () => tell(input.value))
    return labelled(name, description ?? '', input)
  }
  const colour = node('input', { type: 'color', 'aria-label': `${name}, colour` })
  const show = () => {
    colour.value = plain(input.value || (variable.value ?? '#000000'))
  }
  show()
  input.addEventListener('input', () => {
    show()
    tell(input.value)
  })
  colour.addEventListener('input', () => {
    input.value = colour.value
    tell(input.value)
  })
  return labelled(name, description ?? '', input, colour)
}
