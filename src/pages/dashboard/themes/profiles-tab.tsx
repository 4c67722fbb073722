import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { Empty, Waiting } from '../parts.tsx'
import { Link } from '../router.tsx'
import type { CompetitionList, Room, ThemeProfile } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ThemeValue } from './theme-value.tsx'

/** How competitions use the theme: with which room, and with which values of their own. */
export function ProfilesTab({ themeId }: { themeId: number }) {
  const competitions = useResource<CompetitionList>('/v1/competitions?limit=1000')
  const [chosen, setChosen] = useState<number>()
  if (!competitions.value) return <Waiting error={competitions.error} reload={competitions.reload} />
  const competitionId = chosen ?? competitions.value.competitions[0]?.id
  if (competitionId === undefined) return <Empty>There are no competitions yet.</Empty>
  return (
    <>
      <div className="filters">
        <SelectField
          label="Competition"
          value={competitionId}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {competitions.value.competitions.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <Profiles key={competitionId} competitionId={competitionId} themeId={themeId} />
    </>
  )
}

function Profiles({ competitionId, themeId }: { competitionId: number; themeId: number }) {
  const list = useResource<ThemeProfile[]>(`/v2/competitions/${competitionId}/theme-profiles`)
  const rooms = useResource<Room[]>(`/v2/control-rooms?themeId=${themeId}`)
  if (!list.value) return <Waiting error={list.error} reload={list.reload} />
  const profiles = list.value.filter((profile) => profile.themeId === themeId)
  if (profiles.length === 0) return <Empty>This competition does not use the theme.</Empty>
  return (
    <Table label="Profiles" columns={['Profile', 'Control room', 'Own values', 'Changed', '']}>
      {profiles.map((profile) => (
        <tr key={profile.id}>
          <td>
            {profile.name} {profile.isDefault && <Badge tone="good">Default</Badge>}
            <p className="cell-about">competitionThemeSettingId {profile.id}</p>
          </td>
          <td>
            <Link to={`/control-rooms/${profile.defaultControlRoomId}`}>
              {rooms.value?.find(({ id }) => id === profile.defaultControlRoomId)?.name ??
                `Room ${profile.defaultControlRoomId}`}
            </Link>
          </td>
          <td>
            {(profile.themeVariableValues ?? []).length === 0 && 'none: the defaults of the theme'}
            <ul className="values">
              {(profile.themeVariableValues ?? []).map(({ variableId, value }) => (
                <li key={variableId}>
                  <span className="mono">{variableId}</span> <ThemeValue value={value} />
                </li>
              ))}
            </ul>
          </td>
          <td>
            <Moment at={profile.updatedAt} />
          </td>
          <td className="cell-actions">
            <Link className="button button-small" to={`/sponsor-slots/${competitionId}/${profile.id}`}>
              Sponsor slots<span className="visually-hidden"> of {profile.name}</span>
            </Link>
            <Link className="button button-small" to={`/game-plans/${competitionId}/${profile.id}`}>
              Game plan<span className="visually-hidden"> of {profile.name}</span>
            </Link>
          </td>
        </tr>
      ))}
    </Table>
  )
}
