import { useState } from 'react'
import { effectiveConfig } from '../../../machines/sports.ts'
import type { Fielded } from '../ui/lineup/draft.ts'
import { LineupEditor } from '../ui/lineup/lineup-editor.tsx'
import { request } from '../ui/request.ts'
import { address } from './address.ts'
import type { Projected } from './model.ts'
import type { DeskCommand, Press } from './press.ts'

/** The line-ups of the teams, one at a time; also without a line, from the squads that the telephone knows. */
export function Lineups({
  match,
  press,
  presses,
}: {
  match: Projected
  press: (command: DeskCommand) => Promise<string | undefined>
  presses: readonly Press[]
}) {
  const { teams, desk, config } = match
  const [chosen, setChosen] = useState<number>()
  const [saved, setSaved] = useState(0)
  const team = teams.find(({ id }) => id === chosen) ?? teams[0]
  if (!team) return <p className="pad-hint">Nobody plays for a team here: there is no line-up to make.</p>
  const { startingSize, benchSize } = effectiveConfig(desk.match.sport, config)
  const waits = presses.some(({ command, refusal }) => command.type === 'lineup' && !refusal)
  return (
    <>
      <fieldset className="side-choice" aria-label="Whose line-up">
        {teams.map(({ id, shortName, lineup }) => (
          <button
            type="button"
            key={id}
            className="side-choice-button"
            aria-pressed={id === team.id}
            onClick={() => setChosen(id)}
          >
            {shortName} {lineup?.isSet ? '✓' : ''}
            {lineup?.isSet && <span className="visually-hidden">, set</span>}
          </button>
        ))}
      </fieldset>
      {saved === team.id && (
        <p className="desk-notice" role="status">
          {waits ? 'Kept on this telephone: it is sent when the line is there.' : 'The line-up is saved.'}
        </p>
      )}
      <LineupEditor
        key={team.id}
        team={team}
        sizes={{ startingSize, benchSize }}
        earlier={() => earlierOf(team.id)}
        onSave={(sent) => {
          setSaved(team.id)
          void press({ type: 'lineup', teams: [sent] })
        }}
      />
    </>
  )
}

async function earlierOf(teamId: number): Promise<Fielded | undefined> {
  const path = `${address}/rest/teams/${teamId}/earlier-lineup`
  return (await request<{ lineup: Fielded | null }>('GET', path)).lineup ?? undefined
}
