import { useState } from 'react'
import type { RosterPlayerList } from '../shapes.ts'
import type { FieldDef } from './fields.ts'
import { RecordDialog } from './record-dialog.tsx'

type RosterPlayer = RosterPlayerList['players'][number]

const FIELDS: readonly FieldDef[] = [
  { name: 'firstName', label: 'First name', required: true, maxLength: 35 },
  { name: 'lastName', label: 'Last name', required: true, maxLength: 35 },
  { name: 'number', label: 'Number', maxLength: 3, clears: true },
  { name: 'position', label: 'Position', maxLength: 255, clears: true },
  { name: 'positionType', label: 'Kind of position', maxLength: 255, clears: true, hint: 'Forward, defender, …' },
  { name: 'gfxFirstName', label: 'First name on graphics', maxLength: 16, clears: true, hint: 'At most 16 characters' },
  { name: 'gfxLastName', label: 'Last name on graphics', maxLength: 16, clears: true, hint: 'At most 16 characters' },
  { name: 'photoUrl', label: 'Address of a photo', maxLength: 2048, clears: true, hint: 'https://…' },
]

type Flags = { defaultStarter: boolean; defaultBench: boolean; captain: boolean }

const flagsOf = (player: RosterPlayer | undefined): Flags => ({
  defaultStarter: player?.starter ?? false,
  defaultBench: player?.bench ?? false,
  captain: player?.captain ?? false,
})

const NAMES: readonly [keyof Flags, string][] = [
  ['defaultStarter', 'Usually starts'],
  ['defaultBench', 'Usually on the bench'],
  ['captain', 'Captain'],
]

/** A player of one team; the name is that on all teams of the player. */
export function PlayerDialog({
  teamId,
  player,
  onClose,
  onSaved,
}: {
  teamId: number
  player: RosterPlayer | undefined
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [flags, setFlags] = useState(() => flagsOf(player))
  const before = flagsOf(player)
  const changed = Object.fromEntries(
    NAMES.flatMap(([name]) => (flags[name] === before[name] ? [] : [[name, flags[name]]])),
  )
  return (
    <RecordDialog<RosterPlayer>
      path={`/v1/teams/${teamId}/players`}
      kind="player"
      nameOf={({ firstName, lastName }) => `${firstName} ${lastName}`}
      record={player}
      fields={FIELDS}
      onClose={onClose}
      onSaved={onSaved}
      withChange={changed}
      alsoSaid={flags}
      more={() => (
        <div className="record-fields">
          {NAMES.map(([name, label]) => (
            <label className="check" key={name}>
              <input
                type="checkbox"
                checked={flags[name]}
                onChange={({ target }) => setFlags((last) => ({ ...last, [name]: target.checked }))}
              />
              {label}
            </label>
          ))}
        </div>
      )}
    />
  )
}
