import './sponsor-slots.css'
import type { GamePlan } from '../game-plan/draft.ts'
import { usePresets } from '../game-plan/use-presets.ts'
import { PageHead, Waiting } from '../parts.tsx'
import type { BrandList, Competition, SponsorSlots, ThemeProfile } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { SlotsEditor } from './slots-editor.tsx'

const BACK = { to: '/brands?show=slots', title: 'Brands' }

/** The sponsor slots of a theme profile: places in graphics whose time several brands share. */
export function SlotsView({ params: { competitionId, profileId } }: ViewProps) {
  const path = `/v2/competitions/${competitionId}/theme-profiles/${profileId}`
  const competition = useResource<Competition>(`/v1/competitions/${competitionId}`)
  const profile = useResource<ThemeProfile>(path)
  const slots = useResource<SponsorSlots>(`${path}/sponsor-slots`)
  const brands = useResource<BrandList>('/v2/brands?limit=1000')
  const plan = useResource<GamePlan>(`${path}/game-plan`)
  const { presets } = usePresets(profile.value?.themeId, profile.value?.defaultControlRoomId)
  if (!competition.value || !profile.value || !slots.value || !brands.value)
    return (
      <>
        <PageHead title="Sponsor slots" back={BACK} />
        <Waiting
          error={competition.error ?? profile.error ?? slots.error ?? brands.error}
          reload={() => Promise.all([competition.reload(), profile.reload(), slots.reload(), brands.reload()])}
        />
      </>
    )
  return (
    <SlotsEditor
      key={profile.value.id}
      back={BACK}
      competition={competition.value}
      profile={profile.value}
      brands={brands.value.brands}
      read={slots.value}
      reload={slots.reload}
      path={`${path}/sponsor-slots`}
      presets={presets?.groups.flatMap((group) => group.presets) ?? []}
      rules={plan.value?.rules ?? []}
    />
  )
}
