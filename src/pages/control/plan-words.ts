import type { LivePlan } from '../live/state.ts'
import { lineupsNeeded, unmetWords } from '../ui/conditions.ts'
import type { Rule } from './model.ts'
import type { PlanLayer } from './plan-layers.ts'

type Told = LivePlan['recent'][number]

/** Several alike in a row are one, as of the newest. `isSeen` false: one that fired and was left out after all. */
export type Outcome = Told & { readonly times: number; readonly isSeen: boolean }

/** Why a rule did not fire, as people say it who have not read the plan. */
const REASONS: Readonly<Record<string, string>> = {
  held: 'its layer was held',
  paused: 'the plan was paused',
  priority: 'another graphic had priority',
  cooldown: 'too soon after the last time',
  once: 'it comes once per match',
  every: 'not its turn yet',
  tooOld: 'it was told too late',
  condition: 'its condition was not met',
  conditionFailed: 'its condition could not be worked out',
  noBrands: 'this overlay shows no brands',
  noBrand: 'no sponsor is due',
  presetInvalid: 'its graphic cannot be shown',
  disabled: 'it is switched off in the plan',
  autoModeOff: 'automatic was switched off',
}

/** Those that the plan means: nobody has to do anything about them. */
const MEANT: ReadonlySet<string> = new Set(['every', 'once', 'cooldown', 'condition', 'disabled', 'autoModeOff'])

/** The operator who has taken a layer by hand, in the middle of a sentence. */
export const holder = (heldBy: string) => (heldBy === 'Control room' ? 'from a control room page' : `by ${heldBy}`)

/** What stands behind an outcome: who holds the layer of the rule now, and so holds it back, and the condition of the rule. */
export type Behind = { heldBy: string | null; condition: string | null }

/** What stands behind an outcome of this rule. */
export const behind = (
  ruleId: string,
  { layers, rules }: { layers: readonly PlanLayer[]; rules: readonly Rule[] },
) => ({
  heldBy: holderOf(ruleId, layers),
  condition: rules.find(({ id }) => id === ruleId)?.condition ?? null,
})

/** The end of a rule's firing. */
export function worded(
  { outcome, reason, isSeen = true }: Pick<Told, 'outcome' | 'reason'> & { isSeen?: boolean },
  { heldBy, condition }: Behind,
): string {
  if (outcome === 'fired') return isSeen ? 'shown' : 'fired'
  if (outcome === 'withdrawn' && reason === 'tooOld')
    return 'not shown after all: its time was over before it could be shown'
  if (outcome === 'withdrawn' && reason === null) return 'taken back: over, or its fact was corrected'
  const why =
    reason === 'held' && heldBy !== null
      ? `held ${holder(heldBy)}`
      : (reason === 'condition' && unmetWords(condition ?? '')) || (REASONS[reason ?? ''] ?? reason)
  return `${outcome === 'withdrawn' ? 'taken back' : 'not shown'}: ${why}`
}

/** The operator who holds the layer of a rule; null: nobody. */
export const holderOf = (ruleId: string, layers: readonly PlanLayer[]): string | null =>
  layers.find(({ rules }) => rules.some(({ id }) => id === ruleId))?.heldBy ?? null

const isAlike = (one: Outcome, other: Omit<Outcome, 'times'>) =>
  one.ruleId === other.ruleId &&
  one.outcome === other.outcome &&
  one.reason === other.reason &&
  one.isSeen === other.isSeen

/** Newest first. */
export function outcomesOf(recent: readonly Told[]): Outcome[] {
  const outcomes: Outcome[] = []
  const leftOut = new Set<string>()
  for (const told of recent) {
    const { outcome, reason, ruleId, factId } = told
    const firing = `${ruleId} ${factId}`
    if (outcome === 'withdrawn' && reason === 'tooOld') leftOut.add(firing)
    const one = { ...told, isSeen: !(outcome === 'fired' && leftOut.delete(firing)) }
    const last = outcomes.at(-1)
    if (last && isAlike(last, one)) outcomes[outcomes.length - 1] = { ...last, times: last.times + 1 }
    else outcomes.push({ ...one, times: 1 })
  }
  return outcomes
}

/** The newest outcome, when it is one that an operator may want to do something about, such as a line-up that nobody has told. */
export function alertOf(recent: readonly Told[], rules: readonly Pick<Rule, 'id' | 'condition'>[]): Told | undefined {
  const isMeant = ({ ruleId, reason }: Told) =>
    MEANT.has(reason ?? '') &&
    !(reason === 'condition' && lineupsNeeded(rules.find(({ id }) => id === ruleId)?.condition).length > 0)
  const [newest] = recent.filter((told) => !isMeant(told))
  return newest && newest.outcome !== 'fired' && newest.reason !== null ? newest : undefined
}
