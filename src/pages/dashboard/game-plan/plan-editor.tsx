import { useCallback, useEffect, useMemo, useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Failure, PageHead } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useActiveGraphics } from '../rooms/use-graphics.ts'
import { Link, navigate, usePath, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Competition, MatchList, ScenarioList, ThemeProfile } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { Conflict } from '../worked-list/conflict.tsx'
import { LeaveGuard } from '../worked-list/leave-guard.tsx'
import { SaveBar } from '../worked-list/save-bar.tsx'
import { CannotRun, useProblems, useSavedFaults } from './cannot-run.tsx'
import type { GamePlan } from './draft.ts'
import { goTo } from './go-to.ts'
import { neverShown } from './lanes.ts'
import { PlayedBy, useOverlays } from './played-by.tsx'
import type { PlanPlace } from './rule-form.tsx'
import { RuleList } from './rule-list.tsx'
import { TryPanel } from './try-panel.tsx'
import { usePlan, type WorkedPlan } from './use-plan.ts'
import type { Presets } from './use-presets.ts'
import { useSimulation } from './use-simulation.ts'

type Props = {
  back: { to: string; title: string }
  competition: Competition
  profile: ThemeProfile
  plan: GamePlan
  reload: () => Promise<void>
  presets: Presets
  path: string
}

/** A plan to be worked at: its rules, and what they come to in a match. */
export function PlanEditor({ back, competition, profile, plan: read, reload, presets, path }: Props) {
  const mayChange = useMay('competitions:write')
  const plan = usePlan(path, read, reload)
  const problems = useProblems(path)
  const savedFaults = useSavedFaults(problems.value, read, plan.rules)
  const rereadProblems = problems.reload
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plan that is saved is the reason to ask again
  useEffect(() => void rereadProblems(), [read.updatedAt, rereadProblems])
  const { graphics } = useActiveGraphics(profile.themeId)
  const list = useResource<MatchList>(`/v1/matches?competitionId=${competition.id}&limit=100`)
  const matches = useMemo(
    () => [...(list.value?.matches ?? [])].sort((one, other) => other.date.localeCompare(one.date)),
    [list.value],
  )
  const place: PlanPlace = useMemo(
    () => ({
      ...{ competitionId: competition.id, sport: competition.sport },
      ...{ profileId: profile.id, themeId: profile.themeId },
      ...{ graphics, presets, matches },
    }),
    [competition.id, competition.sport, profile.id, profile.themeId, graphics, presets, matches],
  )
  const names = useMemo(() => ({ sport: competition.sport, presetName: presets.nameOf }), [competition.sport, presets])
  const [said, setSaid] = useState('')
  const announce = useCallback((text: string) => setSaid(text), [])
  const here = usePath()
  const selected = useSearch().get('show') ?? 'rules'
  const scenarios =
    useResource<ScenarioList>(`/v2/scenarios?sport=${competition.sport}&limit=100`).value?.scenarios ?? []
  const [chosen, setStage] = useState<string>()
  // a whole match, as long as nobody has chosen another
  const whole = scenarios.find(({ situation }) => situation === 'finished') ?? scenarios[0]
  const stage = chosen ?? (whole && `scenario:${whole.id}`)
  const { simulated, error } = useSimulation(path, plan.rules, mayChange ? stage : undefined, plan.checked)
  const never = useMemo(() => neverShown(simulated?.timeline ?? [], plan.rules), [simulated, plan.rules])
  const overlays = useOverlays(profile.id)
  return (
    <>
      <PageHead
        title={`Game plan: ${competition.name}`}
        back={back}
        about={`Profile ${profile.name}, ${worded(competition.sport).toLowerCase()}. Overlays of it that are automatic play the plan`}
      >
        <Link className="button" to={`/sponsor-slots/${competition.id}/${profile.id}`}>
          Sponsor slots
        </Link>
      </PageHead>
      <RoleLimit scope="competitions:write" />
      <Conflict
        what={{ whole: 'this plan', one: 'rule' }}
        foreign={plan.foreign}
        onMerge={plan.merge}
        onTakeTheirs={plan.takeTheirs}
      />
      <Failure error={plan.error} />
      {plan.others.map((text) => (
        <p className="notice notice-bad" role="alert" key={text}>
          {text}
        </p>
      ))}
      <CannotRun
        problems={(problems.value?.problems ?? []).filter(({ ruleId }) => savedFaults[ruleId])}
        onShow={() => {
          navigate(`${here}?show=rules`, { replace: true })
          goTo(plan.rules.find(({ id }) => savedFaults[id])?.id, { opens: true })
        }}
      />
      <Tabs
        label="Parts of the plan"
        selected={mayChange ? selected : 'rules'}
        onSelect={(id) => navigate(`${here}?show=${id}`, { replace: true })}
        tabs={[
          {
            id: 'rules',
            title: `Rules (${plan.rules.length})`,
            content: (
              <RuleList
                plan={plan}
                savedFaults={savedFaults}
                never={never}
                place={place}
                names={names}
                mayChange={mayChange}
                announce={announce}
              />
            ),
          },
          ...(mayChange
            ? [
                {
                  id: 'try',
                  title: 'Try it out',
                  content: (
                    <TryPanel
                      rules={plan.rules}
                      place={place}
                      profile={profile}
                      scenarios={scenarios}
                      stage={stage}
                      onStage={setStage}
                      simulated={simulated}
                      never={never}
                      error={error}
                    />
                  ),
                },
              ]
            : []),
        ]}
      />
      {overlays.value && <PlayedBy overlays={overlays.value} reload={overlays.reload} />}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {mayChange && (
        <Unsaved
          plan={plan}
          isPlayed={overlays.value?.some(({ autoMode }) => autoMode) ?? true}
          never={[...never.values()].map(({ name }) => name)}
        />
      )}
      {mayChange && (
        <LeaveGuard
          isDirty={plan.isDirty}
          about="The plan has changes that are not saved. Overlays play it as it was saved last."
          save={plan.save}
        />
      )}
    </>
  )
}

/** Changes that are not saved yet, and what is missing to save them. */
function Unsaved({ plan, isPlayed, never }: { plan: WorkedPlan; isPlayed: boolean; never: readonly string[] }) {
  const { isDirty, busy, faults, rules } = plan
  const wrong = rules.filter(({ id }) => faults[id]).length
  // the field itself may be below this bar
  const [firstFault] = rules.flatMap(({ id }) => Object.values(faults[id] ?? {}))
  const gaps = rules.filter(({ presetId }) => presetId === null).length
  const showFirst = () => goTo(rules.find(({ id, presetId }) => faults[id] || presetId === null)?.id, { opens: true })
  const said = [
    gaps > 0 && `${gaps} ${gaps === 1 ? 'rule has' : 'rules have'} no preset yet.`,
    wrong > gaps && `${wrong} ${wrong === 1 ? 'rule needs' : 'rules need'} a look: ${firstFault}.`,
  ]
  return (
    <SaveBar
      isDirty={isDirty}
      isSaved={plan.isSaved}
      saved={[
        isPlayed
          ? 'Saved. Automatic overlays play it from now on.'
          : 'Saved. No overlay plays it yet: switch one to automatic below.',
        ...(never.length > 0 ? [`In the match that it is tried on, never shown: ${never.join(', ')}.`] : []),
      ].join(' ')}
      busy={busy}
      said={said.filter(Boolean).join(' ')}
      label="Save the plan"
      onDiscard={plan.discard}
      onSave={plan.save}
    >
      {(gaps > 0 || wrong > 0) && (
        <Button small onClick={showFirst}>
          Show the first
        </Button>
      )}
      {gaps > 0 && (
        <Button
          small
          onClick={() =>
            plan.step({ type: 'remove', ids: rules.filter(({ presetId }) => presetId === null).map(({ id }) => id) })
          }
        >
          Remove those without a preset
        </Button>
      )}
    </SaveBar>
  )
}
