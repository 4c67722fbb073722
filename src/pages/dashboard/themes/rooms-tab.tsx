import { Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { NewRoomButton } from '../rooms/new-room-dialog.tsx'
import { RoomTable } from '../rooms/room-table.tsx'
import { useMay } from '../session.tsx'
import type { Room } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

export function RoomsTab({ themeId }: { themeId: number }) {
  const { value, error, reload } = useResource<Room[]>(`/v2/control-rooms?themeId=${themeId}`)
  const mayChange = useMay('themes:write')
  if (!value) return <Waiting error={error} reload={reload} />
  return (
    <>
      <div className="form-actions">{mayChange && <NewRoomButton themeId={themeId} />}</div>
      <RoleLimit scope="themes:write" />
      <RoomTable rooms={value} />
    </>
  )
}
