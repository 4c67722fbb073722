import { Button } from '../../ui/button.tsx'
import { LINEUPS } from '../../ui/conditions.ts'
import { segmentOf } from '../../ui/graphic-kind.ts'
import type { GraphicVersion, Preset, ThemeVersionList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { Draft } from './draft.ts'

type Props = {
  rule: Draft
  preset: Preset
  place: { themeId: number; graphics: ThemeVersionList['versions'][number]['graphics'] | undefined }
  onCondition: (condition: string) => void
}

/** The sides whose line-up a rule shows, by its values: both, where they name none. */
export function sidesShown(
  { variableValues = {} }: Pick<Draft, 'variableValues'>,
  preset: Pick<Preset, 'variableValues'>,
) {
  const values = Object.values({ ...preset.variableValues, ...variableValues })
  const named = (['home', 'away'] as const).filter((side) => values.includes(side))
  return named.length > 0 ? named : (['home', 'away'] as const)
}

/** Beside a rule whose graphic reads line-ups and that would come with empty ones, too: they are told by hand, and may be forgotten. */
export function LineupHint({ rule, preset, place: { themeId, graphics }, onCondition }: Props) {
  const { trigger, condition = '' } = rule
  // a card about a player may use line-ups for his number
  const isAsked = trigger.type !== 'fact' && !condition.includes('lineups')
  const graphic = isAsked ? graphics?.find(({ graphicId }) => graphicId === preset.graphicId) : undefined
  const version = useResource<GraphicVersion>(
    graphic && `/v2/themes/${themeId}/${segmentOf(graphic.type)}/${graphic.graphicId}/versions/${graphic.version}`,
  ).value
  const read: unknown = version?.stateMachine?.selectedSchemas
  if (!graphic || !Array.isArray(read) || !read.includes('lineups')) return null
  const sides = sidesShown(rule, preset)
  const sources = sides.map((side) => LINEUPS[side].source)
  const what = sides.length === 1 ? `the ${sides[0]} line-up has` : 'the line-ups have'
  return (
    <p className="notice plan-lineup-hint">
      <span>
        {preset.name} shows a line-up, and as long as nobody has told one it is on air <b>empty</b>.
      </span>{' '}
      <Button
        small
        onClick={() => onCondition([...(condition.trim() === '' ? [] : [condition.trim()]), ...sources].join(' && '))}
      >
        Only if {what} players
      </Button>
    </p>
  )
}
