import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Failure } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { Match, Team } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { Steps } from './steps.ts'

/** How many players each team has; a list of names makes them. */
export function Squads({
  match: { homeTeam, awayTeam, players = [] },
  onChanged,
}: {
  match: Match
  onChanged: () => Promise<void>
}) {
  const mayWrite = useMay('teams:write')
  const [adding, setAdding] = useState<Team>()
  const teams = [homeTeam, awayTeam].filter((team) => team !== null)
  if (teams.length === 0) return null
  return (
    <Panel title="Players" about="For line-ups, scorers and name graphics">
      <ul className="side-list">
        {teams.map((team) => {
          const count = players.filter(({ teamId }) => teamId === team.id).length
          return (
            <li className="side-row" key={team.id}>
              <span>
                <b>{team.name}</b> {count === 1 ? '1 player' : `${count} players`}
              </span>
              {mayWrite && (
                <Button small onClick={() => setAdding(team)}>
                  Add…<span className="visually-hidden"> players of {team.name}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {adding && <Addition team={adding} onClose={() => setAdding(undefined)} onAdded={onChanged} />}
    </Panel>
  )
}

type Line = { number: string | null; firstName: string; lastName: string }

/** `9 Henrik Ståhlberg` in each line; the number may be left out. */
function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, number = null, name = ''] = /^(?:(\d{1,3})[.)\s]+)?(.*)$/.exec(line) ?? []
      const [firstName = '', ...rest] = name.trim().split(/\s+/)
      return { number, firstName, lastName: rest.join(' ') || firstName }
    })
}

function Addition({ team, onClose, onAdded }: { team: Team; onClose: () => void; onAdded: () => Promise<void> }) {
  const [text, setText] = useState('')
  const steps = useRef(new Steps())
  const lines = linesOf(text)
  const add = useCommand(async () => {
    for (const [index, line] of lines.entries())
      await steps.current.take('POST', `/v1/teams/${team.id}/players`, { ...line, defaultStarter: index < 11 })
    await onAdded()
    onClose()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void add.run(undefined)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Players of ${team.name}`}
      about="One in each line: shirt number, first name, last name"
    >
      <form className="stack" onSubmit={submit}>
        <Field label="Players" hint="The first eleven start">
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
        <Failure error={add.error} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={add.busy || lines.length === 0}>
            {add.busy ? 'Adding…' : lines.length === 1 ? 'Add 1 player' : `Add ${lines.length} players`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
