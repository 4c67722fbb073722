import type { Picture } from '../../../machines/game-plan/model.ts'
import type { Rule, RuleValue } from '../../../machines/game-plan/rule.ts'
import type { Fact } from '../../../machines/match-model.ts'
import type { Value } from '../../../machines/overlay.ts'
import type { PinnedGraphic } from '../../catalog/cards.ts'
import { MAX_SET_MS, Stopwatch } from '../../expressions/budget.ts'
import { type Compiled, compileRule } from '../../expressions/compile.ts'
import type { Scope } from '../../expressions/scope.ts'
import { wrongValue } from '../control-variables.ts'
import type { Judged } from './look.ts'

/** A preset of the overlay's control room with its graphic as the active theme version has it; undefined: it cannot be shown there. */
export type Shows = (presetId: number) => { presetId: number; graphic: PinnedGraphic } | undefined

const MAX_COMPILED = 2_000
const compiled = new Map<string, Compiled>()

function expression(source: string): Compiled {
  const known = compiled.get(source)
  if (known) return known
  const made = compileRule(source)
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  compiled.set(source, made)
  return made
}

/** Whether anything of a rule has to be worked out from the data of the match. Most rules ask for nothing but their fact. */
export const needsData = ({ condition, variableValues = {} }: Rule): boolean =>
  (condition !== undefined && readsData(condition)) ||
  Object.values(variableValues).some(
    (value) => typeof value === 'object' && value !== null && 'expression' in value && readsData(value.expression),
  )

function readsData(source: string): boolean {
  try {
    return [...expression(source).names].some((name) => name !== 'fact')
  } catch {
    // one that does not compile any more fails where it is evaluated
    return false
  }
}

/** What rules are judged by: the data of the match, and the time that the expressions of all of them may take together. */
export type Judging = { data: Scope; shows: Shows; watch: Stopwatch }
export const judging = (data: Scope, shows: Shows): Judging => ({ data, shows, watch: new Stopwatch(MAX_SET_MS) })

/** Whether a rule may fire on this data, and what it shows. A failure of an expression is a reason, never thrown. */
export function judge(rule: Rule, fact: Fact | null, by: Judging): Judged {
  if (rule.condition !== undefined) {
    const met = evaluated(rule.condition, fact, by)
    if (met === undefined) return { reason: 'conditionFailed', picture: null }
    if (met.value !== true) return { reason: 'condition', picture: null }
  }
  const picture = pictureOf(rule, fact, by)
  return picture ? { reason: null, picture } : { reason: 'presetInvalid', picture: null }
}

/** Undefined when the preset cannot be shown with these values. */
export function pictureOf(
  { presetId, variableValues = {} }: Rule,
  fact: Fact | null,
  by: Judging,
): Picture | undefined {
  const shown = by.shows(presetId)
  if (!shown) return undefined
  const { graphic } = shown
  const values: Record<string, Picture['values'][string]> = {}
  for (const [name, given] of Object.entries(variableValues)) {
    const value = worth(given, fact, by)
    if (value === undefined) return undefined
    if (!isSlot(value) && wrongValue(graphic.variables.get(name), value) !== undefined) return undefined
    values[name] = value
  }
  return { presetId, graphicId: graphic.graphicId, graphicName: graphic.graphicName, values }
}

const isSlot = (value: Picture['values'][string]): value is { slot: string } =>
  typeof value === 'object' && value !== null

/** Undefined when its expression fails or makes what no variable can hold. */
function worth(given: RuleValue, fact: Fact | null, by: Judging): Picture['values'][string] | undefined {
  if (typeof given !== 'object' || given === null || 'slot' in given) return given
  const made = evaluated(given.expression, fact, by)
  return made && (typeof made.value !== 'object' || made.value === null)
    ? { value: made.value as Value }.value
    : undefined
}

/** Undefined when it fails, and when those before it took the time of all. */
function evaluated(source: string, fact: Fact | null, { data, watch }: Judging): { value: unknown } | undefined {
  if (watch.late()) return undefined
  try {
    return { value: expression(source).evaluate({ ...data, fact }) }
  } catch {
    return undefined
  }
}
