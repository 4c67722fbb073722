import { useMemo, useState } from 'react'
import type { SportName } from '../../../../machines/sports.ts'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { segmentOf } from '../../ui/graphic-kind.ts'
import { api } from '../api.ts'
import { variablesIn } from '../rooms/use-graphics.ts'
import type { ControlVariable, GraphicVersion } from '../shapes.ts'
import type { Draft } from './draft.ts'
import type { PlanPlace } from './rule-form.tsx'
import { TEMPLATES } from './templates/sports.ts'
import { begun } from './templates/start-from.ts'
import { type Names, triggerParts } from './words.ts'

type Props = {
  place: PlanPlace
  names: Names
  onAdd: (rules: Draft[]) => void
  onClose: () => void
}

/** Rules to begin with, as matches of the sport usually have them, each with the preset that fits it. */
export function TemplateDialog({ place, names, onAdd, onClose }: Props) {
  const { sport, presets } = place
  const template = TEMPLATES[sport as SportName]
  const offered = useMemo(
    () => template.map((rule) => ({ ...begun(rule, presets.ofProfile, names), rule })),
    [template, presets, names],
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const chosen = offered.filter(({ id }) => !left.has(id))
  const gaps = chosen.filter(({ presetId }) => presetId === null)
  const take = async () => {
    setBusy(true)
    const variables = await variablesOf(place, chosen)
    onAdd(
      chosen.map(({ id, rule }) => ({
        ...begun(rule, presets.ofProfile, names, (presetId) => variables.get(presetId) ?? []),
        id,
      })),
    )
    onClose()
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Start from a plan for ${worded(sport).toLowerCase()}`}
      about={`${offered.length} rules as a match of this sport usually has them, each with the preset of its name. All can be changed afterwards.`}
    >
      <ul className="plan-offers">
        {offered.map(({ id, wanted, presetId, trigger, every }) => (
          <li key={id}>
            <label className="plan-offer">
              <input
                type="checkbox"
                checked={!left.has(id)}
                onChange={({ target }) => {
                  const next = new Set(left)
                  if (target.checked) next.delete(id)
                  else next.add(id)
                  setLeft(next)
                }}
              />
              <span>
                <b>{wanted}</b>
                <span className="cell-about">
                  {triggerParts(trigger, every, sport)
                    .map(({ text }) => text)
                    .join('')}
                </span>
              </span>
              {presetId === null ? (
                <mark className="plan-gap">no preset fits: you choose one</mark>
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
        {gaps.length > 0 && (
          <Button onClick={() => setLeft(new Set([...left, ...gaps.map(({ id }) => id)]))}>
            Leave out {gaps.length} without a preset
          </Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={busy || chosen.length === 0} onClick={() => void take()}>
          {`Add ${chosen.length} ${chosen.length === 1 ? 'rule' : 'rules'}`}
        </Button>
      </div>
    </Dialog>
  )
}

/** The control variables of the presets that rules show, by preset; of a graphic that cannot be read, none. */
async function variablesOf({ themeId, graphics, presets }: PlanPlace, rules: readonly Draft[]) {
  const found = new Map<number, readonly ControlVariable[]>()
  const ids = new Set(rules.flatMap(({ presetId, trigger }) => (trigger.type === 'fact' ? (presetId ?? []) : [])))
  const read = async (presetId: number) => {
    const graphic = graphics?.find(({ graphicId }) => graphicId === presets.find(presetId)?.graphicId)
    if (!graphic) return
    const kind = segmentOf(graphic.type)
    const path = `/v2/themes/${themeId}/${kind}/${graphic.graphicId}/versions/${graphic.version}`
    found.set(presetId, variablesIn(await api<GraphicVersion>('GET', path)))
  }
  await Promise.allSettled([...ids].map(read))
  return found
}
