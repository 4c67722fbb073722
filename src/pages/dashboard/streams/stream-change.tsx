import { useState } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { OverlayList, Stream, StreamInputList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { pictureOf } from './create-stream.ts'
import { GraphicsFields } from './graphics-fields.tsx'
import { type GraphicsDraft, graphicsProblems, isEmpty } from './stream-draft.ts'

type Draft = GraphicsDraft & { name: string; input: string }

const draftOf = (stream: Stream): Draft => ({
  match: String(stream.matchId),
  name: stream.name,
  input: String(stream.inputId ?? ''),
  overlay: String(stream.overlayId ?? ''),
  startHidden: stream.startOverlayHidden,
  resolution: stream.resolution,
  fps: String(stream.fps),
  bitrate: String(stream.videoBitrateKb),
  volume: String(stream.inputVolume),
})

/** Name, input and graphics of a stream; a field that cannot change while it runs is refused. */
export function StreamChange({
  stream,
  onClose,
  reload,
}: {
  stream: Stream
  onClose: () => void
  reload: () => Promise<void>
}) {
  const [before] = useState(stream)
  const [draft, setDraft] = useState(() => draftOf(stream))
  const overlays = useResource<OverlayList>(`/v2/overlays?limit=1000&matchId=${stream.matchId}`).value
  const inputs = useResource<StreamInputList>('/v1/streams/inputs?limit=1000').value
  const change = useCommand(async (body: object, key) => {
    await api('PATCH', `/v1/streams/${stream.id}`, { body, key })
    await reload()
  })
  const wrong = graphicsProblems(draft)
  const refused = Object.entries(change.fields).map(([field, reason]) => [`stream.${field}`, reason])
  const set = (step: Partial<Draft>) => {
    change.forget()
    setDraft((last) => ({ ...last, ...step }))
  }
  const submit = async () => {
    if (!isEmpty(wrong)) return
    if (await change.run(changesOf(before, draft))) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Change ${before.name}`}
      label="Save"
      command={change}
      ready={draft.name.trim() !== '' && overlays !== undefined && inputs !== undefined}
      onSubmit={submit}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        error={change.fields.name}
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <SelectField
        label="Video comes by"
        value={draft.input}
        error={change.fields.inputId}
        onChange={(event) => set({ input: event.target.value })}
      >
        <option value="">No input</option>
        {inputs?.inputs.map(({ id, name, type }) => (
          <option key={id} value={id}>
            {name}, {type === 'pull' ? 'fetched' : 'pushed'}
          </option>
        ))}
      </SelectField>
      <GraphicsFields
        draft={draft}
        overlays={overlays?.overlays ?? []}
        problems={{ ...Object.fromEntries(refused), ...wrong }}
        onChange={set}
      />
    </FormDialog>
  )
}

/** Only the changed fields. */
function changesOf(stream: Stream, draft: Draft) {
  const wanted = {
    name: draft.name.trim(),
    inputId: draft.input === '' ? null : Number(draft.input),
    overlayId: null,
    ...pictureOf(draft),
  }
  return Object.fromEntries(Object.entries(wanted).filter(([field, value]) => stream[field as keyof Stream] !== value))
}
