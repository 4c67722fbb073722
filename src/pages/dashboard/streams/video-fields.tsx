import { SelectField, TextField } from '../../ui/field.tsx'
import type { StreamInputList } from '../shapes.ts'
import { makesInput, type Problems, type StreamDraft } from './stream-draft.ts'

type Props = {
  draft: StreamDraft
  inputs: StreamInputList['inputs']
  problems: Problems
  /** The name of an input when none is typed. */
  named: string
  onChange: (change: Partial<StreamDraft>) => void
}

/** Where the video comes from: pushed to this server, fetched, or an input that is there. */
export function VideoFields({ draft, inputs, problems, named, onChange }: Props) {
  const { input, inputName, sourceUrl, latency } = draft
  return (
    <>
      <SelectField
        label="Video comes"
        name="stream.inputId"
        value={input}
        error={problems['stream.inputId']}
        hint={input === 'push' ? 'The address and its key are shown as soon as the stream is made' : undefined}
        onChange={(event) => onChange({ input: event.target.value })}
      >
        <option value="push">Pushed to this server by RTMP or SRT</option>
        <option value="pull">Fetched from an address by RTMP, SRT or HLS</option>
        {inputs.length > 0 && (
          <optgroup label="By an input that is there">
            {inputs.map(({ id, name, type }) => (
              <option key={id} value={id}>
                {name}, {type === 'pull' ? 'fetched' : 'pushed'}
              </option>
            ))}
          </optgroup>
        )}
      </SelectField>
      {input === 'pull' && (
        <TextField
          label="Address of the video"
          name="input.sourceUrl"
          className="input mono"
          inputMode="url"
          spellCheck={false}
          placeholder="srt://camera.example.com:9000"
          error={problems['input.sourceUrl']}
          value={sourceUrl}
          onChange={(event) => onChange({ sourceUrl: event.target.value })}
        />
      )}
      {makesInput(draft) && (
        <div className="pair">
          <TextField
            label="Name of the input"
            name="input.name"
            maxLength={100}
            placeholder={named || 'As the stream'}
            error={problems['input.name']}
            value={inputName}
            onChange={(event) => onChange({ inputName: event.target.value })}
          />
          <TextField
            label="SRT latency in ms"
            name="input.latencyMs"
            inputMode="numeric"
            error={problems['input.latencyMs']}
            value={latency}
            onChange={(event) => onChange({ latency: event.target.value })}
          />
        </div>
      )}
    </>
  )
}
