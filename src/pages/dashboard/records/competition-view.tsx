import './records.css'
import { useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { api } from '../api.ts'
import { Confirm } from '../confirm.tsx'
import { FormDialog } from '../form-dialog.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate } from '../router.tsx'
import { useMay } from '../session.tsx'
import type {
  Competition,
  CompetitionTeams,
  RoomList,
  Team,
  TeamList,
  ThemeList,
  ThemeProfile,
  ThemeProfileList,
} from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { ClubMark } from './club-mark.tsx'
import { CompetitionDialog } from './competition-dialog.tsx'
import { TeamDialog } from './team-dialog.tsx'

const BACK = { to: '/competitions', title: 'Competitions' }

/** One competition: who plays in it, and how its graphics look. */
export function CompetitionView({ params }: ViewProps) {
  const path = `/v1/competitions/${params.competitionId}`
  const { value: competition, error, reload } = useResource<Competition>(path)
  const mayChange = useMay('competitions:write')
  const [editing, setEditing] = useState(false)
  if (!competition)
    return (
      <>
        <PageHead title="Competition" back={BACK} />
        <Waiting error={error} reload={reload} />
      </>
    )
  return (
    <>
      <PageHead title={competition.name} back={BACK} about={worded(competition.sport)}>
        {mayChange && <Button onClick={() => setEditing(true)}>Edit the competition</Button>}
        <RoleLimit scope="competitions:write" />
      </PageHead>
      <Teams competition={competition} />
      <Looks competition={competition} mayChange={mayChange} />
      {editing && <CompetitionDialog record={competition} onClose={() => setEditing(false)} onSaved={reload} />}
    </>
  )
}

function Teams({ competition }: { competition: Competition }) {
  const path = `/v1/competitions/${competition.id}/teams`
  const list = useResource<CompetitionTeams>(path)
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

function Looks({ competition, mayChange }: { competition: Competition; mayChange: boolean }) {
  const path = `/v2/competitions/${competition.id}/theme-profiles`
  const list = useResource<ThemeProfileList>(path)
  const themes = useResource<ThemeList>(useMay('themes:read') ? '/v2/themes?limit=1000' : undefined)
  const [adding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ThemeProfile>()
  const themeName = (id: number) => themes.value?.themes.find((theme) => theme.id === id)?.name ?? `Theme ${id}`
  return (
    <Panel
      title="Looks"
      about="A look is a theme with the colours and values of this competition; overlays wear one."
      actions={
        mayChange && (
          <Button look="primary" onClick={() => setAdding(true)}>
            New look
          </Button>
        )
      }
    >
      {!list.value && <Waiting error={list.error} reload={list.reload} />}
      {list.value?.length === 0 && <Empty>Without a look nothing can be put on air in this competition.</Empty>}
      {list.value && list.value.length > 0 && (
        <Table label="Looks" columns={['Look', 'Theme', 'Own values', '']}>
          {list.value.map((profile) => (
            <tr key={profile.id}>
              <td className="cell-wrap">
                <Link to={`/competitions/${competition.id}/looks/${profile.id}`}>{profile.name}</Link>{' '}
                {profile.isDefault && <Badge tone="good">Default</Badge>}
              </td>
              <td className="cell-wrap">{themeName(profile.themeId)}</td>
              <td className="tabular">{profile.themeVariableValues?.length ?? 0}</td>
              <td className="cell-actions">
                <ActionMenu
                  of={profile.name}
                  actions={[
                    {
                      title: 'Colours and values',
                      onSelect: () => navigate(`/competitions/${competition.id}/looks/${profile.id}`),
                    },
                    { title: 'Game plan', onSelect: () => navigate(`/game-plans/${competition.id}/${profile.id}`) },
                    {
                      title: 'Sponsor slots',
                      onSelect: () => navigate(`/sponsor-slots/${competition.id}/${profile.id}`),
                    },
                    ...(mayChange ? [{ title: 'Archive', onSelect: () => setRemoved(profile), danger: true }] : []),
                  ]}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {adding && (
        <NewLook
          competition={competition}
          themes={themes.value?.themes ?? []}
          isFirst={list.value?.length === 0}
          onClose={() => setAdding(false)}
        />
      )}
      {removed && (
        <Confirm
          open
          title={`Archive ${removed.name}?`}
          about="New overlays cannot wear it any more. While an overlay wears it, it stays."
          label="Archive the look"
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

function NewLook({
  competition,
  themes,
  isFirst,
  onClose,
}: {
  competition: Competition
  themes: ThemeList['themes']
  isFirst: boolean
  onClose: () => void
}) {
  const [chosen, setChosen] = useState<number>()
  const theme =
    themes.find(({ id }) => id === chosen) ??
    themes.find(
      ({ sports, activeVersion }) => activeVersion !== null && sports?.some((one) => one === competition.sport),
    ) ??
    themes[0]
  const rooms = useResource<RoomList>(theme && `/v2/control-rooms?themeId=${theme.id}`)
  const [name, setName] = useState<string>()
  const room = rooms.value?.[0]
  const save = useCommand(async (body: object, key) => {
    const made = await api<ThemeProfile>('POST', `/v2/competitions/${competition.id}/theme-profiles`, { body, key })
    navigate(`/competitions/${competition.id}/looks/${made.id}`)
  })
  return (
    <FormDialog
      title={`New look for ${competition.name}`}
      label="Add the look"
      command={save}
      ready={theme !== undefined && room !== undefined}
      onClose={onClose}
      onSubmit={() =>
        theme &&
        room &&
        save.run({
          themeId: theme.id,
          name: (name ?? theme.name).trim(),
          defaultControlRoomId: room.id,
          isDefault: isFirst,
        })
      }
    >
      <SelectField
        label="Theme"
        error={save.fields.themeId}
        value={theme?.id ?? ''}
        hint={
          theme && rooms.value && !room ? 'This theme has no control room yet: make one under Control rooms' : undefined
        }
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {themes.length === 0 && <option value="">There is no theme yet</option>}
        {themes.map(({ id, name: title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </SelectField>
      <label className="field">
        <span className="field-label">Name</span>
        <input
          className="input"
          required
          maxLength={255}
          value={name ?? theme?.name ?? ''}
          onChange={({ target }) => setName(target.value)}
        />
        {save.fields.name && <span className="field-error">{save.fields.name}</span>}
      </label>
    </FormDialog>
  )
}
