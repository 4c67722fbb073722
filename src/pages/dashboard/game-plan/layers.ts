import type { Draft } from './draft.ts'

type GraphicOf = (presetId: number) => string | undefined

/**
 * Rules that show one graphic are of one layer, or each takes the other off air unasked: those without a layer get that of a rule beside
 * them with the same graphic. Of `ids` only, where they are given.
 */
export function onOneLayer(rules: readonly Draft[], graphicOf: GraphicOf, ids?: ReadonlySet<string>): Draft[] {
  const graphic = ({ presetId }: Draft) => (presetId === null ? undefined : graphicOf(presetId))
  return rules.flatMap((rule) => {
    const own = graphic(rule)
    if (own === undefined || rule.layer !== undefined || (ids && !ids.has(rule.id))) return []
    const layer = rules.find((other) => other.layer !== undefined && graphic(other) === own)?.layer
    return layer === undefined ? [] : [{ ...rule, layer }]
  })
}
