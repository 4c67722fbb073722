import { useId } from 'react'
import type { WebhookSchemas } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { EVENT_GROUPS, groupOf, wordsOf } from './event-groups.ts'

type Props = {
  chosen: ReadonlySet<string>
  error: string | undefined
  onChange: (chosen: ReadonlySet<string>) => void
}

/** The events that a webhook is told of, by what they are of; those that this page has no words for too. */
export function EventChoice({ chosen, error, onChange }: Props) {
  const errorId = useId()
  const schemas = useResource<WebhookSchemas>('/v2/schemas/webhooks')
  const types = Object.keys(schemas.value ?? {}).filter((type) => type !== 'webhook.test')
  const set = (some: readonly string[], wanted: boolean) => {
    const next = new Set(chosen)
    for (const type of some) wanted ? next.add(type) : next.delete(type)
    onChange(next)
  }
  return (
    <fieldset className="webhook-events" {...(error && { 'aria-describedby': errorId })}>
      <legend className="field-label">Events</legend>
      <div className="webhook-groups">
        {EVENT_GROUPS.map((title) => (
          <Group
            key={title}
            title={title}
            types={types.filter((type) => groupOf(type) === title)}
            chosen={chosen}
            onSet={set}
          />
        ))}
      </div>
      {error && (
        <p className="field-error" role="alert" id={errorId}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

type GroupProps = {
  title: string
  types: readonly string[]
  chosen: ReadonlySet<string>
  onSet: (types: readonly string[], wanted: boolean) => void
}

function Group({ title, types, chosen, onSet }: GroupProps) {
  if (types.length === 0) return null
  const count = types.filter((type) => chosen.has(type)).length
  return (
    <section className="webhook-group" aria-label={title}>
      <label className="webhook-event webhook-event-all">
        <input
          type="checkbox"
          checked={count === types.length}
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < types.length
          }}
          onChange={(event) => onSet(types, event.target.checked)}
        />
        {title}
      </label>
      {types.map((type) => (
        <label className="webhook-event" key={type}>
          <input type="checkbox" checked={chosen.has(type)} onChange={(event) => onSet([type], event.target.checked)} />
          <span className="webhook-event-text">
            {wordsOf(type)}
            <span className="mono webhook-event-type">{type}</span>
          </span>
        </label>
      ))}
    </section>
  )
}
