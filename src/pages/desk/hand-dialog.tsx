import { type FormEvent, useState } from 'react'
import { limitedClock } from '../../../machines/play/clock.ts'
import { effectiveConfig, sportOf } from '../../../machines/sports.ts'
import { worded } from '../../schema/worded.ts'
import { clockText, clockValue } from '../shared/clock.ts'
import { localNow } from '../shared/server-time.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { clockOf } from './fact-draft.ts'
import type { Projected } from './model.ts'
import type { DeskCommand } from './press.ts'

/** States that nobody can tell from facts alone. */
export const STATES_BY_HAND = ['delayed', 'postponed', 'suspended', 'abandoned', 'cancelled', 'finished'] as const
const STEPS = [-60, -10, -1, 1, 10, 60] as const

/** Clock, state and score said by hand, over what the facts come to. */
export function HandDialog({
  match,
  offsetMs,
  onSaid,
  onClose,
}: {
  match: Projected
  offsetMs: number
  onSaid: (command: DeskCommand) => void
  onClose: () => void
}) {
  const { desk, play } = match
  const { sport } = desk.match
  const { useClock } = effectiveConfig(sport, match.config)
  const said = (command: DeskCommand) => {
    onSaid(command)
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="By hand">
      <div className="desk-form">
        {useClock && <ClockByHand match={match} offsetMs={offsetMs} onSaid={said} />}
        <section className="by-hand" aria-label="State">
          <h3>State: {worded(play.state)}</h3>
          <div className="kinds">
            {match.declared !== null && (
              <Button onClick={() => said({ type: 'update', state: match.undeclared })}>
                As the facts say: {worded(match.undeclared).toLowerCase()}
              </Button>
            )}
            {STATES_BY_HAND.filter((state) => state !== play.state).map((state) => (
              <Button key={state} onClick={() => said({ type: 'update', state })}>
                {worded(state)}
              </Button>
            ))}
          </div>
        </section>
        <ScoreByHand match={match} onSaid={said} />
      </div>
    </Dialog>
  )
}

function ClockByHand({
  match,
  offsetMs,
  onSaid,
}: {
  match: Projected
  offsetMs: number
  onSaid: (command: DeskCommand) => void
}) {
  const { sport } = match.desk.match
  const clock = limitedClock(sportOf(sport), { ...match.play, config: effectiveConfig(sport, match.config) })
  const [text, setText] = useState(() => clockText(clockValue(clock, localNow() + offsetMs), clock.direction))
  const clockMs = clockOf(text)
  const step = (by: number) => clockMs !== undefined && setText(clockText(Math.max(0, clockMs + by * 1000)))
  const set = (event: FormEvent) => {
    event.preventDefault()
    if (clockMs !== undefined) onSaid({ type: 'record', fact: { type: 'clockSet', clockMs } })
  }
  return (
    <form className="by-hand" aria-label="Clock" onSubmit={set}>
      <TextField
        label="Clock"
        inputMode="numeric"
        value={text}
        error={clockMs === undefined ? 'Minutes and seconds, such as 23:45' : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="clock-steps">
        {STEPS.map((by) => (
          <Button key={by} disabled={clockMs === undefined} onClick={() => step(by)}>
            {by > 0 ? '+' : '−'}
            {Math.abs(by) === 60 ? '1 m' : `${Math.abs(by)} s`}
          </Button>
        ))}
      </div>
      <Button look="primary" type="submit" disabled={clockMs === undefined}>
        Set the clock
      </Button>
    </form>
  )
}

function ScoreByHand({ match, onSaid }: { match: Projected; onSaid: (command: DeskCommand) => void }) {
  const [home, setHome] = useState(String(match.play.score.home))
  const [away, setAway] = useState(String(match.play.score.away))
  const isNumber = (text: string) => /^\d{1,4}$/.test(text)
  const valid = isNumber(home) && isNumber(away)
  const set = (event: FormEvent) => {
    event.preventDefault()
    if (valid) onSaid({ type: 'update', score: { home: Number(home), away: Number(away) } })
  }
  return (
    <form className="by-hand" aria-label="Score by hand" onSubmit={set}>
      <h3>Score by hand</h3>
      <p className="pad-hint">It stays whatever the facts come to, until it is counted from them again.</p>
      <div className="desk-row">
        <TextField label="Home" inputMode="numeric" value={home} onChange={(event) => setHome(event.target.value)} />
        <TextField label="Away" inputMode="numeric" value={away} onChange={(event) => setAway(event.target.value)} />
      </div>
      <div className="desk-actions">
        {match.scoreOverride && (
          <Button onClick={() => onSaid({ type: 'update', score: null })}>Count from the facts</Button>
        )}
        <Button type="submit" disabled={!valid}>
          Set the score
        </Button>
      </div>
    </form>
  )
}
