import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { type FieldFaults, saidAt } from '../worked-list/faults.ts'
import { ConditionField } from './condition-field.tsx'
import type { Draft } from './draft.ts'
import { DurationField } from './duration-field.tsx'

type Props = {
  rule: Draft
  /** The graphic of its preset: the layer that it has when none is named. */
  graphic: string | undefined
  /** Names of layers in the plan. */
  layers: readonly string[]
  faults: FieldFaults | undefined
  onChange: (change: Partial<Draft>) => void
}

const PRIORITIES = [
  { value: 80, title: 'High: may replace others' },
  { value: 50, title: 'Normal' },
  { value: 20, title: 'Low: makes room for others' },
] as const

const DAY = 86_400
const whole = (text: string, min: number, max: number) => Math.max(min, Math.min(max, Math.round(Number(text)) || min))

/** Fields that few rules need: conditions, how often, and which rule yields to which. */
export function MoreFields({ rule, graphic, layers, faults, onChange }: Props) {
  const said = (field: string) => saidAt(faults, field)
  const usual = PRIORITIES.some(({ value }) => value === rule.priority)
  return (
    <>
      <ConditionField rule={rule} fault={said('condition')} onChange={(condition) => onChange({ condition })} />
      <div className="plan-more">
        <TextField
          label="Every so many times"
          type="number"
          min={1}
          max={1_000}
          value={rule.every}
          hint="3: at the third, the sixth, …"
          error={said('every')}
          onChange={({ target }) => onChange({ every: whole(target.value, 1, 1_000) })}
        />
        <Time
          label="Not again within"
          hint="0 s: as often as it happens"
          value={rule.cooldownSeconds}
          max={DAY}
          error={said('cooldownSeconds')}
          onChange={(cooldownSeconds) => onChange({ cooldownSeconds })}
        />
        <SelectField
          label="In one match"
          value={rule.once ? 'once' : 'always'}
          error={said('once')}
          onChange={({ target }) => onChange({ once: target.value === 'once' })}
        >
          <option value="always">each time</option>
          <option value="once">only once</option>
        </SelectField>
        <SelectField
          label="Priority"
          value={rule.priority}
          hint="What runs yields only to a higher one"
          error={said('priority')}
          onChange={({ target }) => onChange({ priority: Number(target.value) })}
        >
          {!usual && <option value={rule.priority}>{rule.priority} of 100</option>}
          {PRIORITIES.map(({ value, title }) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
        <Layer rule={rule} graphic={graphic} layers={layers} error={said('layer')} onChange={onChange} />
        <SelectField
          label="When another takes its place"
          value={rule.onInterrupt}
          error={said('onInterrupt')}
          onChange={({ target }) => onChange({ onInterrupt: target.value as Draft['onInterrupt'] })}
        >
          <option value="drop">it is gone</option>
          <option value="resume">it comes back for the rest of its time</option>
          <option value="queue">it waits for its turn</option>
        </SelectField>
        <Time
          label="Too late after"
          hint="What is told or waits for longer is left out"
          value={rule.maxAgeSeconds}
          min={1}
          max={3_600}
          error={said('maxAgeSeconds')}
          onChange={(maxAgeSeconds) => onChange({ maxAgeSeconds })}
        />
        <TextField
          label="Name"
          maxLength={80}
          value={rule.name}
          hint="Stands in the control room and in the as-run log"
          error={said('name')}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      </div>
    </>
  )
}

function Time({
  label,
  hint,
  error,
  ...rest
}: {
  label: string
  hint: string
  error: string | undefined
  value: number
  min?: number
  max: number
  onChange: (seconds: number) => void
}) {
  return (
    <Field label={<span aria-hidden="true">{label}</span>} hint={hint} error={error}>
      {() => <DurationField label={label} invalid={error !== undefined} {...rest} />}
    </Field>
  )
}

const NEW = '\n'

function Layer({ rule, graphic, layers, error, onChange }: Omit<Props, 'faults'> & { error: string | undefined }) {
  const typed = rule.layer !== undefined && !layers.includes(rule.layer)
  const others = layers.filter((layer) => layer !== '')
  return (
    <>
      <SelectField
        label="Layer"
        value={typed ? NEW : (rule.layer ?? '')}
        hint="Of one layer there is never more than one"
        error={typed ? undefined : error}
        onChange={({ target }) => onChange({ layer: target.value === '' ? undefined : target.value })}
      >
        <option value="">{graphic ? `that of ${graphic}` : 'that of the graphic'}</option>
        {others.map((layer) => (
          <option key={layer} value={layer}>
            {layer}
          </option>
        ))}
        <option value={NEW}>another…</option>
      </SelectField>
      {typed && (
        <TextField
          label="Name of the layer"
          maxLength={80}
          value={rule.layer === NEW ? '' : rule.layer}
          error={error}
          onChange={({ target }) => onChange({ layer: target.value })}
        />
      )}
    </>
  )
}
