import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Failure } from '../parts.tsx'
import type { Stream, StreamMonitoring } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { BitrateHistory, bitrateOf } from './bitrate.tsx'
import { ChangeDestination, NewDestination } from './destination-dialog.tsx'
import { DestinationBadge } from './state.tsx'
import { DESTINATION_TYPES } from './stream-draft.ts'

type Destination = StreamMonitoring['destinations'][number]
type Props = { stream: Stream; watched: StreamMonitoring; mayRun: boolean; reload: () => Promise<void> }

/** Where the stream goes; each can be started and stopped by itself while the stream runs. */
export function Destinations({ stream, watched, mayRun, reload }: Props) {
  const [stopping, setStopping] = useState<Destination>()
  const [adding, setAdding] = useState(false)
  const [changing, setChanging] = useState<Destination>()
  const [removing, setRemoving] = useState<Destination>()
  const path = (step: 'start' | 'stop') => `/v1/streams/${stream.id}/destinations/${step}`
  const start = useCommand(async (id: number, key) => {
    await api('POST', path('start'), { body: { destinationIds: [id] }, key })
    await reload()
  })
  const running = watched.state === 'live'
  return (
    <Panel
      title="Destinations"
      actions={
        mayRun && (
          <Button small onClick={() => setAdding(true)}>
            Add a destination…
          </Button>
        )
      }
    >
      <Failure error={start.error} />
      {watched.destinations.length === 0 ? (
        <p className="cell-about">The stream goes nowhere yet.</p>
      ) : (
        <Table label="Destinations" columns={['Destination', 'State', 'Now', 'Last ten minutes', '']}>
          {watched.destinations.map((destination) => (
            <tr key={destination.id}>
              <td>
                {destination.name}
                <p className="cell-about">{DESTINATION_TYPES[destination.type]}</p>
              </td>
              <td>
                <DestinationBadge {...destination} />
                {destination.lastError && <p className="cell-about">{destination.lastError}</p>}
              </td>
              <td>{nowOf(destination)}</td>
              <td className="cell-chart">
                {destination.publishing && (
                  <BitrateHistory name={`Bitrate to ${destination.name}`} history={destination.history} />
                )}
              </td>
              <td className="cell-actions">
                {mayRun && running && !destination.publishing && (
                  <Button small disabled={start.busy} onClick={() => void start.run(destination.id)}>
                    Start<span className="visually-hidden"> {destination.name}</span>
                  </Button>
                )}
                {mayRun && running && destination.publishing && (
                  <Button small onClick={() => setStopping(destination)}>
                    Stop<span className="visually-hidden"> {destination.name}</span>
                  </Button>
                )}
                {mayRun && (
                  <ActionMenu
                    of={destination.name}
                    actions={[
                      {
                        title: destination.type === 'pull' ? 'Address and settings' : 'Change',
                        onSelect: () => setChanging(destination),
                      },
                      // a destination that publishes is stopped first
                      ...(destination.publishing
                        ? []
                        : [{ title: 'Remove', onSelect: () => setRemoving(destination), danger: true }]),
                    ]}
                  />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <Confirm
        open={stopping !== undefined}
        title={`Stop ${stopping?.name ?? ''}?`}
        about="It goes off air there at once. The stream and its other destinations go on."
        label="Stop the destination"
        onClose={() => setStopping(undefined)}
        write={async (key) => {
          if (stopping) await api('POST', path('stop'), { body: { destinationIds: [stopping.id] }, key })
          await reload()
        }}
      />
      <Confirm
        open={removing !== undefined}
        title={`Remove ${removing?.name ?? ''}?`}
        about="Its address and its key are forgotten. The stream and its other destinations go on."
        label="Remove the destination"
        onClose={() => setRemoving(undefined)}
        write={async (key) => {
          if (removing) await api('DELETE', `/v1/streams/destinations/${removing.id}`, { key })
          await reload()
        }}
      />
      {adding && <NewDestination streamId={stream.id} onClose={() => setAdding(false)} reload={reload} />}
      {changing && (
        <ChangeDestination destinationId={changing.id} onClose={() => setChanging(undefined)} reload={reload} />
      )}
    </Panel>
  )
}

function nowOf({ status, bitrateKb, nextRetryDate, activeClients, publishing, failures }: Destination) {
  if (!publishing) return '–'
  if (activeClients !== null) return `${activeClients} ${activeClients === 1 ? 'viewer' : 'viewers'}`
  if (status === 'connected') return bitrateOf(bitrateKb)
  if (status === 'connecting') return failures === 0 ? 'connecting' : `connecting, after ${failures} failed tries`
  return (
    <>
      next try <Moment at={nextRetryDate} seconds />
    </>
  )
}
