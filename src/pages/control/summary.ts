import { measureOf } from '../ui/measure.ts'
import { type Draft, isSame, settled, valuesOf } from './drafts.ts'
import type { Choices, Preset, Value, Values, Variable } from './model.ts'

/** The values that a press puts on air, in a line. */
export function summary(preset: Preset, draft: Draft, onAir: Values | undefined, choices: Choices): string {
  const values = valuesOf(preset, draft, onAir)
  const told = preset.variables
    // OGraf 1.0: the value of such a property is in no label
    .filter(({ schema }) => schema?.hidden !== true)
    .map((variable) => inWords(variable, settled(variable, values), choices))
    .filter((text) => text !== '')
    .join(' · ')
  return told || (preset.graphicName === preset.name ? '' : preset.graphicName)
}

/** Text always, other values where they differ from the default. */
function inWords({ type, label, defaultValue, gddType }: Variable, value: Value, choices: Choices): string {
  if (value === null || value === '') return ''
  // a colour is no text
  if (type === 'string' && !gddType?.startsWith('color-')) return String(value)
  if (value === defaultValue) return ''
  if (typeof value === 'boolean') return `${label} ${value ? 'on' : 'off'}`
  // lists and objects have no place in a line
  if (type === 'object' || type === 'array') return ''
  if (typeof value === 'number' && type === 'number') return `${label} ${measureOf(gddType).write(value)}`
  return choices[type]?.find((choice) => isSame(choice.value, value))?.label ?? `${label} ${value}`
}
