import { worded } from '../../../schema/worded.ts'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { eventInWords } from '../event-words.ts'
import type { StreamMonitoring } from '../shapes.ts'

type Event = StreamMonitoring['events'][number]

/** The details of an event that mean something to people. */
const TOLD = ['error', 'attempt', 'protocol', 'hidden', 'autoStream'] as const

const detailsOf = ({ details }: Event, name: string | undefined) =>
  [
    name,
    ...TOLD.map((key) => (details[key] === undefined ? undefined : `${worded(key).toLowerCase()}: ${details[key]}`)),
  ]
    .filter(Boolean)
    .join(', ')

/** `names` are those of the destinations by id. */
export function Events({ events, names }: { events: readonly Event[]; names: ReadonlyMap<number, string> }) {
  if (events.length === 0) return <p className="cell-about">Nothing yet.</p>
  return (
    <Table label="What happened" columns={['When', 'What', 'By']}>
      {events.map((event) => {
        const details = detailsOf(event, event.subject === 'destination' ? names.get(event.id) : undefined)
        return (
          <tr key={`${event.at} ${event.type} ${event.id}`}>
            <td>
              <Moment at={event.at} seconds />
            </td>
            <td>
              {eventInWords(event.type)}
              {details && <p className="cell-about">{details}</p>}
            </td>
            <td>
              {event.by.name ?? event.by.type}
              {event.by.name && <p className="cell-about">{event.by.type}</p>}
            </td>
          </tr>
        )
      })}
    </Table>
  )
}
