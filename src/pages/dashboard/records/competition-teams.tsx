import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Empty, Waiting } from '../parts.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Competition, Team, TeamList, CompetitionTeams as TeamsOf } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import { ClubMark } from './club-mark.tsx'
import { TeamDialog } from './team-dialog.tsx'

/** Who plays in a competition: teams are made, put in, imported, and taken out. */
export function CompetitionTeams({ competition }: { competition: Competition }) {
  const path = `/v1/competitions/${competition.id}/teams`
  const list = useResource<TeamsOf>(path)
  // the list of a competition has no logos
  const logos = useResource<TeamList>(`/v1/teams?limit=1000&competitionId=${competition.id}`)
  const mayChange = useMay('competitions:write')
  const mayMake = useMay('teams:write')
  const [asked, setAsked] = useState<'new' | 'add'>()
  const [removed, setRemoved] = useState<Team>()
  const reload = async () => {
    await Promise.all([list.reload(), logos.reload()])
  }
  const teams = (list.value?.teams ?? []).map((team) => logos.value?.teams.find(({ id }) => id === team.id) ?? team)
  return (
    <Panel
      title={list.value ? `Teams (${list.value.count})` : 'Teams'}
      about="A match is between teams of its competition."
      actions={
        <div className="page-actions">
          {mayMake && (
            <Link className="button" to={`/teams/import?competitionId=${competition.id}`}>
              Paste or import…
            </Link>
          )}
          {mayChange && <Button onClick={() => setAsked('add')}>Add a team that is there…</Button>}
          {mayMake && (
            <Button look="primary" onClick={() => setAsked('new')}>
              New team
            </Button>
          )}
        </div>
      }
    >
      {!list.value && <Waiting error={list.error} reload={list.reload} />}
      {list.value?.count === 0 && <Empty>No team plays in it yet.</Empty>}
      {teams.length > 0 && (
        <Table label="Teams" columns={['Team', 'Short', '']}>
          {teams.map((team) => (
            <tr key={team.id}>
              <td>
                <span className="record-cell">
                  <ClubMark of={team} />
                  <Link to={`/teams/${team.id}`}>{team.name}</Link>
                </span>
              </td>
              <td>{team.abbreviation ?? '–'}</td>
              <td className="cell-actions">
                <ActionMenu
                  of={team.name}
                  actions={[
                    { title: 'Players', onSelect: () => navigate(`/teams/${team.id}`) },
                    ...(mayChange
                      ? [{ title: 'Take out of the competition', onSelect: () => setRemoved(team), danger: true }]
                      : []),
                  ]}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {asked === 'new' && (
        <TeamDialog
          record={undefined}
          competitionId={competition.id}
          sport={competition.sport}
          onClose={() => setAsked(undefined)}
          onSaved={reload}
        />
      )}
      {asked === 'add' && (
        <AddTeam competition={competition} there={teams} onClose={() => setAsked(undefined)} onSaved={reload} />
      )}
      {removed && (
        <Confirm
          open
          title={`Take ${removed.name} out of ${competition.name}?`}
          about="The team stays, and can be added again. While it plays in a match of the competition, it stays in."
          label="Take the team out"
          onClose={() => setRemoved(undefined)}
          write={async (key) => {
            await api('DELETE', `${path}/${removed.id}`, { key })
            await reload()
          }}
        />
      )}
    </Panel>
  )
}

function AddTeam({
  competition,
  there,
  onClose,
  onSaved,
}: {
  competition: Competition
  there: readonly Team[]
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const all = useResource<TeamList>(`/v1/teams?limit=1000&sport=${competition.sport}`)
  const known = new Set(there.map(({ id }) => id))
  const others = (all.value?.teams ?? []).filter(({ id }) => !known.has(id))
  const [chosen, setChosen] = useState('')
  const add = useCommand(async (id: string, key) => {
    await api('PUT', `/v1/competitions/${competition.id}/teams/${id}`, { key })
    await onSaved()
    onClose()
  })
  return (
    <FormDialog
      title={`Add a team to ${competition.name}`}
      label="Add the team"
      command={add}
      ready={chosen !== ''}
      onClose={onClose}
      onSubmit={() => add.run(chosen)}
    >
      <SelectField
        label="Team"
        value={chosen}
        hint={all.value && others.length === 0 ? `All teams of the sport are in it` : undefined}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">Choose…</option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  )
}
