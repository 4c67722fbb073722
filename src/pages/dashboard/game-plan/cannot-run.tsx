import './cannot-run.css'
import { useMemo } from 'react'
import { Button } from '../../ui/button.tsx'
import { lineupsNeeded } from '../../ui/conditions.ts'
import { Link } from '../router.tsx'
import type { GamePlanProblems, Match, MatchLineup } from '../shapes.ts'
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
export function PlanWarning({ match, profileId }: { match: WarnedMatch; profileId: number }) {
  const { competitionId } = match
  const path = `/v2/competitions/${competitionId}/theme-profiles/${profileId}/game-plan`
  const { value } = useProblems(path)
  const plan = useResource<GamePlan>(path).value
  const lineups = useResource<MatchLineup>(
    match.state === 'scheduled' ? `/v1/matches/${match.id}/lineup` : undefined,
  ).value
  const words = [cannotRunWords(value?.problems ?? []), ...emptyLineupWords(plan?.rules ?? [], match, lineups)]
  const link = <Link to={`/game-plans/${competitionId}/${profileId}`}>Look at the game plan</Link>
  return words.map(
    (text, index) =>
      text !== undefined && (
        <p className="notice notice-bad plan-warning" key={text}>
          <span>{text}.</span> {index === 0 && link}
        </p>
      ),
  )
}

type WarnedMatch = Pick<Match, 'id' | 'competitionId' | 'state' | 'homeTeam' | 'awayTeam'>

/** `The line-up of Norrvik has no players yet. Until it has, this is not shown: Home line-up`: for each side of which a rule that is on shows it. */
export function emptyLineupWords(
  rules: GamePlan['rules'],
  { homeTeam, awayTeam }: Pick<Match, 'homeTeam' | 'awayTeam'>,
  lineups: MatchLineup | undefined,
): string[] {
  const sides = [
    { side: 'home', team: homeTeam },
    { side: 'away', team: awayTeam },
  ] as const
  return sides.flatMap(({ side, team }) => {
    const lineup = lineups?.lineups.find(({ teamId }) => teamId === team?.id)
    const waiting = rules.filter(({ enabled, condition }) => enabled && lineupsNeeded(condition).includes(side))
    if (!team || !lineup || lineup.players.length > 0 || waiting.length === 0) return []
    const names = waiting.map(({ name }) => name).join(', ')
    return [`The line-up of ${team.name} has no players yet. Until it has, this is not shown: ${names}`]
  })
}
