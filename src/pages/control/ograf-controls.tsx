import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { Nested } from '../ui/edited.ts'
import { Editor } from '../ui/value-editor.tsx'
import { targetOf, useDesk } from './desk.ts'
import type { Preset } from './model.ts'

/** The steps of an OGraf graphic on air, and what it can do at once. Nothing for all other graphics. */
export function OgrafControls({ preset }: { preset: Preset }) {
  const { shownOf, step, act } = useDesk()
  const graphic = shownOf(preset)?.graphic
  const { ograf } = preset
  if (!graphic || !ograf || graphic.step === undefined) return null
  const target = targetOf.preset(preset.id)
  const { stepCount, customActions } = ograf
  const hasSteps = stepCount > 1 || stepCount === -1
  if (!hasSteps && customActions.length === 0) return null
  const isLast = stepCount > 0 && graphic.step === stepCount - 1
  const of = stepCount > 0 ? ` of ${stepCount}` : ''
  return (
    <div className="values-ograf">
      {hasSteps && (
        <div className="values-steps">
          <Button aria-disabled={graphic.step === 0} onClick={() => step(target, preset.id, -1)}>
            Back
          </Button>
          <output className="tabular">
            Step {graphic.step + 1}
            {of}
          </output>
          <Button onClick={() => step(target, preset.id, 1)}>{isLast ? 'Next: off air' : 'Next step'}</Button>
        </div>
      )}
      {customActions.map((action) => (
        <Action key={action.id} action={action} onAct={(payload) => act(target, preset.id, action.id, payload)} />
      ))}
    </div>
  )
}

type OgrafAction = NonNullable<Preset['ograf']>['customActions'][number]

function Action({ action, onAct }: { action: OgrafAction; onAct: (payload?: Nested) => void }) {
  const { name, description, schema } = action
  const [payload, setPayload] = useState<Nested>()
  const given = payload ?? defaultsOf(schema)
  return (
    <div className="values-action">
      {schema !== null && (
        <Editor
          variable={{ label: name, type: String(schema.type ?? 'object'), schema, ...(description && { description }) }}
          value={given}
          choices={[]}
          changed={payload !== undefined}
          onChange={(next) => setPayload(next as Nested)}
          onReset={() => setPayload(undefined)}
        />
      )}
      <Button title={description} onClick={() => onAct(schema === null ? undefined : given)}>
        {name}
      </Button>
    </div>
  )
}

/** What an action is given unless somebody sets it. */
function defaultsOf(schema: OgrafAction['schema']): Nested {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, { default?: Nested }>)
  const set = properties.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value] as const]))
  return (schema?.default as Nested | undefined) ?? Object.fromEntries(set)
}
