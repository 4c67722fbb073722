import type { Preset, Value, Values, Variable } from './model.ts'

/** The settings of an operator on a preset: `values` over the stored ones, `unsent` the names that are not on air yet. */
export type Draft = { values: Values; unsent: readonly string[] }

export const NO_DRAFT: Draft = { values: {}, unsent: [] }

/** Whether two values are the same; a sponsor slot is an object, and an OGraf graphic has lists and objects. */
export const isSame = (one: Value, other: Value): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))

/** The base with the brands that its sponsor slots have on air. */
function chosen(base: Values, onAir: Values): Values {
  const slots = Object.entries(base).filter(
    ([, value]) => typeof value === 'object' && value !== null && 'slot' in value,
  )
  return { ...base, ...Object.fromEntries(slots.map(([name]) => [name, onAir[name] ?? null])) }
}

type Named = Pick<Preset, 'variables' | 'variableValues'>

/** Null and absent both stand for the default. */
export const settled = ({ name, defaultValue }: Variable, values: Values): Value => values[name] ?? defaultValue ?? null

const isExposed = ({ variables }: Named, name: string) => variables.some((variable) => variable.name === name)

/**
 * The values that a press would put on air: those on air when the preset is, else the stored ones, with those of the operator
 * over them. Variables that the room does not expose any more do not count.
 */
export function valuesOf(preset: Named, draft: Draft, onAir: Values | undefined): Values {
  const names = onAir ? draft.unsent : Object.keys(draft.values)
  const own = names.filter((name) => name in draft.values && isExposed(preset, name))
  const values = { ...(onAir ?? preset.variableValues) }
  for (const name of own) values[name] = draft.values[name] ?? null
  return values
}

/** The exposed variables whose values differ between those of a press and these. */
export function differing(preset: Named, draft: Draft, onAir: Values | undefined, from: Values): Variable[] {
  const values = valuesOf(preset, draft, onAir)
  return preset.variables.filter((variable) => !isSame(settled(variable, values), settled(variable, from)))
}

/** A preset on air: the values it shows, and those it would show if nothing had been set here. */
type Shown = { graphic: { variableValues: Values }; base: Values }

/** The variables of a preset on air that a press would change. */
export const unsent = (preset: Named, draft: Draft, { graphic, base }: Shown): Variable[] =>
  differing(preset, draft, chosen(base, graphic.variableValues), graphic.variableValues)

/** The values to send so that these are on air: a command's values are laid over those of the preset. */
export function overrides({ variableValues }: Named, values: Values): Record<string, Value> {
  const names = new Set([...Object.keys(variableValues), ...Object.keys(values)])
  const sent: Record<string, Value> = {}
  for (const name of names) {
    const value = values[name] ?? null
    if (!isSame(value, variableValues[name] ?? null)) sent[name] = value
  }
  return sent
}

export const edited = (draft: Draft, name: string, value: Value): Draft => ({
  values: { ...draft.values, [name]: value },
  unsent: draft.unsent.includes(name) ? draft.unsent : [...draft.unsent, name],
})

/** After these were put on air: values edited meanwhile are still unsent. */
export const sent = (draft: Draft, values: Values): Draft => ({
  ...draft,
  unsent: draft.unsent.filter((name) => !isSame(draft.values[name] ?? null, values[name] ?? null)),
})

/** After these went onto the schedule, which has them from now on: the next press by hand begins with what is stored. */
export function handedOver({ values, unsent }: Draft, scheduled: Values): Draft {
  const isKept = (name: string) => !isSame(values[name] ?? null, scheduled[name] ?? null)
  return {
    values: Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name))),
    unsent: unsent.filter(isKept),
  }
}

/** One variable is again as it is stored or, of a preset on air, as it is there. */
export function withdrawn({ values, unsent }: Draft, name: string, shown?: Shown): Draft {
  const { [name]: _withdrawn, ...others } = values
  const draft = { values: others, unsent: unsent.filter((one) => one !== name) }
  const onAir = shown?.graphic.variableValues[name] ?? null
  const base = shown && (chosen(shown.base, shown.graphic.variableValues)[name] ?? null)
  return base !== undefined && !isSame(base, onAir) ? edited(draft, name, onAir) : draft
}
