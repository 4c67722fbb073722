import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { hereMediaUrl } from '../here-url.ts'
import type { StreamInput, StreamMonitoring } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { BitrateHistory, bitrateOf } from './bitrate.tsx'
import { InputBadge } from './state.tsx'

type Input = NonNullable<StreamMonitoring['input']>

/** The video that comes in; the address to send it to is told to people who may run streams. */
export function InputPanel({ input, mayRun }: { input: Input | null; mayRun: boolean }) {
  if (!input)
    return (
      <Panel title="Input">
        <p className="cell-about">The stream has no input.</p>
      </Panel>
    )
  return (
    <Panel title={`Input: ${input.name}`} actions={<InputBadge state={input.state} />}>
      <div className="stack">
        <Facts
          facts={[
            ['Bitrate', bitrateOf(input.bitrateKb)],
            ['Comes by', input.protocol === null ? '–' : input.protocol.toUpperCase()],
            ['Video since', <Moment key="since" at={input.liveAt} seconds />],
          ]}
        />
        <BitrateHistory name="Bitrate of the input" history={input.history} />
        {input.lastError && <p className="field-error">{input.lastError}</p>}
        {mayRun && <Addresses inputId={input.inputId} />}
      </div>
    </Panel>
  )
}

function Addresses({ inputId }: { inputId: number }) {
  const { value } = useResource<StreamInput>(`/v1/streams/inputs/${inputId}`)
  if (!value) return null
  if (value.type === 'pull') return <Copy text={value.sourceUrl} label="It is fetched from" />
  return (
    <>
      <p className="field-hint">Send video to one of these addresses. The key in them is a secret.</p>
      {value.rtmpUrl && (
        <Copy text={hereMediaUrl(`${value.rtmpUrl}/${value.streamKey}`)} label="RTMP address with key" />
      )}
      {value.srtUrl && <Copy text={hereMediaUrl(value.srtUrl)} label="SRT address with key" />}
    </>
  )
}

/** The encoder that burns graphics in. */
export function ProgramPanel({ program }: { program: NonNullable<StreamMonitoring['program']> }) {
  return (
    <Panel title="Program" about="The picture with the graphics burned in.">
      <div className="stack">
        <Facts
          facts={[
            ['Bitrate', bitrateOf(program.bitrateKb)],
            ['CPU', program.cpuPercent === null ? '–' : `${Math.round(program.cpuPercent)} %`],
            ['Memory', program.rssBytes === null ? '–' : `${Math.round(program.rssBytes / 1_048_576)} MB`],
          ]}
        />
        <BitrateHistory name="Bitrate of the program" history={program.history} />
      </div>
    </Panel>
  )
}
