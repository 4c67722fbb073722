import { worded } from '../../../schema/worded.ts'
import { segmentOf } from '../../ui/graphic-kind.ts'
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

/** The control variables of a published version, of whatever kind. */
export const variablesIn = ({ controlVariables, stateMachine }: GraphicVersion): readonly ControlVariable[] =>
  (controlVariables ?? stateMachine?.controlVariables ?? []) as ControlVariable[]

/** The control variables of a graphic as a theme version pins it; undefined while they are read. */
export function useVariables(themeId: number, graphic: Pinned | undefined) {
  const kind = segmentOf(graphic?.type ?? '')
  const { value, error, reload } = useResource<GraphicVersion>(
    graphic && `/v2/themes/${themeId}/${kind}/${graphic.graphicId}/versions/${graphic.version}`,
  )
  const variables = value && variablesIn(value)
  return {
    variables: variables?.map(
      (variable): Variable => ({ ...variable, label: variable.title ?? worded(variable.name) }),
    ),
    error,
    reload,
  }
}
