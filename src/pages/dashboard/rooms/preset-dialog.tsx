import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import type { Value } from '../../ui/value-editor.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { matchName, useMatches } from '../match-names.ts'
import { Waiting } from '../parts.tsx'
import type { Preset, RoomDetail } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { PresetValues } from './preset-values.tsx'
import { namesBrands, namesOfMatch, useChoices } from './use-choices.ts'
import { useActiveGraphics, useVariables } from './use-graphics.ts'

type Props = {
  room: RoomDetail
  sectionId: string
  /** The one to change; a new one without. */
  preset?: Preset
  onClose: () => void
  reload: () => Promise<void>
}

/** Makes a preset from a graphic of the active version, or changes one: its name, place, values and exposed variables. */
export function PresetDialog({ room, sectionId, preset, onClose, reload }: Props) {
  const [graphicId, setGraphicId] = useState(preset?.graphicId ?? '')
  const [name, setName] = useState(preset?.name ?? '')
  const [section, setSection] = useState(sectionId)
  const [values, setValues] = useState<Readonly<Record<string, Value>>>(preset?.variableValues ?? {})
  /** Undefined: all of them. */
  const [exposed, setExposed] = useState<readonly string[] | undefined>(preset?.exposedVariables)

  const { graphics, version, error, reload: again } = useActiveGraphics(room.themeId)
  const graphic = graphics?.find((one) => one.graphicId === graphicId)
  const read = useVariables(room.themeId, graphic)
  const variables = read.variables ?? []
  const names = variables.map((variable) => variable.name)
  const [matchId, setMatchId, matches] = useMatchToChooseFrom(room)
  const isOfMatch = namesOfMatch(variables) || namesBrands(variables)
  const competitionId = matches.find(({ id }) => id === matchId)?.competitionId
  const choices = useChoices(
    namesOfMatch(variables) ? matchId : undefined,
    namesBrands(variables) ? { competitionId, themeId: room.themeId } : undefined,
  )

  const path = `/v2/control-rooms/${room.id}/presets`
  const save = useCommand(async (body: object, key) => {
    try {
      if (preset) await api('PATCH', `${path}/${preset.id}`, { body, key })
      else await api('POST', path, { body, key })
    } finally {
      // after a refusal too: somebody else may have changed the room
      await reload()
    }
  })
  const leftOut = Object.keys(values).filter((one) => !names.includes(one))
  const settings = read.variables && {
    variableValues: Object.fromEntries(Object.entries(values).filter(([one]) => names.includes(one))),
    exposedVariables: exposed?.filter((one) => names.includes(one)) ?? names,
  }
  const submit = async () => {
    const common = { name: name.trim() || (graphic?.name ?? ''), sectionId: section, ...settings }
    const asRead = preset ? { ifUnchangedSince: preset.updatedAt } : { graphicId, ifUnchangedSince: room.updatedAt }
    if (await save.run({ ...common, ...asRead })) onClose()
  }
  const waits = graphics === undefined || (graphic !== undefined && read.variables === undefined)
  return (
    <FormDialog
      wide
      onClose={onClose}
      title={preset ? `Change ${preset.name}` : 'Add a preset'}
      {...(!preset && { about: 'A graphic with its values, ready to be fired by one press.' })}
      label={preset ? 'Save' : 'Add the preset'}
      command={save}
      ready={!waits && (preset ? name.trim() !== '' : graphic !== undefined)}
      onSubmit={submit}
    >
      <div className="preset-head">
        {!preset && (
          <SelectField
            label="Graphic"
            value={graphicId}
            error={save.fields.graphicId}
            hint={graphics?.length === 0 ? 'The theme has no active version: activate one under Themes' : undefined}
            onChange={(event) => {
              setGraphicId(event.target.value)
              setValues({})
              setExposed(undefined)
              save.forget()
            }}
          >
            <option value="">Choose…</option>
            {graphics?.map((one) => (
              <option key={one.graphicId} value={one.graphicId}>
                {one.name}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Preset name"
          maxLength={255}
          placeholder={graphic?.name ?? ''}
          error={save.fields.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label="Section"
          value={section}
          error={save.fields.sectionId}
          onChange={(event) => setSection(event.target.value)}
        >
          {room.sections.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </SelectField>
      </div>
      {waits && <Waiting error={error ?? read.error} reload={() => Promise.all([again(), read.reload()])} />}
      {preset && graphics && !graphic && <NotInVersion preset={preset} version={version} />}
      {read.variables && leftOut.length > 0 && (
        <p className="notice">The graphic does not take these any more, saving drops them: {leftOut.join(', ')}</p>
      )}
      {read.variables && (
        <>
          <div className="preset-values-head">
            <h3 className="section-title">Values</h3>
            {isOfMatch && matches.length > 0 && (
              <label className="preset-match">
                <span>Choose from</span>
                <select
                  className="input"
                  value={matchId ?? ''}
                  onChange={(event) => setMatchId(Number(event.target.value))}
                >
                  {matches.map((match) => (
                    <option key={match.id} value={match.id}>
                      {matchName(match)}
                    </option>
                  ))}
                </select>
              </label>
            )}
            {names.length > 1 && (
              <div className="preset-all">
                <Button small onClick={() => setExposed(undefined)}>
                  Operators set all
                </Button>
                <Button small onClick={() => setExposed([])}>
                  None
                </Button>
              </div>
            )}
          </div>
          {names.length === 0 && <p className="field-hint">This graphic has nothing to set.</p>}
          <PresetValues
            variables={variables}
            values={values}
            exposed={exposed ?? names}
            choices={choices}
            problems={save.fields}
            onValues={(next) => {
              setValues(next)
              save.forget()
            }}
            onExposed={setExposed}
          />
        </>
      )}
    </FormDialog>
  )
}

function NotInVersion({ preset, version }: { preset: Preset; version: number | undefined }) {
  const where = version === undefined ? 'The theme has no active version' : `Version ${version} of the theme has no`
  return (
    <p className="notice">
      {version === undefined ? where : `${where} ${preset.graphicName || 'such graphic'}`}: its values stay as they are.
      Name and section can be changed.
    </p>
  )
}

/** The match that players and teams are chosen from: that of an overlay of the room, else the latest. */
function useMatchToChooseFrom(room: RoomDetail) {
  const matches = [...useMatches().values()]
  const [chosen, setChosen] = useState<number>()
  return [chosen ?? room.overlays?.[0]?.matchId ?? matches[0]?.id, setChosen, matches] as const
}
