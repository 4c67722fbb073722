import { useState } from 'react'
import { effectiveConfig } from '../../../machines/sports.ts'
import { Button } from '../ui/button.tsx'
import type { Fielded } from '../ui/lineup/draft.ts'
import { LineupEditor } from '../ui/lineup/lineup-editor.tsx'
import { request } from '../ui/request.ts'
import { address } from './address.ts'
import { type Projected, withLineups } from './model.ts'
import type { DeskCommand, Press, SentLineup } from './press.ts'
import type { DeskParts } from './use-desk.ts'
import { refusalWords } from './waiting.tsx'

/**
 * The line-ups of the teams, one at a time; also without a line, from the squads that the telephone knows. One that was refused is
 * there to be put right.
 */
export function Lineups({ match, desk: { state, press, retry, link } }: { match: Projected; desk: DeskParts }) {
  const { teams, desk, config } = match
  const [chosen, setChosen] = useState<number>()
  const [shown, setShown] = useState<string>()
  const team = teams.find(({ id }) => id === chosen) ?? teams[0]
  if (!team) return <p className="pad-hint">Nobody plays for a team here: there is no line-up to make.</p>
  const { startingSize, benchSize } = effectiveConfig(desk.match.sport, config)
  const waits = match.waiting.some(({ command }) => command.type === 'lineup')
  const refused = state.presses.find((one) => one.refusal && lineupsIn(one).some(({ teamId }) => teamId === team.id))
  // the editor begins anew with one that comes back, and stays as it is when that is sent again
  if (refused && refused.id !== shown) setShown(refused.id)
  const [edited = team] = refused ? withLineups([team], lineupsIn(refused)) : [team]
  const save = (sent: SentLineup) => {
    if (!refused) return press({ type: 'lineup', teams: [sent] })
    const others = lineupsIn(refused).filter(({ teamId }) => teamId !== team.id)
    return retry(refused.id, { type: 'lineup', teams: [...others, sent] } satisfies DeskCommand)
  }
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
      {refused && (
        <section className="desk-notice desk-notice-bad" role="alert">
          <p>
            <b>This line-up was refused.</b> {refusalWords(refused)}. Put it right and save it again.
          </p>
          <div className="desk-actions">
            <Button small onClick={() => void link.outbox.discard(refused.id)}>
              Throw away
            </Button>
          </div>
        </section>
      )}
      <LineupEditor
        key={`${team.id} ${shown}`}
        team={edited}
        sizes={{ startingSize, benchSize }}
        earlier={() => earlierOf(team.id)}
        saved={waits ? 'Kept on this telephone: it is sent when the line is there.' : 'The line-up is saved.'}
        onSave={(sent) => void save(sent)}
      />
    </>
  )
}

const lineupsIn = ({ command }: Press) => (command.type === 'lineup' ? command.teams : [])

async function earlierOf(teamId: number): Promise<Fielded | undefined> {
  const path = `${address}/rest/teams/${teamId}/earlier-lineup`
  return (await request<{ lineup: Fielded | null }>('GET', path)).lineup ?? undefined
}
