import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { Room } from '../shapes.ts'
import { SectionName } from './section-name.tsx'

export function RoomTable({ rooms, themes }: { rooms: readonly Room[]; themes?: ReadonlyMap<number, string> }) {
  if (rooms.length === 0) return <Empty>There are no control rooms yet.</Empty>
  return (
    <Table label="Control rooms" columns={['Control room', ...(themes ? ['Theme'] : []), 'Sections', 'Changed']}>
      {rooms.map((room) => (
        <tr key={room.id}>
          <td>
            <Link to={`/control-rooms/${room.id}`}>{room.name}</Link>
          </td>
          {themes && (
            <td>
              <Link to={`/themes/${room.themeId}`}>{themes.get(room.themeId) ?? `Theme ${room.themeId}`}</Link>
            </td>
          )}
          <td>
            <ul className="sections-row">
              {room.sections.map((section) => (
                <li key={section.id}>
                  <SectionName {...section} />
                </li>
              ))}
            </ul>
          </td>
          <td>
            <Moment at={room.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
