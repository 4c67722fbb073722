import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { api } from '../api.ts'
import { timeOf } from '../format.ts'
import { Failure } from '../parts.tsx'
import type { Fact, Match } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { factWords } from './facts-of-sport.ts'
import type { RosterOf } from './use-rosters.ts'

const SHOWN = 12

/** The last facts, newest first: the player can be added later, and a wrong fact is taken back. */
export function FactList({
  match,
  facts,
  rosterOf,
  mayWrite,
  onChanged,
}: {
  match: Match
  facts: readonly Fact[]
  rosterOf: RosterOf
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
                <b>{factWords(match, fact)}</b> {nameOf(fact.teamId)}
              </span>
              {fact.teamId !== null && (
                <Scorer
                  fact={fact}
                  match={match}
                  rosterOf={rosterOf}
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
                  Remove<span className="visually-hidden"> {factWords(match, fact)}</span>
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
  rosterOf,
  disabled,
  onChange,
}: {
  fact: Fact
  match: Match
  rosterOf: RosterOf
  disabled: boolean
  onChange: (playerId: number | null) => void
}) {
  const players = match.players?.filter(({ teamId }) => teamId === fact.teamId) ?? []
  if (players.length === 0) return null
  const numbers = new Map(rosterOf(fact.teamId ?? 0)?.map(({ id, number }) => [id, number]))
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
          {[numbers.get(id), firstName, lastName].filter(Boolean).join(' ')}
        </option>
      ))}
    </select>
  )
}
