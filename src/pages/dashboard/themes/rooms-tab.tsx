import { Waiting } from '../parts.tsx'
import { RoomTable } from '../rooms/room-table.tsx'
import type { Room } from '../shapes.ts'
import { useResource } from '../use-resource.ts'

export function RoomsTab({ themeId }: { themeId: number }) {
  const { value, error, reload } = useResource<Room[]>(`/v2/control-rooms?themeId=${themeId}`)
  return value ? <RoomTable rooms={value} /> : <Waiting error={error} reload={reload} />
}
