import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { hereUrl } from '../here-url.ts'
import { Empty, Failure, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { RoomDetail } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { ModeSetting } from './mode-setting.tsx'
import { NameDialog } from './name-dialog.tsx'
import { SectionPanel } from './section-panel.tsx'

/** One control room: its sections and presets in the order of operators. */
export function RoomView({ params }: ViewProps) {
  const path = `/v2/control-rooms/${params.roomId}`
  const { value: room, error, reload } = useResource<RoomDetail>(path)
  const mayChange = useMay('themes:write')
  const [renaming, setRenaming] = useState(false)
  const [adding, setAdding] = useState(false)
  const order = useCommand(async (body: object, key) => {
    try {
      await api('PATCH', path, { body, key })
    } finally {
      // after a refusal too: somebody else may have changed the room
      await reload()
    }
  })
  const back = { to: '/control-rooms', title: 'Control rooms' }
  if (!room)
    return (
      <>
        <PageHead title="Control room" back={back} />
        <Waiting error={error} reload={reload} />
      </>
    )
  const ids = room.sections.map(({ id }) => id)
  const move = (index: number, by: -1 | 1) => {
    const sectionIds = ids.filter((_, place) => place !== index)
    sectionIds.splice(index + by, 0, ids[index] ?? '')
    void order.run({ sectionIds, ifUnchangedSince: room.updatedAt })
  }
  return (
    <>
      <PageHead
        title={room.name}
        back={back}
        about={
          <>
            Theme <Link to={`/themes/${room.theme.id}`}>{room.theme.name}</Link>
            {room.theme.activeVersion === null ? ', no active version' : `, version ${room.theme.activeVersion}`}
          </>
        }
      >
        {mayChange && (
          <>
            <Button onClick={() => setRenaming(true)}>Rename</Button>
            <Button onClick={() => setAdding(true)}>Add a section…</Button>
          </>
        )}
        <RoleLimit scope="themes:write" />
      </PageHead>
      <Failure error={order.error} />
      <ModeSetting room={room} path={path} mayChange={mayChange} reload={reload} />
      {room.sections.length === 0 && <Empty>The room has no sections yet.</Empty>}
      {room.sections.map((section, index) => (
        <SectionPanel
          key={section.id}
          room={room}
          section={section}
          mayChange={mayChange}
          reload={reload}
          {...(index > 0 && { onUp: () => move(index, -1) })}
          {...(index < ids.length - 1 && { onDown: () => move(index, 1) })}
        />
      ))}
      {room.overlays && <Overlays overlays={room.overlays} />}
      {mayChange && <Deletion room={room} />}
      {adding && (
        <NameDialog
          title="Add a section"
          path={`${path}/sections`}
          method="POST"
          name=""
          readAt={room.updatedAt}
          coloured
          onClose={() => setAdding(false)}
          reload={reload}
        />
      )}
      {renaming && (
        <NameDialog
          title="Rename the control room"
          path={path}
          name={room.name}
          readAt={room.updatedAt}
          onClose={() => setRenaming(false)}
          reload={reload}
        />
      )}
    </>
  )
}

function Deletion({ room }: { room: RoomDetail }) {
  const [asking, setAsking] = useState(false)
  return (
    <Panel title="Delete">
      <Button onClick={() => setAsking(true)}>Delete the control room…</Button>
      <Confirm
        open={asking}
        title={`Delete ${room.name}?`}
        about="Its sections and presets go with it. What they have on air stays there and can be hidden."
        label="Delete the control room"
        onClose={() => setAsking(false)}
        write={async (key) => {
          const read = new URLSearchParams({ ifUnchangedSince: room.updatedAt })
          await api('DELETE', `/v2/control-rooms/${room.id}?${read}`, { key })
          navigate('/control-rooms', { replace: true })
        }}
      />
    </Panel>
  )
}

function Overlays({ overlays }: { overlays: NonNullable<RoomDetail['overlays']> }) {
  return (
    <Panel title="Overlays that use this room">
      {overlays.length === 0 ? (
        <p className="cell-about">None yet. An overlay takes a room in its settings.</p>
      ) : (
        <Table label="Overlays" columns={['Overlay', 'Match', '']}>
          {overlays.map(({ id, name, matchId, monitoringUrl }) => (
            <tr key={id}>
              <td>
                <Link to={`/overlays/${id}`}>{name}</Link>
              </td>
              <td>
                <Link to={`/matches/${matchId}`}>Match {matchId}</Link>
              </td>
              <td className="cell-actions">
                <a className="button button-small" href={hereUrl(monitoringUrl)} target="_blank" rel="noreferrer">
                  Monitor<span className="visually-hidden"> {name}</span>
                </a>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  )
}
