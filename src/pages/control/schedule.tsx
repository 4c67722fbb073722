import { type KeyboardEvent, useRef, useState } from 'react'
import type { LiveScheduled } from '../live/state.ts'
import { localNow } from '../shared/server-time.ts'
import { Button } from '../ui/button.tsx'
import { timeOfDay } from '../ui/elapsed.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { Countdown } from './countdown.tsx'
import { targetOf, useDesk } from './desk.ts'
import { atTime, inSeconds, timeText } from './times.ts'

/** The scheduled commands, which the server carries out at their times, and a form for more. */
export function Schedule() {
  const { live } = useDesk()
  const whole = useRef<HTMLElement>(null)
  // from a field back to where the keys of the show work
  const leave = () => whole.current?.focus()
  return (
    <section
      className="schedule"
      aria-label="Schedule"
      ref={whole}
      tabIndex={-1}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Escape' && leave()}
    >
      {live.scheduled.length === 0 ? (
        <p className="schedule-none">Nothing is scheduled.</p>
      ) : (
        <ol className="schedule-list">
          {live.scheduled.map((planned) => (
            <Planned key={planned.id} planned={planned} />
          ))}
        </ol>
      )}
      <ScheduleForm onDone={leave} />
    </section>
  )
}

const VERBS = { show: 'Show', hide: 'Hide', take: 'Take' } as const

function Planned({ planned: { id, at, action, presetId, durationSeconds, by } }: { planned: LiveScheduled }) {
  const { room, outcomes, unschedule } = useDesk()
  const name = presetId === null ? '' : (room.presets.find((preset) => preset.id === presetId)?.name ?? 'a graphic')
  const what = action === 'take' && presetId === null ? 'Take what is on preview then' : `${VERBS[action]} ${name}`
  const outcome = outcomes.get(targetOf.scheduled(id))
  return (
    <li className="planned">
      <time className="planned-at tabular" dateTime={at}>
        {timeOfDay(Date.parse(at))}
      </time>
      <span className="planned-what">
        {what}
        <span className="planned-about">
          {durationSeconds !== undefined && `for ${durationSeconds} s · `}
          {by.name === null ? 'from a control room page' : `by ${by.name}`}
        </span>
      </span>
      <Countdown at={at} label="in " />
      <Button small aria-busy={outcome?.phase === 'sending'} onClick={() => unschedule(id)}>
        Remove<span className="visually-hidden"> {what}</span>
      </Button>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </li>
  )
}

type What = 'show' | 'hide' | 'take'

const SOON = [10, 30, 60, 300] as const
const soonWorded = (seconds: number) => (seconds < 60 ? `${seconds} s` : `${seconds / 60} min`)

function ScheduleForm({ onDone }: { onDone: () => void }) {
  const { live, room, mode, selected, outcomes, schedule } = useDesk()
  const now = () => localNow() + live.serverOffsetMs
  const [what, setWhat] = useState<What>(mode === 'preview' ? 'take' : 'show')
  const [chosen, setChosen] = useState<number>()
  const [time, setTime] = useState('')
  const [seconds, setSeconds] = useState('')
  const preset = room.presets.find(({ id }) => id === (chosen ?? selected))
  const outcome = outcomes.get(targetOf.schedule)
  const send = async (at: number) => {
    const planned = {
      ...{ action: what, at: new Date(at).toISOString() },
      ...(what !== 'take' && preset && { preset }),
      ...(seconds !== '' && { durationSeconds: Number(seconds) }),
    }
    if (!(await schedule(planned))) return
    setTime('')
    onDone()
  }
  const at = atTime(time, now())
  const canSend = what === 'take' || (preset !== undefined && (what === 'hide' || preset.problem === null))
  return (
    <form
      className="schedule-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (at !== undefined && canSend) void send(at)
      }}
    >
      <div className="schedule-fields">
        <SelectField label="What" value={what} onChange={(event) => setWhat(event.target.value as What)}>
          <option value="take">Take what is on preview</option>
          <option value="show">Show a preset</option>
          <option value="hide">Hide a preset</option>
        </SelectField>
        {what !== 'take' && (
          <SelectField
            label="Preset"
            value={preset?.id ?? ''}
            hint={what === 'show' && preset && preset.problem !== null ? preset.problem : undefined}
            onChange={(event) => setChosen(Number(event.target.value))}
          >
            {room.presets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
        {what !== 'hide' && (
          <TextField
            label="Off air after, seconds"
            type="number"
            inputMode="numeric"
            min={1}
            max={3600}
            placeholder="stays"
            value={seconds}
            onChange={(event) => setSeconds(event.target.value)}
          />
        )}
        <TextField
          label="At"
          type="time"
          step={1}
          hint={at === undefined ? undefined : timeText(at, now())}
          value={time}
          onChange={(event) => setTime(event.target.value)}
        />
      </div>
      <fieldset className="schedule-soon" aria-label="In">
        {SOON.map((soon) => (
          <Button key={soon} aria-disabled={!canSend} onClick={() => canSend && void send(inSeconds(soon, now()))}>
            in {soonWorded(soon)}
          </Button>
        ))}
      </fieldset>
      <Button
        look="primary"
        type="submit"
        aria-disabled={at === undefined || !canSend}
        aria-busy={outcome?.phase === 'sending'}
      >
        {at === undefined ? 'Schedule at a time' : `Schedule at ${time}`}
      </Button>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </form>
  )
}
