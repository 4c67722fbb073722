import { type FormEvent, useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { api, wordsOf } from '../api.ts'
import type { Match, Team } from '../shapes.ts'
import { fieldsOf, useCommand } from '../use-command.ts'
import { courseOf, notedOf, type Press, scoringOf } from './facts-of-sport.ts'

type FactBody = { type: string; teamId?: number; points?: number; clockMs?: number }

/** Runs the match by hand: periods, clock and scoring facts. Graphics on air follow each press. */
export function RunPanel({ match, onRecorded }: { match: Match; onRecorded: () => Promise<void> }) {
  const record = useCommand(async (body: FactBody, key) => {
    await api('POST', `/v2/matches/${match.id}/facts`, { body, key })
    await onRecorded()
  })
  const { homeTeam, awayTeam, state, sport } = match
  const scoring = scoringOf(sport)
  const course = courseOf(match)
  const started = state !== 'scheduled'
  return (
    <div className="run">
      <div className="run-course">
        {course.map((press) => (
          <Button
            key={press.type}
            {...(press.type === 'periodStart' && { look: 'primary' as const })}
            disabled={record.busy}
            onClick={() => void record.run({ type: press.type })}
          >
            {press.label}
          </Button>
        ))}
        {course.length === 0 && (
          <p className="field-hint">
            {state === 'finished'
              ? 'The match is over. Remove its end below to go on.'
              : `The match is ${worded(state).toLowerCase()}.`}
          </p>
        )}
      </div>
      {record.error !== undefined && (
        <p className="notice notice-bad" role="alert">
          {[wordsOf(record.error), ...Object.values(fieldsOf(record.error))].join(': ')}
        </p>
      )}
      {started && homeTeam && awayTeam && (
        <>
          <div className="run-sides">
            {[homeTeam, awayTeam].map((team) => (
              <Side key={team.id} team={team} scoring={scoring} busy={record.busy} run={record.run} />
            ))}
          </div>
          <Other match={match} teams={[homeTeam, awayTeam]} busy={record.busy} run={record.run} />
        </>
      )}
    </div>
  )
}

type Run = (body: FactBody) => Promise<boolean>

function Side({ team, scoring, busy, run }: { team: Team; scoring: readonly Press[]; busy: boolean; run: Run }) {
  return (
    <section className="run-side" aria-label={team.name}>
      <h3 className="run-team">{team.name}</h3>
      <div className="run-presses">
        {scoring.map(({ type, label, points }) => (
          <Button
            key={label}
            disabled={busy}
            onClick={() => void run({ type, teamId: team.id, ...(points !== undefined && { points }) })}
          >
            {label}
          </Button>
        ))}
      </div>
    </section>
  )
}

/** Facts that are recorded seldom, and the clock set by hand. */
function Other({ match, teams, busy, run }: { match: Match; teams: readonly Team[]; busy: boolean; run: Run }) {
  const types = notedOf(match.sport)
  const [type, setType] = useState(types[0] ?? '')
  const [teamId, setTeamId] = useState(String(teams[0]?.id ?? ''))
  const [clock, setClock] = useState('')
  const time = /^(\d{1,3}):([0-5]\d)$/.exec(clock.trim())
  const setTheClock = async (event: FormEvent) => {
    event.preventDefault()
    if (!time) return
    const clockMs = (Number(time[1]) * 60 + Number(time[2])) * 1000
    if (await run({ type: 'clockSet', clockMs })) setClock('')
  }
  return (
    <details className="run-other">
      <summary>Other facts, clock by hand</summary>
      <form
        className="run-form"
        onSubmit={(event) => {
          event.preventDefault()
          void run({ type, teamId: Number(teamId) })
        }}
      >
        <SelectField label="Fact" value={type} onChange={(event) => setType(event.target.value)}>
          {types.map((one) => (
            <option key={one} value={one}>
              {worded(one)}
            </option>
          ))}
        </SelectField>
        <SelectField label="Team" value={teamId} onChange={(event) => setTeamId(event.target.value)}>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <Button type="submit" disabled={busy}>
          Record
        </Button>
      </form>
      {match.config.useClock && (
        <form className="run-form" onSubmit={(event) => void setTheClock(event)}>
          <TextField
            label="Clock"
            placeholder="23:45"
            inputMode="numeric"
            value={clock}
            onChange={(event) => setClock(event.target.value)}
          />
          <Button type="submit" disabled={busy || !time}>
            Set the clock
          </Button>
        </form>
      )}
    </details>
  )
}
