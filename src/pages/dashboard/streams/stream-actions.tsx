import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Failure } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import type { Stream, StreamMonitoring } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { StreamBadge } from './state.tsx'

type Props = { stream: Stream; watched: StreamMonitoring; mayRun: boolean; reload: () => Promise<void> }

/** The state in large, and the actions possible in it. */
export function StreamActions({ stream, watched, mayRun, reload }: Props) {
  const [stopping, setStopping] = useState(false)
  const act = useCommand(async (step: 'start' | 'go-live', key) => {
    await api('POST', `/v1/streams/${stream.id}/${step}`, { body: {}, key })
    await reload()
  })
  const stopped = watched.state === 'idle' || watched.state === 'error'
  const running = watched.state === 'live'
  return (
    <section className="panel run" aria-label="State">
      <div className="run-state">
        <StreamBadge {...watched} />
        {watched.liveAt && (
          <span>
            live since <Moment at={watched.liveAt} seconds />
          </span>
        )}
        {!watched.liveAt && watched.startedAt && running && (
          <span>
            running since <Moment at={watched.startedAt} seconds />
          </span>
        )}
        {watched.lastError && <span className="field-error">{watched.lastError}</span>}
      </div>
      {mayRun && (
        <div className="page-actions">
          {stopped && (
            <Button look="primary" disabled={act.busy || stream.inputId === null} onClick={() => void act.run('start')}>
              Start
            </Button>
          )}
          {running && stream.destinations.some(({ publishing }) => !publishing) && (
            <Button look="primary" disabled={act.busy} onClick={() => void act.run('go-live')}>
              Go live on every destination
            </Button>
          )}
          {!stopped && (
            <Button look="danger" disabled={watched.state !== 'live'} onClick={() => setStopping(true)}>
              Stop
            </Button>
          )}
        </div>
      )}
      <RoleLimit scope="streams:write" />
      {stopped && stream.inputId === null && <p className="field-hint">It needs an input before it can be started.</p>}
      <Failure error={act.error} />
      <Confirm
        open={stopping}
        title={`Stop ${stream.name}?`}
        about={
          stream.destinations.some(({ publishing }) => publishing)
            ? 'It goes off air on every destination at once.'
            : 'Nothing is published at the moment. The program ends.'
        }
        label="Stop the stream"
        onClose={() => setStopping(false)}
        write={async (key) => {
          await api('POST', `/v1/streams/${stream.id}/stop`, { body: {}, key })
          await reload()
        }}
      />
    </section>
  )
}
