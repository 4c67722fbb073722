import { useRef, useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { FormDialog } from '../form-dialog.tsx'
import type { Team } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { linesOf, takenNumber } from './squad-lines.ts'
import { Steps } from './steps.ts'
import type { RosterPlayer } from './use-rosters.ts'

/** Makes players of a pasted list; the first ones start, as far as the line-up has room. */
export function SquadAddition({
  team,
  roster,
  starters,
  onClose,
  onChanged,
}: {
  team: Team
  roster: readonly RosterPlayer[]
  /** How many of a team start. */
  starters: number
  onClose: () => void
  onChanged: () => Promise<void>
}) {
  const [text, setText] = useState('')
  const steps = useRef(new Steps())
  // read when the dialog is opened: players of this list are no part of it while a failed run is tried again
  const [before] = useState(roster)
  const lines = linesOf(text)
  const taken = takenNumber(lines, before)
  const room = Math.max(0, starters - before.filter(({ starter }) => starter).length)
  const add = useCommand(async () => {
    for (const [index, line] of lines.entries()) {
      const place = index < room ? { defaultStarter: true } : { defaultBench: true }
      await steps.current.take('POST', `/v1/teams/${team.id}/players`, { ...line, ...place })
    }
    await onChanged()
    onClose()
  })
  const submit = () => {
    void add.run(undefined)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Players of ${team.name}`}
      about="One in each line: shirt number, first name, last name"
      label={add.busy ? 'Adding…' : lines.length === 1 ? 'Add 1 player' : `Add ${lines.length} players`}
      command={add}
      ready={lines.length > 0 && taken === undefined}
      onSubmit={submit}
    >
      <Field label="Players" hint={hintOf(room)} error={taken}>
        {(given) => (
          <textarea
            className="input"
            rows={11}
            placeholder={'1 Ingrid Berg\n4 Noor de Vries\n9 Ana María Lopes'}
            value={text}
            onChange={(event) => setText(event.target.value)}
            {...given}
          />
        )}
      </Field>
    </FormDialog>
  )
}

function hintOf(room: number) {
  if (room === 0) return 'They go on the bench'
  return room === 1
    ? 'The first one starts, the others go on the bench'
    : `The first ${room} start, the others go on the bench`
}
