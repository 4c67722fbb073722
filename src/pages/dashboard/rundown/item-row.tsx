import { useId } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DragHandle } from '../../ui/drag-handle.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Ordering } from '../../ui/use-ordering.ts'
import { Editor } from '../../ui/value-editor.tsx'
import { DurationField } from '../game-plan/duration-field.tsx'
import { Waiting } from '../parts.tsx'
import { namesBrands, namesOfMatch, useChoices } from '../rooms/use-choices.ts'
import { useVariables } from '../rooms/use-graphics.ts'
import type { Match, RoomDetail, ThemeVersionList } from '../shapes.ts'
import { type FieldFaults, saidAt } from '../worked-list/faults.ts'
import type { DraftItem } from './draft.ts'

type Props = {
  item: DraftItem
  name: string
  number: number
  of: number
  /** Where the rundown is. */
  at: 'cued' | 'taken' | undefined
  room: RoomDetail
  /** The graphics of the active version of the theme. */
  graphics: ThemeVersionList['versions'][number]['graphics'] | undefined
  match: Match
  profileId: number | undefined
  faults: FieldFaults | undefined
  /** Why it cannot be shown as it is saved. */
  problem: string | undefined
  mayChange: boolean
  isOpen: boolean
  handle: ReturnType<Ordering['handleOf']>
  isDragged: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (change: Partial<DraftItem>) => void
  onDuplicate: () => void
  onRemove: () => void
}

const AT = { cued: <Badge tone="good">Next</Badge>, taken: <Badge tone="air">Taken last</Badge> }

/** One item of a rundown; open, its parts are inputs. */
export function ItemRow(props: Props) {
  const { item, name, number, of, at, room, faults, problem, mayChange, isOpen, isDragged, onOpen } = props
  const id = useId()
  const preset = room.presets.find((one) => one.id === item.presetId)
  const said = [...new Set(Object.values(faults ?? {}))]
  const told = said.length > 0 ? said : problem === undefined ? [] : [problem]
  const classes = ['rundown-item', isOpen && 'rundown-item-open', isDragged && 'rundown-item-dragged']
  return (
    <li className={classes.filter(Boolean).join(' ')} data-id={item.id}>
      <div className="rundown-item-head">
        {mayChange && (
          <DragHandle name={name} place={`${number} of ${of}`} hint="rundown-order-hint" handle={props.handle} />
        )}
        <span className="rundown-item-number tabular">{number}</span>
        <button
          type="button"
          className="rundown-item-face"
          aria-expanded={isOpen}
          aria-controls={`${id}-form`}
          disabled={!mayChange}
          onClick={() => onOpen(!isOpen)}
        >
          <span className="rundown-item-name">{name}</span>
          <span className="rundown-item-about">{aboutOf(item, preset?.name)}</span>
        </button>
        {at && AT[at]}
        {mayChange && (
          <ActionMenu
            of={name}
            actions={[
              { title: isOpen ? 'Close' : 'Change', onSelect: () => onOpen(!isOpen) },
              { title: 'Duplicate', onSelect: props.onDuplicate },
              { title: 'Remove', onSelect: props.onRemove, danger: true },
            ]}
          />
        )}
      </div>
      {told.length > 0 && (
        <p className="field-error rundown-item-fault" role="alert">
          {told.map((text) => text.charAt(0).toUpperCase() + text.slice(1)).join('. ')}.
        </p>
      )}
      <div id={`${id}-form`} hidden={!isOpen}>
        {isOpen && <Form {...props} preset={preset} />}
      </div>
    </li>
  )
}

/** The preset, values and times of an item in words, beside its name. */
function aboutOf({ name, variableValues = {}, durationSeconds, untilNext }: DraftItem, presetName: string | undefined) {
  const values = Object.values(variableValues).filter((value) => typeof value === 'string' && value !== '')
  return [
    name.trim() !== '' && presetName,
    ...values,
    durationSeconds !== undefined && `off after ${durationSeconds} s`,
    untilNext && 'off with the next',
  ]
    .filter(Boolean)
    .join(' · ')
}

type FormProps = Props & { preset: RoomDetail['presets'][number] | undefined }

function Form({ item, preset, faults, onChange, onOpen, ...place }: FormProps) {
  return (
    <div className="rundown-form">
      <div className="rundown-fields">
        <TextField
          label="Name in the rundown"
          maxLength={80}
          placeholder={preset?.name ?? ''}
          value={item.name}
          error={saidAt(faults, 'name')}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <Field label="Off by itself">
          {(field) => (
            <select
              {...field}
              className="input"
              value={item.durationSeconds === undefined ? 'stays' : 'timed'}
              onChange={({ target }) => onChange({ durationSeconds: target.value === 'timed' ? 10 : undefined })}
            >
              <option value="stays">it stays</option>
              <option value="timed">after a time</option>
            </select>
          )}
        </Field>
        {item.durationSeconds !== undefined && (
          <div className="field">
            <span className="field-label">After</span>
            <DurationField
              label="On air for"
              value={item.durationSeconds}
              min={1}
              max={3_600}
              onChange={(durationSeconds) => onChange({ durationSeconds })}
            />
          </div>
        )}
        <Switch
          label="Off with the next"
          hint="It goes off air when the next item is taken"
          checked={item.untilNext}
          onChange={(untilNext) => onChange({ untilNext })}
        />
      </div>
      {preset && <Values item={item} preset={preset} faults={faults} onChange={onChange} {...place} />}
      <div className="form-actions">
        <Button small onClick={() => onOpen(false)}>
          Close
        </Button>
      </div>
    </div>
  )
}

type ValuesProps = Pick<Props, 'item' | 'room' | 'graphics' | 'match' | 'profileId' | 'faults' | 'onChange'> & {
  preset: RoomDetail['presets'][number]
}

/** What the preset shows in this item. */
function Values({ item, preset, room, graphics, match, profileId, faults, onChange }: ValuesProps) {
  const graphic = graphics?.find(({ graphicId }) => graphicId === preset.graphicId)
  const { variables, error, reload } = useVariables(room.themeId, graphic)
  const needsMatch = variables !== undefined && namesOfMatch(variables)
  const needsBrands = variables !== undefined && namesBrands(variables)
  const { competitionId } = match
  const slotsOf = { competitionId, ...(profileId !== undefined && { profileId }) }
  const choices = useChoices(needsMatch ? match.id : undefined, needsBrands ? slotsOf : undefined)
  if (graphics && !graphic)
    return <p className="notice notice-bad">The active version of the theme has no {preset.graphicName} any more.</p>
  if (!variables) return <Waiting error={error} reload={reload} />
  const own = item.variableValues ?? {}
  const without = (name: string) => {
    const { [name]: _, ...others } = own
    return others
  }
  return (
    <div className="rundown-values">
      {variables.map((variable) => {
        const { name, type, defaultValue } = variable
        const said = saidAt(faults, `variableValues.${name}`)
        return (
          <div key={name}>
            <Editor
              variable={variable}
              value={own[name] ?? preset.variableValues[name] ?? defaultValue ?? null}
              choices={choices[type] ?? []}
              changed={name in own}
              back="As the preset has it"
              onChange={(value) => onChange({ variableValues: { ...own, [name]: value } })}
              onReset={() => onChange({ variableValues: without(name) })}
            />
            {said && (
              <p className="field-error" role="alert">
                {said}
              </p>
            )}
          </div>
        )
      })}
    </div>
  )
}
