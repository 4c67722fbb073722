import { type Draft, newDraft } from '../draft.ts'
import { type Names, nameOf } from '../words.ts'
import type { TemplateRule } from './rules.ts'

type Preset = { id: number; name: string; graphicName: string }

/** `Half-time score!` -> halftime, score: what some write as two words is one. */
const wordsOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/\b(line|match|time|half|full)[\s-]+(up|out|time)/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const hasAll = (name: string, known: string) => {
  const words = new Set(wordsOf(name))
  return wordsOf(known).every((word) => words.has(word))
}

/**
 * The preset that is meant by the names that something goes by: one that is called so, else one whose name has all words of one of
 * them, else the only preset of a graphic that is called so. Undefined when there is none: nothing is made up.
 */
export function fittingPreset<P extends Preset>(known: readonly string[], presets: readonly P[]): P | undefined {
  const isCalled = (name: string, other: string) => wordsOf(name).join('') === wordsOf(other).join('')
  for (const fits of [isCalled, hasAll])
    for (const name of known) {
      const found = presets.find((preset) => fits(preset.name, name))
      if (found) return found
    }
  for (const name of known) {
    const ofGraphic = presets.filter(({ graphicName }) => isCalled(graphicName, name))
    if (ofGraphic.length === 1) return ofGraphic[0]
  }
  return undefined
}

/** A variable of a graphic by its type. */
type Variable = { name: string; type: string; options?: readonly string[] | undefined }

/** Values that follow the fact of a rule: the graphic is about its player, also after a correction. */
function followingFact({ trigger }: Draft, variables: readonly Variable[]): Draft['variableValues'] {
  const player = trigger.type === 'fact' ? variables.find(({ type }) => type === 'player') : undefined
  return player && { [player.name]: { expression: 'fact.playerId' } }
}

/** A rule of a template in a plan, with the preset that fits or a gap. */
export function begun(
  { what, known, ...rest }: TemplateRule,
  presets: readonly Preset[],
  names: Names,
  variablesOf: (presetId: number) => readonly Variable[] = () => [],
): Draft {
  const preset = fittingPreset(known, presets)
  const rule: Draft = { ...newDraft(rest.trigger), ...rest, presetId: preset?.id ?? null, wanted: what }
  const values = preset && followingFact(rule, variablesOf(preset.id))
  return { ...rule, name: nameOf(rule, names), ...(values && { variableValues: values }) }
}
