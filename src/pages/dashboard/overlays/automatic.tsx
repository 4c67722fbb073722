import { Panel } from '../../ui/panel.tsx'
import { Switch } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { PlanWarning } from '../game-plan/cannot-run.tsx'
import type { GamePlan } from '../game-plan/draft.ts'
import { Failure } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Match, Overlay } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

/** Whether the game plan of the profile shows graphics by itself, and the way to that plan. */
export function Automatic({
  overlay,
  match,
  mayWrite,
  onSaved,
}: {
  overlay: Overlay
  match: Match | undefined
  mayWrite: boolean
  onSaved: () => Promise<void>
}) {
  const { id, autoMode, competitionThemeSettingId: profileId } = overlay
  const competitionId = match?.competitionId
  const known = match !== undefined && profileId != null
  const plan = useResource<GamePlan>(
    known ? `/v2/competitions/${competitionId}/theme-profiles/${profileId}/game-plan` : undefined,
  ).value
  const turn = useCommand(async (on: boolean, key) => {
    await api('PATCH', `/v2/overlays/${id}`, { body: { autoMode: on }, key })
    await onSaved()
  })
  const rules = plan?.rules.filter(({ enabled }) => enabled).length
  return (
    <Panel title="Automatic">
      <div className="stack">
        <Switch
          label="Graphics by themselves"
          hint="The game plan shows and hides them. Whatever an operator does goes first"
          checked={autoMode === true}
          disabled={!mayWrite || turn.busy}
          onChange={(on) => void turn.run(on)}
        />
        <Failure error={turn.error} />
        {rules === 0 && <p className="field-hint">The game plan has no rules yet, so nothing would be shown.</p>}
        {known && autoMode === true && <PlanWarning match={match} profileId={profileId} />}
        {known && (
          <p>
            <Link className="button" to={`/game-plans/${competitionId}/${profileId}`}>
              {rules === undefined || rules === 0 ? 'Open the game plan' : `Open the game plan (${rules} rules)`}
            </Link>
          </p>
        )}
      </div>
    </Panel>
  )
}
