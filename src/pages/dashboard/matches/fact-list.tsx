import { Button } from '../../ui/button.tsx'
import { api } from '../api.ts'
import { timeOf } from '../format.ts'
import { Failure } from '../parts.tsx'
import type { Fact, Match } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { worded } from '../worded.ts'

const SHOWN = 12

/** The last facts, newest first: who it was can be said later, and what was wrong is taken back. */
export function FactList({
  match,
  facts,
  mayWrite,
  onChanged,
}: {
  match: Match
  facts: readonly Fact[]
  mayWrite: boolean
  onChanged: () => Promise<void>
}) {
  const change = useCommand(async ({ fact, playerId }: { fact: number; playerId?: number | null }, key) => {
    const path = `/v2/matches/${match.id}/facts/${fact}`
    await (playerId === undefined ? api('DELETE', path, { key }) : api('POST', path, { body: { playerId }, key }))
    await onChanged()
  })
  if (facts.length === 0) return <p className="field-hint">Nothing has happened yet.</p>
  const nameOf = (teamId: number | null) => [match.homeTeam, match.awayTeam].find((team) => team?.id === teamId)?.name
  return (
    <>
      <Failure error={change.error} />
      <ul className="facts-list">
        {facts
          .slice(-SHOWN)
          .reverse()
          .map((fact) => (
            <li className="fact" key={fact.id}>
              <span className="fact-minute tabular">
                {fact.minute === null ? timeOf(fact.timestamp) : minuteOf(fact)}
              </span>
              <span className="fact-what">
                <b>{worded(fact.type)}</b> {nameOf(fact.teamId)}
              </span>
              {fact.teamId !== null && (
                <Scorer
                  fact={fact}
                  match={match}
                  disabled={!mayWrite || change.busy}
                  onChange={(playerId) => void change.run({ fact: fact.id, playerId })}
                />
              )}
              {mayWrite && (
                <Button
                  small
                  look="quiet"
                  className="fact-remove"
                  disabled={change.busy}
                  onClick={() => void change.run({ fact: fact.id })}
                >
                  Remove<span className="visually-hidden"> {worded(fact.type)}</span>
                </Button>
              )}
            </li>
          ))}
      </ul>
    </>
  )
}

const minuteOf = ({ minute, addedMinute }: Fact) => `${minute}${addedMinute ? `+${addedMinute}` : ''}′`

function Scorer({
  fact,
  match,
  disabled,
  onChange,
}: {
  fact: Fact
  match: Match
  disabled: boolean
  onChange: (playerId: number | null) => void
}) {
  const players = match.players?.filter(({ teamId }) => teamId === fact.teamId) ?? []
  if (players.length === 0) return null
  return (
    <select
      className="input fact-player"
      aria-label={`Player of ${worded(fact.type)}`}
      value={fact.playerId ?? ''}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">Player…</option>
      {players.map(({ id, firstName, lastName }) => (
        <option key={id} value={id}>
          {firstName} {lastName}
        </option>
      ))}
    </select>
  )
}
