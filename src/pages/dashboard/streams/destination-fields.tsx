import type { ReactNode } from 'react'
import { SelectField, TextField } from '../../ui/field.tsx'
import { DESTINATION_TYPES, type DestinationDraft, type DestinationType, hasLatency } from './stream-draft.ts'

type Props = {
  draft: DestinationDraft
  /** The faults, by the name of the field in the API. */
  problems: Readonly<Partial<Record<string, string>>>
  /** Stands before the names of the fields. */
  part?: string
  /** Of one that is there: its type stays, and so does the key that it has unless another one is typed. */
  stored?: { hasKey: boolean; publishing: boolean }
  onChange: (change: Partial<DestinationDraft>) => void
}

const ADDRESSES: Readonly<Partial<Record<DestinationType, string>>> = {
  youtube: 'rtmps://a.rtmps.youtube.com:443/live2',
  facebook: 'rtmps://live-api-s.facebook.com:443/rtmp',
  rtmp: 'rtmp://live.example.com/app',
  srt: 'srt://live.example.com:9000?streamid=…',
}

/** Where a stream goes: a service, an address, or a place here that others fetch it from. */
export function DestinationFields({ draft, problems, part, stored, onChange }: Props) {
  const { type, name, url, streamKey, pullProtocol, latency } = draft
  const at = (field: string) => (part === undefined ? field : `${part}.${field}`)
  const fixed = stored?.publishing ?? false
  const service = type === 'youtube' || type === 'facebook'
  const addressField = type !== 'pull' && (
    <TextField
      key="url"
      label="Address"
      name={at('url')}
      className="input mono"
      inputMode="url"
      spellCheck={false}
      disabled={fixed}
      placeholder={ADDRESSES[type]}
      hint={service && !stored ? `Only for another one than ${DESTINATION_TYPES[type]} has for everybody` : undefined}
      error={problems.url}
      value={url}
      onChange={(event) => onChange({ url: event.target.value })}
    />
  )
  const keyField = type !== 'pull' && type !== 'srt' && (
    <TextField
      key="streamKey"
      label="Stream key"
      name={at('streamKey')}
      className="input mono"
      spellCheck={false}
      disabled={fixed}
      placeholder={stored?.hasKey ? 'Stored' : ''}
      hint={keyHint(type, stored?.hasKey ?? false)}
      error={problems.streamKey}
      value={streamKey}
      onChange={(event) => onChange({ streamKey: event.target.value })}
    />
  )
  return (
    <>
      <div className="pair">
        {stored ? null : (
          <SelectField
            label="Goes to"
            name={at('type')}
            value={type}
            error={problems.type}
            onChange={(event) => onChange({ type: event.target.value as DestinationType })}
          >
            {Object.entries(DESTINATION_TYPES).map(([value, title]) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label="Name"
          name={at('name')}
          maxLength={100}
          placeholder={DESTINATION_TYPES[type]}
          error={problems.name}
          value={name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </div>
      {/* a service has an address for everybody, and a key for each channel */}
      {service ? [keyField, addressField] : [addressField, keyField]}
      {type === 'pull' && (
        <SelectField
          label="Fetched by"
          name={at('pullProtocol')}
          value={pullProtocol}
          disabled={fixed}
          hint="Players, vMix or OBS take it from an address that this server makes"
          error={problems.pullProtocol}
          onChange={(event) => onChange({ pullProtocol: event.target.value === 'srt' ? 'srt' : 'hls' })}
        >
          <option value="hls">HLS</option>
          <option value="srt">SRT</option>
        </SelectField>
      )}
      {hasLatency(draft) && (
        <TextField
          label="SRT latency in ms"
          name={at('latencyMs')}
          inputMode="numeric"
          disabled={fixed}
          hint="Four times the way there and back is usual"
          error={problems.latencyMs}
          value={latency}
          onChange={(event) => onChange({ latency: event.target.value })}
        />
      )}
    </>
  )
}

function keyHint(type: DestinationType, hasKey: boolean): ReactNode {
  if (hasKey) return 'It is not shown again. Left empty it stays as it is.'
  if (type === 'rtmp') return 'A secret: it is not shown again once saved. Empty when the address has it.'
  return 'A secret: it is not shown again once saved.'
}
