import { useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { Webhook, WebhookWithSecret } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { EventChoice } from './event-choice.tsx'

type Props = {
  webhook: Webhook | undefined
  onClose: () => void
  /** `made`: a new one, with its secret. */
  onSaved: (made?: WebhookWithSecret) => Promise<void>
}

/** A webhook that is made or changed: where, and what it is told. */
export function WebhookDialog({ webhook, onClose, onSaved }: Props) {
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [isAll, setAll] = useState(webhook === undefined || webhook.events.includes('*'))
  const [events, setEvents] = useState<ReadonlySet<string>>(
    new Set(webhook?.events.filter((event) => event !== '*') ?? []),
  )
  const save = useCommand(async (body: object, key) => {
    if (webhook) await api('PATCH', `/v2/webhooks/${webhook.id}`, { body, key })
    await onSaved(webhook ? undefined : await api<WebhookWithSecret>('POST', '/v2/webhooks', { body, key }))
    onClose()
  })
  const submit = () => {
    const about = { url: url.trim(), description: description.trim() || null }
    return save.run({ ...about, events: isAll ? ['*'] : [...events] })
  }
  return (
    <FormDialog
      wide
      onClose={onClose}
      title={webhook ? 'Change the webhook' : 'New webhook'}
      about="Tally sends a signed POST to this address when something happens."
      label={webhook ? 'Save' : 'Make the webhook'}
      command={save}
      ready={url.trim() !== '' && (isAll || events.size > 0)}
      onSubmit={submit}
    >
      <TextField
        label="Address"
        type="url"
        required
        placeholder="https://example.com/tally"
        hint="Whoever knows it may be able to use it: it is kept like a secret."
        error={save.fields.url}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label="What it is for"
        maxLength={255}
        error={save.fields.description}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Switch label="Every event" hint="Those of later versions, too." checked={isAll} onChange={setAll} />
      {!isAll && <EventChoice chosen={events} onChange={setEvents} error={save.fields.events} />}
    </FormDialog>
  )
}
