import { worded } from '../../../schema/worded.ts'
import type { ControlVariable, GraphicVersion, ThemeVersionList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

export type Variable = ControlVariable & { label: string }

/** The graphics of the active version of a theme; undefined while they are read. */
export function useActiveGraphics(themeId: number) {
  const { value, error, reload } = useResource<ThemeVersionList>(`/v2/themes/${themeId}/versions?limit=1000`)
  const active = value?.versions.find((version) => version.active)
  return { version: active?.version, graphics: value && (active?.graphics ?? []), error, reload }
}

type Pinned = ThemeVersionList['versions'][number]['graphics'][number]

/** The control variables of a graphic as a theme version pins it; undefined while they are read. */
export function useVariables(themeId: number, graphic: Pinned | undefined) {
  const kind = graphic?.type === 'rive' ? 'motion-graphics' : 'code-graphics'
  const { value, error, reload } = useResource<GraphicVersion>(
    graphic && `/v2/themes/${themeId}/${kind}/${graphic.graphicId}/versions/${graphic.version}`,
  )
  const variables = value && ((value.stateMachine.controlVariables ?? []) as ControlVariable[])
  return {
    variables: variables?.map((variable): Variable => ({ ...variable, label: worded(variable.name) })),
    error,
    reload,
  }
}
