import { useState } from 'react'
import { Copy } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import { hereMediaUrl } from '../here-url.ts'
import { Waiting } from '../parts.tsx'
import type { StreamDestination } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { destinationOf } from './create-stream.ts'
import { DestinationFields } from './destination-fields.tsx'
import { type DestinationDraft, hasLatency, newDestination, wholeProblem } from './stream-draft.ts'

type Props = { onClose: () => void; reload: () => Promise<void> }

/** Gives a stream one more destination, also while it runs. */
export function NewDestination({ streamId, onClose, reload }: Props & { streamId: number }) {
  const [draft, setDraft] = useState(newDestination(1))
  const make = useCommand(async (body: object, key) => {
    await api('POST', `/v1/streams/${streamId}/destinations`, { body, key })
    await reload()
  })
  const latencyProblem = latencyProblemOf(draft)
  const submit = async () => {
    if (!latencyProblem && (await make.run(destinationOf(draft)))) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Add a destination"
      about="It publishes when it is started, or with the stream."
      label="Add the destination"
      command={make}
      onSubmit={submit}
    >
      <DestinationFields
        draft={draft}
        problems={{ ...make.fields, ...latencyProblem }}
        onChange={(change) => {
          make.forget()
          setDraft((last) => ({ ...last, ...change }))
        }}
      />
    </FormDialog>
  )
}

/** Changes a destination: its name always, where it goes while it does not publish. */
export function ChangeDestination({ destinationId, ...rest }: Props & { destinationId: number }) {
  const { value, error, reload } = useResource<StreamDestination>(`/v1/streams/destinations/${destinationId}`)
  if (value) return <Found destination={value} {...rest} />
  // one dialog after another would not know where the focus came from
  if (error === undefined) return null
  return (
    <Dialog open onClose={rest.onClose} title="Change the destination">
      <Waiting error={error} reload={reload} />
    </Dialog>
  )
}

const draftOf = ({ id, name, type, url, pullProtocol, latencyMs }: StreamDestination): DestinationDraft => ({
  key: id,
  type,
  name,
  url,
  // never shown again: a key typed here takes its place
  streamKey: '',
  pullProtocol: pullProtocol ?? 'hls',
  latency: String(latencyMs),
})

function Found({ destination, onClose, reload }: Props & { destination: StreamDestination }) {
  const [before] = useState(() => draftOf(destination))
  const [draft, setDraft] = useState(before)
  const change = useCommand(async (body: object, key) => {
    await api('PATCH', `/v1/streams/destinations/${destination.id}`, { body, key })
    await reload()
  })
  const latencyProblem = latencyProblemOf(draft)
  const submit = async () => {
    if (!latencyProblem && (await change.run(changesOf(before, draft)))) onClose()
  }
  const publishing = destination.publishing ?? false
  return (
    <FormDialog
      onClose={onClose}
      title={`Change ${destination.name}`}
      label="Save"
      command={change}
      ready={draft.name.trim() !== ''}
      onSubmit={submit}
    >
      {publishing && <p className="notice">It publishes: stop it first to change where it goes.</p>}
      {destination.type === 'pull' && <Copy text={hereMediaUrl(destination.url)} label="Others fetch it from" />}
      <DestinationFields
        draft={draft}
        problems={{ ...change.fields, ...latencyProblem }}
        stored={{ hasKey: destination.streamKey !== '', publishing }}
        onChange={(step) => {
          change.forget()
          setDraft((last) => ({ ...last, ...step }))
        }}
      />
    </FormDialog>
  )
}

function latencyProblemOf(draft: DestinationDraft) {
  const latencyMs = hasLatency(draft) ? wholeProblem(draft.latency, 120, 30_000) : undefined
  return latencyMs === undefined ? undefined : { latencyMs }
}

/** Only the changed fields. */
const changesOf = (before: DestinationDraft, draft: DestinationDraft) => ({
  ...(draft.name !== before.name && { name: draft.name.trim() }),
  ...(draft.url !== before.url && { url: draft.url.trim() }),
  ...(draft.streamKey.trim() && { streamKey: draft.streamKey.trim() }),
  ...(draft.pullProtocol !== before.pullProtocol && { pullProtocol: draft.pullProtocol }),
  ...(draft.latency !== before.latency && { latencyMs: Number(draft.latency) }),
})
