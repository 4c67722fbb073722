import './cannot-run.css'
import { useMemo } from 'react'
import { Button } from '../../ui/button.tsx'
import { Link } from '../router.tsx'
import type { GamePlanProblems } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { Faults } from '../worked-list/faults.ts'
import { type Draft, type GamePlan, isSame } from './draft.ts'

type Problem = GamePlanProblems['problems'][number]

/** What of a saved plan cannot run any more. `plan`: its path in the API; undefined asks nothing. */
export const useProblems = (plan: string | undefined) =>
  useResource<GamePlanProblems>(plan === undefined ? undefined : `${plan}/problems`)

/** The names of rules that are on and cannot run, each once. */
const namesOf = (problems: readonly Problem[]) => [
  ...new Map(problems.filter(({ enabled }) => enabled).map(({ ruleId, name }) => [ruleId, name])).values(),
]

const NAMED = 3

/** “2 rules cannot run any more: Goal scorer, Sponsor”; undefined when all of them can. */
export function cannotRunWords(problems: readonly Problem[]): string | undefined {
  const names = namesOf(problems)
  if (names.length === 0) return undefined
  const more = names.length - NAMED
  const listed = [...names.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${names.length === 1 ? 'A rule' : `${names.length} rules`} cannot run any more: ${listed}`
}

/** At the rules as they are saved: what is changed here is checked as it is changed. */
export function useSavedFaults(
  told: GamePlanProblems | undefined,
  { rules: saved }: GamePlan,
  rules: readonly Draft[],
): Faults {
  return useMemo(() => {
    const faults: Record<string, Record<string, string>> = {}
    for (const { ruleId, field, message } of told?.problems ?? []) {
      const [rule, stored] = [rules, saved].map((list: readonly Draft[]) => list.find(({ id }) => id === ruleId))
      if (rule && stored && isSame(rule, stored)) faults[ruleId] = { ...faults[ruleId], [field]: message }
    }
    return faults
  }, [told, saved, rules])
}

/** Told above the rules. `onShow` goes to the first of them. */
export function CannotRun({ problems, onShow }: { problems: readonly Problem[]; onShow: () => void }) {
  const words = cannotRunWords(problems)
  if (words === undefined) return null
  return (
    <div className="notice notice-bad plan-cannot" role="alert">
      <p>
        <b>{words}.</b> In a match {namesOf(problems).length === 1 ? 'it is' : 'they are'} passed over, and all others
        go on.
      </p>
      <Button small onClick={onShow}>
        Show the first
      </Button>
    </div>
  )
}

/** Where an overlay is looked at before its match: nothing when each rule of its plan can run. */
export function PlanWarning({ competitionId, profileId }: { competitionId: number; profileId: number }) {
  const { value } = useProblems(`/v2/competitions/${competitionId}/theme-profiles/${profileId}/game-plan`)
  const words = cannotRunWords(value?.problems ?? [])
  if (words === undefined) return null
  return (
    <p className="notice notice-bad plan-warning">
      <span>{words}.</span> <Link to={`/game-plans/${competitionId}/${profileId}`}>Look at the game plan</Link>
    </p>
  )
}
