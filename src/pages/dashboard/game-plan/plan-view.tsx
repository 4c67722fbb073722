import './game-plan.css'
import { PageHead, Waiting } from '../parts.tsx'
import type { Competition, ThemeProfile } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import type { GamePlan } from './draft.ts'
import { PlanEditor } from './plan-editor.tsx'
import { usePresets } from './use-presets.ts'

const BACK = { to: '/game-plans', title: 'Game plans' }

/** The graphics that overlays of a profile show by themselves: its rules as sentences, and their time line in a match. */
export function PlanView({ params: { competitionId, profileId } }: ViewProps) {
  const profilePath = `/v2/competitions/${competitionId}/theme-profiles/${profileId}`
  const competition = useResource<Competition>(`/v1/competitions/${competitionId}`)
  const profile = useResource<ThemeProfile>(profilePath)
  const plan = useResource<GamePlan>(`${profilePath}/game-plan`)
  const { presets, error, reload } = usePresets(profile.value?.themeId, profile.value?.defaultControlRoomId)
  if (!competition.value || !profile.value || !plan.value || !presets)
    return (
      <>
        <PageHead title="Game plan" back={BACK} />
        <Waiting
          error={competition.error ?? profile.error ?? plan.error ?? error}
          reload={() => Promise.all([competition.reload(), profile.reload(), plan.reload(), reload()])}
        />
      </>
    )
  return (
    <PlanEditor
      key={profile.value.id}
      back={BACK}
      competition={competition.value}
      profile={profile.value}
      plan={plan.value}
      reload={plan.reload}
      presets={presets}
      path={`${profilePath}/game-plan`}
    />
  )
}
