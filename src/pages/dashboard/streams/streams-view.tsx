import { Badge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { matchName, useMatches } from '../match-names.ts'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Stream, StreamList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { StreamBadge } from './state.tsx'

const STATES = { idle: 'Stopped', starting: 'Starting', live: 'Running', stopping: 'Stopping', error: 'Faulty' }
const READ_EVERY_MS = 5_000

export function StreamsView() {
  const state = useSearch().get('state') ?? ''
  const mayWrite = useMay('streams:write')
  const list = useResource<StreamList>(`/v1/streams?limit=1000${state && `&state=${encodeURIComponent(state)}`}`, {
    everyMs: READ_EVERY_MS,
  })
  return (
    <>
      <PageHead title="Streams" about="Video that comes in, with graphics burned in where asked, and where it goes.">
        {mayWrite && (
          <Link className="button button-primary" to="/streams/new">
            New stream
          </Link>
        )}
        <RoleLimit scope="streams:write" />
      </PageHead>
      <div className="filters">
        <SelectField
          label="State"
          value={state}
          onChange={(event) => navigate(`/streams${event.target.value && `?state=${event.target.value}`}`)}
        >
          <option value="">Every state</option>
          {Object.entries(STATES).map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
      </div>
      {list.value ? (
        <Streams streams={list.value.streams} filtered={state !== ''} />
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
    </>
  )
}

function Streams({ streams, filtered }: { streams: readonly Stream[]; filtered: boolean }) {
  const matches = useMatches()
  if (streams.length === 0)
    return (
      <Empty>{filtered ? 'No stream is in this state.' : 'There are no streams yet. Each belongs to a match.'}</Empty>
    )
  return (
    <Table label="Streams" columns={['Stream', 'Match', 'State', 'Destinations', 'Auto Stream', 'Live since']}>
      {streams.map((stream) => {
        const match = matches.get(stream.matchId)
        return (
          <tr key={stream.id}>
            <td>
              <Link to={`/streams/${stream.id}`}>{stream.name}</Link>
              {stream.lastError && <p className="cell-about">{stream.lastError}</p>}
            </td>
            <td>
              <Link to={`/matches/${stream.matchId}`}>{match ? matchName(match) : `Match ${stream.matchId}`}</Link>
            </td>
            <td>
              <StreamBadge {...stream} />
            </td>
            <td>{publishingOf(stream)}</td>
            <td>{stream.autoStream ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}</td>
            <td>
              <Moment at={stream.liveAt} />
            </td>
          </tr>
        )
      })}
    </Table>
  )
}

function publishingOf({ destinations }: Stream): string {
  if (destinations.length === 0) return 'none'
  const connected = destinations.filter(({ publishing, status }) => publishing && status === 'connected').length
  return `${connected} of ${destinations.length} connected`
}
