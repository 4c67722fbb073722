import { type Draft, newDraft } from '../draft.ts'
import { isSide, SIDE_OF_FACT } from '../phrases.ts'
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

const isCalled = (name: string, other: string) => wordsOf(name).join('') === wordsOf(other).join('')

const hasAll = (name: string, known: string) => {
  const words = new Set(wordsOf(name))
  return wordsOf(known).every((word) => words.has(word))
}

/**
 * The preset that is meant by the names that something goes by: one that is called so, else one whose name has all words of one of
 * them, else the only preset of a graphic that is called so. Undefined when there is none: nothing is made up.
 */
export function fittingPreset<P extends Preset>(known: readonly string[], presets: readonly P[]): P | undefined {
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
type VariablesOf = (presetId: number) => readonly Variable[]

/** Values that follow the fact of a rule: the graphic is about its player, else its side, also after a correction. */
function followingFact({ trigger }: Draft, variables: readonly Variable[]): Draft['variableValues'] {
  if (trigger.type !== 'fact') return undefined
  const player = variables.find(({ type }) => type === 'player')
  const side = variables.find((one) => one.type === 'enum' && isSide(one))
  return {
    ...(player && { [player.name]: { expression: 'fact.playerId' } }),
    ...(side && { [side.name]: { expression: SIDE_OF_FACT.source } }),
  }
}

const HEADLINES: readonly string[] = ['headline', 'heading', 'title', 'label']

/** The text of a graphic that stands above what it shows. */
const headlineIn = (variables: readonly Variable[]) =>
  HEADLINES.flatMap((name) => variables.filter((one) => one.type === 'string' && one.name === name))[0]

/** A rule of a template in a plan, with the preset that fits or a gap. */
export function begun(
  { what, known, alike = [], headline, ...rest }: TemplateRule,
  presets: readonly Preset[],
  names: Names,
  variablesOf: VariablesOf = () => [],
): Draft {
  const own = fittingPreset(known, presets)
  const preset =
    own ??
    fittingPreset(
      alike,
      presets.filter(({ id }) => headlineIn(variablesOf(id))),
    )
  const rule: Draft = { ...newDraft(rest.trigger), ...rest, presetId: preset?.id ?? null, wanted: what }
  if (!preset) return { ...rule, name: nameOf(rule, names) }
  const variables = variablesOf(preset.id)
  const above = headlineIn(variables)
  const isOther = !isCalled(preset.name, what)
  const values = {
    ...followingFact(rule, variables),
    ...(headline !== undefined && above && isOther && { [above.name]: headline }),
  }
  // a preset that goes by another name is called as the sport has it
  const name = nameOf(isOther ? { ...rule, presetId: null } : rule, names)
  return { ...rule, name, ...(Object.keys(values).length > 0 && { variableValues: values }) }
}
