import type { LivePlan } from '../live/state.ts'
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

/** The end of a rule's firing. `heldBy`: who holds its layer now, and so holds the rule back. */
export function worded(
  { outcome, reason, isSeen = true }: Pick<Told, 'outcome' | 'reason'> & { isSeen?: boolean },
  heldBy: string | null,
): string {
  if (outcome === 'fired') return isSeen ? 'shown' : 'fired'
  if (outcome === 'withdrawn' && reason === 'tooOld')
    return 'not shown after all: its time was over before it could be shown'
  if (outcome === 'withdrawn' && reason === null) return 'taken back: over, or its fact was corrected'
  const why = reason === 'held' && heldBy !== null ? `held ${holder(heldBy)}` : (REASONS[reason ?? ''] ?? reason)
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

/** The newest outcome, when it is one that an operator may want to do something about. */
export function alertOf(recent: readonly Told[]): Told | undefined {
  const [newest] = recent.filter(({ reason }) => reason === null || !MEANT.has(reason))
  return newest && newest.outcome !== 'fired' && newest.reason !== null ? newest : undefined
}
