import type { ComponentProps } from 'react'
import { Badge } from '../ui/badge.tsx'
import { BitrateChart, bitrateText } from '../ui/bitrate-chart.tsx'
import { elapsed } from '../ui/elapsed.ts'
import type { Stream } from './api.ts'
import { Panel } from './panel.tsx'
import type { Polled } from './use-polled.ts'

type State = { tone?: NonNullable<ComponentProps<typeof Badge>['tone']>; word: string }
type Input = NonNullable<Stream['input']>
type Destination = Stream['destinations'][number]

const STREAM: Readonly<Record<Stream['state'], State>> = {
  idle: { word: 'Stopped' },
  starting: { tone: 'pending', word: 'Starting' },
  live: { tone: 'good', word: 'Running' },
  stopping: { tone: 'pending', word: 'Stopping' },
  error: { tone: 'bad', word: 'Stopped by a fault' },
}

const PROTOCOLS = { rtmp: 'RTMP', srt: 'SRT', pull: 'fetched by this server' } as const

const INPUT: Readonly<Record<Input['state'], State>> = {
  idle: { word: 'No video' },
  waiting: { tone: 'pending', word: 'Waiting for video' },
  live: { tone: 'good', word: 'Video' },
  reconnecting: { tone: 'bad', word: 'Reconnecting' },
}

function destinationState({ status, publishing, nextRetryDate }: Destination, now: number): State {
  if (!publishing) return { word: 'Not published' }
  if (status === 'connected') return { tone: 'good', word: 'Connected' }
  if (status === 'connecting') return { tone: 'pending', word: 'Connecting' }
  const wait = nextRetryDate === null ? 0 : Date.parse(nextRetryDate) - now
  return { tone: 'bad', word: wait > 0 ? `Next try in ${elapsed(wait)}` : 'Trying again' }
}

function Line({
  name,
  about,
  state: { tone, word },
  measured: { bitrateKb, history },
  error,
  now,
}: {
  name: string
  about: string
  state: State
  measured: { bitrateKb: number | null; history: Input['history'] }
  error: string | null
  now: number
}) {
  return (
    <li className="line">
      <div className="line-about">
        <span className="line-name">{name}</span>
        <span className="line-kind">{about}</span>
      </div>
      <Badge {...(tone && { tone })}>{word}</Badge>
      <span className="line-rate tabular">{bitrateKb === null ? '–' : bitrateText(bitrateKb)}</span>
      <BitrateChart name={name} history={history} now={now} />
      {error !== null && <p className="line-error">{error}</p>}
    </li>
  )
}

const TYPES: Readonly<Record<Destination['type'], string>> = {
  rtmp: 'To an RTMP server',
  srt: 'To an SRT server',
  youtube: 'To YouTube',
  facebook: 'To Facebook',
  pull: 'Fetched by others',
}

const kindOf = ({ type, activeClients }: Destination) =>
  activeClients === null ? TYPES[type] : `${TYPES[type]}, ${activeClients} now`

function One({ stream, now }: { stream: Stream; now: number }) {
  const { name, state, liveAt, input, destinations, overlayId, overlayHidden, lastError } = stream
  const { tone, word } = STREAM[state]
  return (
    <div className="stream">
      <h3 className="stream-head">
        <span className="stream-name">{name}</span>
        <Badge {...(tone && { tone })}>{word}</Badge>
        {state === 'live' && liveAt !== null && (
          <span className="stream-since tabular">live for {elapsed(now - Date.parse(liveAt))}</span>
        )}
        {overlayId !== null && overlayHidden && <Badge tone="pending">Graphics hidden</Badge>}
      </h3>
      {lastError !== null && <p className="line-error">{lastError}</p>}
      <ul className="lines">
        {input ? (
          <Line
            name={input.name}
            about={input.protocol === null ? 'Input' : `Input, ${PROTOCOLS[input.protocol]}`}
            state={INPUT[input.state]}
            measured={input}
            error={input.lastError}
            now={now}
          />
        ) : (
          <li className="none">No input is chosen</li>
        )}
        {destinations.map((destination) => (
          <Line
            key={destination.id}
            name={destination.name}
            about={kindOf(destination)}
            state={destinationState(destination, now)}
            measured={destination}
            error={destination.publishing ? destination.lastError : null}
            now={now}
          />
        ))}
      </ul>
    </div>
  )
}

/** Inputs and destinations of the match's streams; nothing while there is no stream. */
export function Streams({ polled, now }: { polled: Polled<{ streams: Stream[] }>; now: number }) {
  const streams = polled.answer?.streams ?? []
  if (streams.length === 0) return null
  return (
    <Panel
      id="streams"
      className="streams"
      title={streams.length === 1 ? 'Stream' : 'Streams'}
      beside={polled.stale && <Badge tone="bad">Not up to date</Badge>}
    >
      {streams.map((stream) => (
        <One key={stream.streamSettingsId} stream={stream} now={now} />
      ))}
    </Panel>
  )
}
