import { Panel } from '../../ui/panel.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Match } from '../shapes.ts'
import { StreamBadge } from '../streams/state.tsx'

/** The streams of a match, and the way to another one. */
export function MatchStreams({ match: { id, streams = [] } }: { match: Match }) {
  const mayWrite = useMay('streams:write')
  return (
    <Panel
      title="Streams"
      actions={
        mayWrite && (
          <Link className="button button-small" to={`/streams/new?match=${id}`}>
            New stream…
          </Link>
        )
      }
    >
      {streams.length === 0 && (
        <p className="field-hint">None. A stream burns the graphics into video and sends it to its destinations.</p>
      )}
      <RoleLimit scope="streams:write" />
      <ul className="side-list">
        {streams.map((stream) => (
          <li className="side-row" key={stream.id}>
            <Link to={`/streams/${stream.id}`}>{stream.name}</Link>
            <StreamBadge {...stream} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
