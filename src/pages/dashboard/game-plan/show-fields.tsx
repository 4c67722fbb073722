import type { Draft, End } from './draft.ts'
import { DurationField } from './duration-field.tsx'
import type { PresetGroup } from './use-presets.ts'
import { UNTILS } from './words.ts'

type Props = {
  rule: Draft
  groups: readonly PresetGroup[]
  invalid: (field: string) => boolean
  onChange: (change: Partial<Draft>) => void
}

/** The graphic of a rule and for how long, as the second half of its sentence. */
export function ShowFields({ rule, groups, invalid, onChange }: Props) {
  const { presetId, end, delaySeconds } = rule
  const isKnown = presetId === null || groups.some(({ presets }) => presets.some(({ id }) => id === presetId))
  const setEnd = (how: string) =>
    onChange({
      end: how === 'after' ? { afterSeconds: 8 } : { until: how as Extract<End, { until: string }>['until'] },
    })
  return (
    <>
      <span>show</span>
      <select
        className="input input-auto"
        aria-label="Preset"
        aria-invalid={invalid('presetId') || presetId === null}
        data-field="presetId"
        value={presetId ?? ''}
        // values belong to the graphic of a preset
        onChange={({ target }) => onChange({ presetId: Number(target.value), variableValues: undefined })}
      >
        {presetId === null && <option value="">choose a preset…</option>}
        {!isKnown && <option value={presetId}>a preset that is gone</option>}
        {groups.map(({ title, presets }) => (
          <optgroup key={title} label={title}>
            {presets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <select
        className={'until' in end ? 'input input-auto' : 'input input-narrow'}
        aria-label="How long"
        aria-invalid={invalid('end')}
        value={'until' in end ? end.until : 'after'}
        onChange={({ target }) => setEnd(target.value)}
      >
        <option value="after">for</option>
        {Object.entries(UNTILS).map(([until, words]) => (
          <option key={until} value={until}>
            {words}
          </option>
        ))}
      </select>
      {'afterSeconds' in end && (
        <DurationField
          label="Time on air"
          value={end.afterSeconds}
          min={1}
          max={3_600}
          invalid={invalid('end')}
          onChange={(afterSeconds) => onChange({ end: { afterSeconds } })}
        />
      )}
      <span>after</span>
      <DurationField
        label="Delay"
        value={delaySeconds}
        max={3_600}
        invalid={invalid('delaySeconds')}
        onChange={(seconds) => onChange({ delaySeconds: seconds })}
      />
    </>
  )
}
