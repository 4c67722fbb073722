import './records.css'
import { useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { ClubList, RosterPlayerList, Team, VenueList } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { ClubMark, Swatches } from './club-mark.tsx'
import { PlayerDialog } from './player-dialog.tsx'
import { NONE } from './record-list.tsx'
import { TeamDialog } from './team-dialog.tsx'

type RosterPlayer = RosterPlayerList['players'][number]

const BACK = { to: '/teams', title: 'Teams' }

/** One team: how it is shown, who leads it, and who plays for it. */
export function TeamView({ params }: ViewProps) {
  const path = `/v1/teams/${params.teamId}`
  const { value: team, error, reload } = useResource<Team>(path)
  const mayChange = useMay('teams:write')
  const [editing, setEditing] = useState(false)
  if (!team)
    return (
      <>
        <PageHead title="Team" back={BACK} />
        <Waiting error={error} reload={reload} />
      </>
    )
  return (
    <>
      <PageHead title={team.name} back={BACK} about={worded(team.sport)}>
        {mayChange && <Button onClick={() => setEditing(true)}>Edit the team</Button>}
        <RoleLimit scope="teams:write" />
      </PageHead>
      <TeamFacts team={team} />
      <Roster team={team} mayChange={mayChange} />
      {editing && <TeamDialog record={team} onClose={() => setEditing(false)} onSaved={reload} />}
    </>
  )
}

function TeamFacts({ team }: { team: Team }) {
  const venues = useResource<VenueList>(team.defaultVenueId ? '/v1/venues?limit=1000' : undefined)
  const clubs = useResource<ClubList>(team.clubId ? '/v1/teams/clubs?limit=1000' : undefined)
  const venue = venues.value?.venues.find(({ id }) => id === team.defaultVenueId)
  const club = clubs.value?.clubs.find(({ id }) => id === team.clubId)
  const staff = (team.nonPlayerStaff ?? []).map(
    ({ firstName, lastName, role }) => `${firstName} ${lastName} (${worded(role).toLowerCase()})`,
  )
  return (
    <Panel title="As graphics show it">
      <div className="team-facts">
        <ClubMark of={team} />
        <dl className="facts">
          {(
            [
              ['On graphics', team.gfxName],
              ['In full', team.gfxFullName],
              ['Short', team.abbreviation],
              ['Club', club?.name],
              ['Home ground', venue?.name],
              ['Staff', staff.join(', ')],
            ] as const
          ).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value || NONE}</dd>
            </div>
          ))}
          <div>
            <dt>Colours</dt>
            <dd>
              <Swatches
                colours={[
                  team.primaryBackgroundColor,
                  team.primaryTextColor,
                  team.secondaryBackgroundColor,
                  team.secondaryTextColor,
                ]}
              />
            </dd>
          </div>
        </dl>
      </div>
    </Panel>
  )
}

const nameOf = ({ firstName, lastName }: RosterPlayer) => `${firstName} ${lastName}`
const SHOWN = 100

function Roster({ team, mayChange }: { team: Team; mayChange: boolean }) {
  const path = `/v1/teams/${team.id}/players`
  const [limit, setLimit] = useState(SHOWN)
  const list = useResource<RosterPlayerList>(`${path}?limit=${limit}`)
  const [edited, setEdited] = useState<RosterPlayer | 'new'>()
  const [removed, setRemoved] = useState<RosterPlayer>()
  const players = list.value?.players ?? []
  const [search, setSearch] = useState('')
  const shown = players.filter((player) =>
    `${player.number ?? ''} ${nameOf(player)}`.toLowerCase().includes(search.trim().toLowerCase()),
  )
  return (
    <Panel
      title={list.value ? `Players (${list.value.total})` : 'Players'}
      about="In every match of the team; a line-up is chosen at the match."
      actions={
        mayChange && (
          <div className="page-actions">
            <Link className="button" to={`/teams/${team.id}/import`}>
              Paste or import…
            </Link>
            <Button look="primary" onClick={() => setEdited('new')}>
              Add a player
            </Button>
          </div>
        )
      }
    >
      {!list.value && <Waiting error={list.error} reload={list.reload} />}
      {list.value?.total === 0 && (
        <Empty>
          <p>Nobody is on the roster. Copy the squad from a spreadsheet and paste it: names and numbers are enough.</p>
        </Empty>
      )}
      {players.length > 12 && (
        <div className="filters roster-search">
          <label className="field">
            <span className="field-label">Search by name or number</span>
            <input className="input" type="search" value={search} onChange={({ target }) => setSearch(target.value)} />
          </label>
        </div>
      )}
      {players.length > 0 && (
        <div className="record-table">
          <Table label="Players" columns={['No.', 'Player', 'Position', 'On graphics', 'Usually', '']}>
            {shown.map((player) => (
              <tr key={player.id}>
                <td className="tabular">{player.number || NONE}</td>
                <td className="cell-wrap">
                  {nameOf(player)} {player.captain && <Badge>Captain</Badge>}
                </td>
                <td>{[player.position, player.positionType].filter(Boolean).join(', ') || NONE}</td>
                <td>{[player.gfxFirstName, player.gfxLastName].filter(Boolean).join(' ') || NONE}</td>
                <td>{player.starter ? 'Starts' : player.bench ? 'Bench' : NONE}</td>
                <td className="cell-actions">
                  {mayChange && (
                    <ActionMenu
                      of={nameOf(player)}
                      actions={[
                        { title: 'Edit', onSelect: () => setEdited(player) },
                        { title: 'Take off the roster', onSelect: () => setRemoved(player), danger: true },
                      ]}
                    />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        </div>
      )}
      {list.value && list.value.total > list.value.returned && limit < 1000 && (
        <Button onClick={() => setLimit(1000)}>Show more ({list.value.total - list.value.returned})</Button>
      )}
      {edited && (
        <PlayerDialog
          teamId={team.id}
          player={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={list.reload}
        />
      )}
      {removed && (
        <Confirm
          open
          title={`Take ${nameOf(removed)} off the roster?`}
          about="Line-ups that name the player stay, and so does the player: under Players, where the record can be deleted."
          label="Take off the roster"
          onClose={() => setRemoved(undefined)}
          write={async (key) => {
            await api('DELETE', `${path}/${removed.id}`, { key })
            await list.reload()
          }}
        />
      )}
    </Panel>
  )
}
