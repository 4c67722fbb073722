import type { Play } from '../../../machines/game-plan/model.ts'
import type { Values } from '../../../machines/overlay.ts'
import type { PinnedGraphic, PresetCard } from '../../catalog/cards.ts'
import { brandOf } from '../overlays/brand.ts'
import { storedValues, withDefaults } from '../overlays/values.ts'

/** The values that a play puts on air: those of its preset with those of its rule over them. */
export function valuesShown({ values }: Pick<Play, 'values'>, preset: PresetCard, graphic: PinnedGraphic): Values {
  const given = Object.entries(values).map(([name, value]) => [name, isSlot(value) ? brandOfSlot(value) : value])
  return withDefaults({ ...storedValues(preset, graphic).values, ...Object.fromEntries(given) }, graphic)
}

/** The brand that a graphic with these values shows: of its variables of type `ad` the first that has one, else the text that names one. */
export function brandShown(values: Values, graphic: Pick<PinnedGraphic, 'variables'>): string | null {
  for (const { name, type } of graphic.variables.values()) {
    const value = type === 'ad' ? values[name] : undefined
    if (value !== undefined && value !== null && value !== '') return String(value)
  }
  return brandOf(values)
}

const isSlot = (value: Play['values'][string]): value is { slot: string } => typeof value === 'object' && value !== null

/** A slot is filled when it is shown; a simulation names the slot. */
const brandOfSlot = ({ slot }: { slot: string }) => slot
