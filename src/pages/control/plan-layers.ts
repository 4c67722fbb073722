import type { LivePlan } from '../live/state.ts'
import type { Preset, Rule } from './model.ts'

/** One layer of the game plan as operators see it: `label` is never an id. */
export type PlanLayer = LivePlan['layers'][number] & { readonly label: string; readonly rules: readonly Rule[] }

const EMPTY = { heldBy: null, running: null, queued: [] } as const

/**
 * The layers of the rules, each at its first rule, so that no button moves while the plan goes on; then those that it has from rules
 * which are gone.
 */
export function layersOf(
  rules: readonly Rule[],
  presets: readonly Preset[],
  plan: Pick<LivePlan, 'layers'> | undefined,
): PlanLayer[] {
  const known = new Map(plan?.layers.map((one) => [one.layer, one]))
  const names = new Set([...rules.map(({ layer }) => layer), ...known.keys()])
  names.delete('')
  const found = [...names].map((layer) => {
    const state = known.get(layer) ?? { layer, ...EMPTY, queued: [] }
    const graphic = presets.find(({ graphicId }) => graphicId === layer)?.graphicName
    const isNamed = graphic === undefined && !isId(layer)
    const label = graphic ?? (isNamed ? layer : (state.running?.graphicName ?? 'Another graphic'))
    return { ...state, label, isGraphic: !isNamed, rules: rules.filter((rule) => rule.layer === layer) }
  })
  const isTwice = (label: string) => found.filter((one) => one.label === label).length > 1
  // a layer may be called like a graphic that has one of its own
  return found.map(({ isGraphic, label, ...rest }) => ({
    ...rest,
    label: isGraphic && isTwice(label) ? `${label}, the graphic` : label,
  }))
}

/** The id of a graphic, which nobody knows it by. */
const isId = (layer: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(layer)
