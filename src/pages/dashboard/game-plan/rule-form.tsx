import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { matchName } from '../match-names.ts'
import { Waiting } from '../parts.tsx'
import { namesBrands, namesOfMatch, useChoices } from '../rooms/use-choices.ts'
import { useVariables } from '../rooms/use-graphics.ts'
import type { Match, ThemeVersionList } from '../shapes.ts'
import { type FieldFaults, saidAt } from '../worked-list/faults.ts'
import type { Draft } from './draft.ts'
import { isFolded } from './faults.ts'
import { LineupHint } from './lineup-hint.tsx'
import { MoreFields } from './more-fields.tsx'
import { ShowFields } from './show-fields.tsx'
import { TriggerFields } from './trigger-fields.tsx'
import type { Presets } from './use-presets.ts'
import { ValueFields } from './value-fields.tsx'
import { factWord } from './words.ts'

export type PlanPlace = {
  sport: string
  competitionId: number
  /** The profile whose plan it is. */
  profileId: number
  themeId: number
  /** The graphics of the active version of the theme. */
  graphics: ThemeVersionList['versions'][number]['graphics'] | undefined
  presets: Presets
  /** Matches of the competition, to choose players and teams from. */
  matches: readonly Match[]
}

type Props = {
  rule: Draft
  place: PlanPlace
  layers: readonly string[]
  faults: FieldFaults | undefined
  /** The match that the plan is tried on never shows it: it may be its values that are missing. */
  isNeverShown: boolean
  onChange: (change: Partial<Draft>) => void
  onClose: () => void
}

/** The parts of a rule as inputs; those that few rules need are folded away. */
export function RuleForm({ rule, place, layers, faults, isNeverShown, onChange, onClose }: Props) {
  const preset = rule.presetId === null ? undefined : place.presets.find(rule.presetId)
  const isSpecial = rule.condition !== undefined
  const said = (field: string) => saidAt(faults, field)
  const types = rule.trigger.type === 'fact' ? rule.trigger.factTypes : []
  const triggerFault = saidAt(faults, 'trigger', (index) => types[index] && factWord(types[index]))
  const lines = [triggerFault, said('presetId'), said('end'), said('delaySeconds'), faults?.['']]
  return (
    <div className="plan-form">
      <div className="plan-inputs">
        <TriggerFields
          trigger={rule.trigger}
          sport={place.sport}
          invalid={triggerFault !== undefined}
          onChange={(trigger) => onChange({ trigger })}
        />
      </div>
      <div className="plan-inputs">
        <ShowFields
          rule={rule}
          groups={place.presets.groups}
          invalid={(field) => said(field) !== undefined}
          onChange={onChange}
        />
      </div>
      {lines.map(
        (line) =>
          line && (
            <p className="field-error" role="alert" key={line}>
              {line}
            </p>
          ),
      )}
      {preset && (
        <LineupHint rule={rule} preset={preset} place={place} onCondition={(condition) => onChange({ condition })} />
      )}
      {preset && (
        <Fold
          title={`What ${preset.name} shows`}
          about={Object.keys(rule.variableValues ?? {}).join(', ') || 'as the preset has it'}
          begins={isNeverShown}
          isWrong={said('variableValues') !== undefined}
        >
          <Values rule={rule} place={place} faults={faults} onChange={onChange} />
        </Fold>
      )}
      <Fold
        title="More"
        about="only if, how often, priority, layer, name"
        begins={isSpecial}
        isWrong={isFolded(faults)}
      >
        <MoreFields rule={rule} graphic={preset?.graphicName} layers={layers} faults={faults} onChange={onChange} />
      </Fold>
      <div className="form-actions">
        <Button small onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  )
}

/** A part of the form that an editor opens, or a fault in it. */
function Fold({
  title,
  about,
  begins,
  isWrong,
  children,
}: {
  title: string
  about: string
  /** Whether it is open at first. */
  begins: boolean
  isWrong: boolean
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(begins)
  return (
    <details
      className="plan-fold"
      open={isOpen || isWrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {title} <span className="cell-about">{about}</span>
      </summary>
      {(isOpen || isWrong) && children}
    </details>
  )
}

function Values({ rule, place, faults, onChange }: Omit<Props, 'layers' | 'isNeverShown' | 'onClose'>) {
  const { competitionId, profileId, themeId, graphics, presets, matches } = place
  const preset = rule.presetId === null ? undefined : presets.find(rule.presetId)
  const graphic = graphics?.find(({ graphicId }) => graphicId === preset?.graphicId)
  const { variables, error, reload } = useVariables(themeId, graphic)
  const [chosen, setChosen] = useState<number>()
  const matchId = chosen ?? matches[0]?.id
  const needsMatch = variables !== undefined && namesOfMatch(variables)
  const needsBrands = variables !== undefined && namesBrands(variables)
  const choices = useChoices(needsMatch ? matchId : undefined, needsBrands ? { competitionId, profileId } : undefined)
  if (!preset) return null
  if (graphics && !graphic)
    return <p className="notice notice-bad">The active version of the theme has no {preset.graphicName} any more.</p>
  if (!variables) return <Waiting error={error} reload={reload} />
  return (
    <>
      {needsMatch && matches.length > 1 && (
        <label className="plan-match">
          <span className="field-hint">Players and teams of</span>
          <select
            className="input input-auto"
            value={matchId ?? ''}
            onChange={({ target }) => setChosen(Number(target.value))}
          >
            {matches.map((match) => (
              <option key={match.id} value={match.id}>
                {matchName(match)}
              </option>
            ))}
          </select>
        </label>
      )}
      <ValueFields
        rule={rule}
        preset={preset}
        variables={variables}
        choices={choices}
        slotsPath={`/sponsor-slots/${competitionId}/${profileId}`}
        faults={faults}
        onChange={(variableValues) => onChange({ variableValues })}
      />
    </>
  )
}
