import './themes.css'
import { Tabs } from '../../ui/tabs.tsx'
import { PageHead, Waiting } from '../parts.tsx'
import { navigate, useSearch } from '../router.tsx'
import type { Theme } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { GraphicsTab } from './graphics-tab.tsx'
import { ProfilesTab } from './profiles-tab.tsx'
import { RoomsTab } from './rooms-tab.tsx'
import { sportsOf } from './themes-view.tsx'
import { VariablesTab } from './variables-tab.tsx'
import { VersionsTab } from './versions-tab.tsx'

/** One theme, a part at a time; which one stands in the address. */
export function ThemeView({ params }: ViewProps) {
  const path = `/themes/${params.themeId}`
  const selected = useSearch().get('show') ?? 'versions'
  const { value: theme, error, reload } = useResource<Theme>(`/v2${path}`)
  if (!theme)
    return (
      <>
        <PageHead title="Theme" back={{ to: '/themes', title: 'Themes' }} />
        <Waiting error={error} reload={reload} />
      </>
    )
  const version = theme.activeVersion === null ? 'no active version' : `version ${theme.activeVersion} is active`
  return (
    <>
      <PageHead
        title={theme.name}
        back={{ to: '/themes', title: 'Themes' }}
        about={[version, sportsOf(theme.sports ?? [])].filter(Boolean).join(', ')}
      />
      <Tabs
        label="Parts of the theme"
        selected={selected}
        onSelect={(id) => navigate(`${path}?show=${id}`, { replace: true })}
        tabs={[
          { id: 'versions', title: 'Versions', content: <VersionsTab theme={theme} reload={reload} /> },
          { id: 'graphics', title: 'Graphics', content: <GraphicsTab theme={theme} reload={reload} /> },
          { id: 'variables', title: 'Variables', content: <VariablesTab themeId={theme.id} /> },
          { id: 'profiles', title: 'Profiles', content: <ProfilesTab themeId={theme.id} /> },
          { id: 'rooms', title: 'Control rooms', content: <RoomsTab themeId={theme.id} /> },
        ]}
      />
    </>
  )
}
