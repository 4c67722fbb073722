import './records.css'
import { useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { Badge } from '../../ui/badge.tsx'
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
import type { Competition, RoomList, ThemeList, ThemeProfile, ThemeProfileList } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'

/** How the graphics of a competition look: a profile for each theme that it wears. */
export function CompetitionLooks({ competition, mayChange }: { competition: Competition; mayChange: boolean }) {
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
        <div className="record-table">
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
        </div>
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
