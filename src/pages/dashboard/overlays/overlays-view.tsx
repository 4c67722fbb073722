import { Badge } from '../../ui/badge.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { matchName, useMatches } from '../match-names.ts'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Overlay, OverlayList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ControlRoomLink } from './control-room-link.tsx'

const EVERY_MS = 5_000

/** Every overlay: those on air first, then the newest. */
export function OverlaysView() {
  const { value, error, reload } = useResource<OverlayList>('/v2/overlays?limit=1000', { everyMs: EVERY_MS })
  const matches = useMatches()
  const overlays = value && [...value.overlays].sort((one, other) => airOf(other) - airOf(one) || other.id - one.id)
  return (
    <>
      <PageHead title="Overlays" about="Each is one output with addresses of its own, and belongs to a match." />
      {!overlays && <Waiting error={error} reload={reload} />}
      {overlays?.length === 0 && <Empty>There are no overlays yet. Creating a match makes one.</Empty>}
      {overlays && overlays.length > 0 && (
        <Table label="Overlays" columns={['Overlay', 'Match', 'Start', 'Renderers', 'On air', '']}>
          {overlays.map((overlay) => {
            const match = matches.get(overlay.matchId)
            return (
              <tr key={overlay.id}>
                <td>
                  <Link to={`/overlays/${overlay.id}`}>{overlay.name}</Link>
                </td>
                <td>{match && <Link to={`/matches/${match.id}`}>{matchName(match)}</Link>}</td>
                <td>
                  <Moment at={match?.date} />
                </td>
                <td>
                  <Badge {...(overlay.active && { tone: 'good' })}>{overlay.active ? 'Connected' : 'None'}</Badge>
                </td>
                <td>
                  {overlay.rehearsal ? (
                    <Badge tone="pending">Rehearsal</Badge>
                  ) : airOf(overlay) > 0 ? (
                    <Badge tone="air">{Object.keys(overlay.manualGraphicState).join(', ')}</Badge>
                  ) : (
                    'Nothing'
                  )}
                </td>
                <td className="cell-actions">
                  <ControlRoomLink look="small" overlay={overlay} />
                </td>
              </tr>
            )
          })}
        </Table>
      )}
    </>
  )
}

const airOf = ({ manualGraphicState, rehearsal }: Overlay): number =>
  rehearsal ? 0 : Object.keys(manualGraphicState).length
