import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import type { StreamMonitoring } from '../shapes.ts'

type Event = StreamMonitoring['events'][number]

/** `streamInput.created` as `Stream input created` */
function wordsOf(type: string): string {
  const words = type.replace(/[.]/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

const SAID_ELSEWHERE = new Set(['streamSettingsId', 'matchId', 'inputId', 'destinationId', 'name', 'inputType'])

const detailsOf = ({ details }: Event) =>
  Object.entries(details)
    .filter(([name, value]) => !SAID_ELSEWHERE.has(name) && (typeof value !== 'object' || value === null))
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

export function Events({ events }: { events: readonly Event[] }) {
  if (events.length === 0) return <p className="cell-about">Nothing yet.</p>
  return (
    <Table label="What happened" columns={['When', 'What', 'By']}>
      {events.map((event) => (
        <tr key={`${event.at} ${event.type} ${event.id}`}>
          <td>
            <Moment at={event.at} seconds />
          </td>
          <td>
            {wordsOf(event.type)}
            {detailsOf(event) && <p className="cell-about">{detailsOf(event)}</p>}
          </td>
          <td>
            {event.by.name ?? event.by.type}
            {event.by.name && <p className="cell-about">{event.by.type}</p>}
          </td>
        </tr>
      ))}
    </Table>
  )
}
