import type { KeyboardEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Editor } from '../ui/value-editor.tsx'
import { targetOf, useDesk } from './desk.ts'
import { differing, edited, settled, unsent, valuesOf, withdrawn } from './drafts.ts'
import type { Preset, Variable } from './model.ts'
import { OgrafControls } from './ograf-controls.tsx'

/** The values of the selected preset. Where there is no room beside the presets it is a sheet that is opened. */
export function ValuesPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { room, selected } = useDesk()
  const preset = room.presets.find(({ id }) => id === selected)
  return (
    <section className="values" id="values" data-open={open} aria-labelledby="values-title">
      {preset ? (
        <ValuesOf key={preset.id} preset={preset} onClose={onClose} />
      ) : (
        <h2 id="values-title" className="values-none">
          Values
        </h2>
      )}
    </section>
  )
}

function ValuesOf({ preset, onClose }: { preset: Preset; onClose: () => void }) {
  const { live, outcomes, draftOf, shownOf, cueOf, aimOf, changeDraft, mode, fire, cut, hide, choices } = useDesk()
  const draft = draftOf(preset.id)
  const graphic = shownOf(preset)?.graphic
  const cue = cueOf(preset)
  const aim = aimOf(preset)
  const values = valuesOf(preset, draft, aim?.base)
  const changed = aim ? unsent(preset, draft, aim) : differing(preset, draft, undefined, preset.variableValues)
  const undo = (variables: readonly Variable[]) =>
    changeDraft(preset.id, (before) => variables.reduce((draft, { name }) => withdrawn(draft, name, aim), before))
  const target = targetOf.preset(preset.id)
  const outcome = outcomes.get(target)
  const back = () => {
    onClose()
    document.querySelector<HTMLElement>(`#preset-${preset.id} .card-face`)?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') back()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      fire(preset)
    }
  }
  const previews = mode === 'preview'
  const blank = (previews ? cue : graphic) && changed.length === 0
  const where = [graphic && (live.rehearsal ? 'In rehearsal' : 'On air'), cue && 'On preview']
    .filter(Boolean)
    .join(' · ')
  return (
    // keys that belong to every field of the panel
    // biome-ignore lint/a11y/noStaticElementInteractions: the fields inside are what is interacted with
    <div className="values-of" onKeyDown={press}>
      <div className="values-head">
        <div>
          <h2 id="values-title">{preset.name}</h2>
          <p>
            {where !== ''
              ? changed.length > 0
                ? `${where} · changed, not sent`
                : where
              : changed.length > 0
                ? 'Off air · edited'
                : 'Off air'}
          </p>
        </div>
        <span className="key values-key" aria-hidden="true">
          V
        </span>
        <Button className="values-close" onClick={back}>
          Close
        </Button>
      </div>
      {preset.leftOut.length > 0 && (
        <p className="values-note">Stored values the graphic does not take any more: {preset.leftOut.join(', ')}</p>
      )}
      {preset.problem !== null && <p className="values-note">{preset.problem}</p>}
      <div className="values-fields">
        <OgrafControls preset={preset} />
        {preset.variables.map((variable, index) => (
          <Editor
            key={variable.name}
            variable={variable}
            value={settled(variable, values)}
            choices={choices[variable.type] ?? []}
            changed={changed.includes(variable)}
            first={index === 0}
            onChange={(value) => changeDraft(preset.id, (before) => edited(before, variable.name, value))}
            onReset={() => undo([variable])}
          />
        ))}
        {preset.variables.length === 0 && preset.problem === null && (
          <p className="values-note">Nothing to set on this preset.</p>
        )}
      </div>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
      <div className="values-foot">
        <Button
          look="primary"
          className={previews ? 'values-cue' : graphic ? 'values-update' : ''}
          aria-disabled={preset.problem !== null || blank === true}
          aria-busy={outcome?.phase === 'sending'}
          aria-keyshortcuts="Control+Enter"
          onClick={() => fire(preset)}
        >
          {previews ? 'Cue' : graphic ? 'Update' : 'Show'}{' '}
          <span className="key" aria-hidden="true">
            Ctrl ↵
          </span>
        </Button>
        {previews && (
          <Button className="values-cut" aria-disabled={preset.problem !== null} onClick={() => cut(preset)}>
            Cut
          </Button>
        )}
        <Button aria-disabled={!graphic} onClick={() => graphic && hide(target, graphic.graphicId)}>
          Hide
        </Button>
        <Button look="quiet" aria-disabled={changed.length === 0} onClick={() => undo(changed)}>
          Undo all
        </Button>
      </div>
    </div>
  )
}
