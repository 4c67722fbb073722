import { useEffect, useMemo, useState } from 'react'
import type { SportName } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { segmentOf } from '../../ui/graphic-kind.ts'
import { newKey } from '../../ui/new-key.ts'
import { api } from '../api.ts'
import { variablesIn } from '../rooms/use-graphics.ts'
import type { ControlVariable, GraphicVersion } from '../shapes.ts'
import type { Draft } from './draft.ts'
import { conditionWords } from './phrases.ts'
import type { PlanPlace } from './rule-form.tsx'
import { templateOf } from './templates/sports.ts'
import { begun } from './templates/start-from.ts'
import { type Names, triggerParts } from './words.ts'

type Props = {
  place: PlanPlace
  names: Names
  onAdd: (rules: Draft[]) => void
  onClose: () => void
}

/**
 * Rules to begin with, as matches of the sport usually have them, each with the preset that fits it. Those for which there is none are left out
 * unless somebody wants to choose one.
 */
export function TemplateDialog({ place, names, onAdd, onClose }: Props) {
  const { sport, presets } = place
  const template = useMemo(() => templateOf(sport as SportName), [sport])
  const variables = useRoomVariables(place)
  const ids = useMemo(() => template.map(() => newKey()), [template])
  const offered = useMemo(
    () =>
      template.map((rule, index) => ({
        ...begun(rule, presets.ofProfile, names, (presetId) => variables?.get(presetId) ?? []),
        id: ids[index] ?? '',
      })),
    [template, presets, names, variables, ids],
  )
  /** Where somebody has said otherwise than what fits. */
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const chosen = offered.filter(({ id, presetId }) => turned.get(id) ?? presetId !== null)
  const gaps = offered.filter(({ presetId }) => presetId === null).length
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Start from a plan for ${worded(sport).toLowerCase()}`}
      about="What a match of this sport usually shows, each rule with the preset that fits it. All can be changed afterwards."
    >
      {variables && gaps > 0 && (
        <p className="notice">
          {gaps === 1
            ? 'For one of them the control room has no preset: it is'
            : `For ${gaps} of them the control room has no preset: they are`}{' '}
          left out. Tick {gaps === 1 ? 'it' : 'one'} to choose a preset yourself.
        </p>
      )}
      <ul className="plan-offers">
        {offered.map(({ id, wanted, presetId, trigger, every, condition }) => (
          <li key={id}>
            <label className="plan-offer">
              <input
                type="checkbox"
                checked={turned.get(id) ?? presetId !== null}
                onChange={({ target }) => setTurned(new Map(turned).set(id, target.checked))}
              />
              <span>
                <b>{wanted}</b>
                <span className="cell-about">
                  {triggerParts(trigger, every, sport)
                    .map(({ text }) => text)
                    .join('')}
                  {condition && `, only if ${conditionWords(condition)}`}
                </span>
              </span>
              {presetId === null ? (
                <mark className="plan-gap">{turned.get(id) ? 'you choose a preset' : 'no preset for it'}</mark>
              ) : (
                <span>
                  <span className="field-hint">shows</span> {presets.nameOf(presetId)}
                </span>
              )}
            </label>
          </li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={!variables || chosen.length === 0}
          onClick={() => {
            onAdd(chosen)
            onClose()
          }}
        >
          {`Add ${chosen.length} ${chosen.length === 1 ? 'rule' : 'rules'}`}
        </Button>
      </div>
    </Dialog>
  )
}

/** The control variables of the presets of the room, by preset; of a graphic that cannot be read, none. Undefined while they are read. */
function useRoomVariables({ themeId, graphics, presets }: PlanPlace) {
  const [found, setFound] = useState<ReadonlyMap<number, readonly ControlVariable[]>>()
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const shown = (graphics ?? []).filter((one) =>
        presets.ofProfile.some((preset) => preset.graphicId === one.graphicId),
      )
      const variables = new Map<string, readonly ControlVariable[]>()
      await Promise.allSettled(
        shown.map(async ({ graphicId, type, version }) => {
          const path = `/v2/themes/${themeId}/${segmentOf(type)}/${graphicId}/versions/${version}`
          variables.set(graphicId, variablesIn(await api<GraphicVersion>('GET', path)))
        }),
      )
      if (isCurrent)
        setFound(new Map(presets.ofProfile.map(({ id, graphicId }) => [id, variables.get(graphicId) ?? []])))
    }
    if (graphics) void read()
    return () => {
      isCurrent = false
    }
  }, [themeId, graphics, presets])
  return found
}
