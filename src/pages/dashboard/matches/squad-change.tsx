import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { Team } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { takenNumber } from './squad-lines.ts'
import type { RosterPlayer } from './use-rosters.ts'

type Fields = { number: string; firstName: string; lastName: string; starts: boolean }
type Row = { player: RosterPlayer; fields: Fields; removed: boolean }

const fieldsOf = ({ number, firstName, lastName, starter }: RosterPlayer): Fields => ({
  number: number ?? '',
  firstName,
  lastName,
  starts: starter,
})

/** The changed fields of a row; undefined when none were. */
function changeOf({ player, fields }: Row) {
  const { number, firstName, lastName, starts } = fields
  const change = {
    ...(number.trim() !== (player.number ?? '') && { number: number.trim() || null }),
    ...(firstName.trim() !== player.firstName && { firstName: firstName.trim() }),
    ...(lastName.trim() !== player.lastName && { lastName: lastName.trim() }),
    ...(starts !== player.starter && { defaultStarter: starts, defaultBench: !starts }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

/** Numbers and names of a squad, its starters and the players that leave it; nothing is done before it is saved. */
export function SquadChange({
  team,
  roster,
  onClose,
  onChanged,
}: {
  team: Team
  roster: readonly RosterPlayer[]
  onClose: () => void
  onChanged: () => Promise<void>
}) {
  const [rows, setRows] = useState<readonly Row[]>(() =>
    roster.map((player) => ({ player, fields: fieldsOf(player), removed: false })),
  )
  const put = (id: number, change: (row: Row) => Row) =>
    setRows((all) => all.map((row) => (row.player.id === id ? change(row) : row)))
  const kept = rows.filter(({ removed }) => !removed)
  const problem =
    takenNumber(
      kept.map(({ fields: { number, firstName, lastName } }) => ({ number: number.trim(), firstName, lastName })),
      [],
    ) ??
    (kept.some(({ fields }) => !fields.firstName.trim() || !fields.lastName.trim()) ? 'A name is missing' : undefined)
  const isChanged = rows.some((row) => row.removed || changeOf(row))
  const save = useCommand(async () => {
    for (const row of rows) {
      const { player, removed } = row
      const path = `/v1/teams/${team.id}/players/${player.id}`
      const change = changeOf(row)
      if (removed) {
        await api('DELETE', path)
        setRows((all) => all.filter((one) => one.player.id !== player.id))
      } else if (change) await api('PATCH', path, { body: change })
    }
    await onChanged()
    onClose()
  })
  const submit = () => {
    void save.run(undefined)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Players of ${team.name}`}
      about="In every match of the team"
      label={save.busy ? 'Saving…' : 'Save'}
      command={save}
      ready={isChanged && problem === undefined}
      onSubmit={submit}
    >
      <ul className="squad-rows">
        {rows.map((row) => (
          <SquadRow key={row.player.id} row={row} onChange={(next) => put(row.player.id, () => next)} />
        ))}
      </ul>
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </FormDialog>
  )
}

function SquadRow({ row, onChange }: { row: Row; onChange: (row: Row) => void }) {
  const { player, fields, removed } = row
  const name = `${player.firstName} ${player.lastName}`
  const given = (field: 'number' | 'firstName' | 'lastName', label: string) => ({
    className: 'input',
    autoComplete: 'off',
    'aria-label': `${label} of ${name}`,
    value: fields[field],
    disabled: removed,
    onChange: ({ target }: { target: { value: string } }) =>
      onChange({ ...row, fields: { ...fields, [field]: target.value } }),
  })
  return (
    <li className={removed ? 'squad-row squad-row-removed' : 'squad-row'}>
      <input {...given('number', 'Number')} inputMode="numeric" maxLength={3} placeholder="–" />
      <input {...given('firstName', 'First name')} maxLength={35} />
      <input {...given('lastName', 'Last name')} maxLength={35} />
      <label className="squad-starts">
        <input
          type="checkbox"
          checked={fields.starts}
          disabled={removed}
          onChange={({ target }) => onChange({ ...row, fields: { ...fields, starts: target.checked } })}
        />
        Starts<span className="visually-hidden"> {name}</span>
      </label>
      <Button small look="quiet" onClick={() => onChange({ ...row, removed: !removed })}>
        {removed ? 'Keep' : 'Remove'}
        <span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  )
}
