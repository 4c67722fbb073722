import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Room, ThemeList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { NewRoomButton } from './new-room-dialog.tsx'
import { RoomTable } from './room-table.tsx'

export function RoomsView() {
  const rooms = useResource<Room[]>('/v2/control-rooms')
  const mayChange = useMay('themes:write')
  const themes = useResource<ThemeList>('/v2/themes?limit=1000')
  return (
    <>
      <PageHead title="Control rooms" about="What operators have before them: presets in sections, in order.">
        {mayChange && <NewRoomButton />}
        <RoleLimit scope="themes:write" />
      </PageHead>
      {rooms.value ? (
        <RoomTable
          rooms={rooms.value}
          themes={new Map((themes.value?.themes ?? []).map(({ id, name }) => [id, name]))}
        />
      ) : (
        <Waiting error={rooms.error} reload={rooms.reload} />
      )}
    </>
  )
}
