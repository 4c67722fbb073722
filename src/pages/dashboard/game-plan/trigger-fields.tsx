import { useState } from 'react'
import type { Trigger } from './draft.ts'
import { DurationField } from './duration-field.tsx'
import { clockSeconds, clockWords, factChoices, factWord, PHASES, periodsOf, periodWords, STATES } from './words.ts'

const DAY = 86_400

type Of<Type extends Trigger['type']> = Extract<Trigger, { type: Type }>
type Props<Type extends Trigger['type'] = Trigger['type']> = {
  trigger: Of<Type>
  sport: string
  invalid: boolean
  onChange: (trigger: Of<Type>) => void
}

/** Triggers of a rule, each with what it waits for first. */
const KINDS: readonly { title: string; first: (sport: string) => Trigger }[] = [
  {
    title: 'something happens in the match',
    first: (sport) => ({
      type: 'fact',
      factTypes: (factChoices(sport).find(({ types }) => types.length > 0)?.types ?? []).slice(0, 1),
    }),
  },
  { title: 'the match changes its state', first: () => ({ type: 'state', state: 'live' }) },
  { title: 'a period begins or ends', first: () => ({ type: 'period', at: 'end' }) },
  { title: 'the match clock shows a time', first: () => ({ type: 'clock', seconds: 600 }) },
  { title: 'a time before or after the match', first: () => ({ type: 'time', of: 'date', offsetSeconds: -600 }) },
  { title: 'again and again', first: () => ({ type: 'interval', everySeconds: 300, during: 'live' }) },
]

/** The trigger of a new rule: the first fact that scores. */
export const firstTrigger = (sport: string): Trigger => KINDS[0]?.first(sport) ?? { type: 'state', state: 'live' }

/** When a rule fires, as the first half of its sentence. */
export function TriggerFields({ trigger, sport, invalid, onChange }: Props & { onChange: (trigger: Trigger) => void }) {
  return (
    <>
      <span>When</span>
      <select
        className="input input-auto"
        aria-label="What it waits for"
        value={trigger.type}
        onChange={({ target }) => {
          const next = KINDS.map(({ first }) => first(sport)).find(({ type }) => type === target.value)
          if (next) onChange(next)
        }}
      >
        {KINDS.map(({ title, first }) => {
          const { type } = first(sport)
          return (
            <option key={type} value={type}>
              {title}
            </option>
          )
        })}
      </select>
      <span aria-hidden="true">:</span>
      {fieldsOf({ trigger, sport, invalid, onChange })}
    </>
  )
}

function fieldsOf({ trigger, ...rest }: Props & { onChange: (trigger: Trigger) => void }) {
  switch (trigger.type) {
    case 'fact':
      return <FactFields trigger={trigger} {...rest} />
    case 'state':
      return <StateField trigger={trigger} {...rest} />
    case 'period':
      return <PeriodFields trigger={trigger} {...rest} />
    case 'clock':
      return <ClockFields trigger={trigger} {...rest} />
    case 'time':
      return <TimeFields trigger={trigger} {...rest} />
    case 'interval':
      return <IntervalFields trigger={trigger} {...rest} />
  }
}

function FactFields({ trigger, sport, invalid, onChange }: Props<'fact'>) {
  const { factTypes, side } = trigger
  const set = (types: string[]) => onChange({ ...trigger, factTypes: types })
  return (
    <>
      <span className="fact-chips">
        {factTypes.map((type) => (
          <span className="fact-chip" key={type}>
            {factWord(type)}
            {factTypes.length > 1 && (
              <button type="button" onClick={() => set(factTypes.filter((one) => one !== type))}>
                <span aria-hidden="true">×</span>
                <span className="visually-hidden">Without {factWord(type)}</span>
              </button>
            )}
          </span>
        ))}
        <select
          className="input input-narrow"
          aria-label={factTypes.length === 1 ? 'Change or add what happens' : 'Add what happens'}
          aria-invalid={invalid}
          value=""
          onChange={({ target }) => {
            const [how, type] = target.value.split(' ')
            if (type) set(how === 'only' ? [type] : [...factTypes, type])
          }}
        >
          <option value="">{factTypes.length === 1 ? 'change…' : 'or…'}</option>
          {factTypes.length === 1 && <FactOptions sport={sport} how="only" prefix="" left={factTypes} />}
          <FactOptions sport={sport} how="also" prefix="or " left={factTypes} />
        </select>
      </span>
      <span>by</span>
      <select
        className="input input-auto"
        aria-label="Side"
        value={side ?? ''}
        onChange={({ target }) => {
          const { side: _side, ...any } = trigger
          onChange(target.value === '' ? any : { ...any, side: target.value as 'home' | 'away' })
        }}
      >
        <option value="">either side</option>
        <option value="home">home</option>
        <option value="away">away</option>
      </select>
    </>
  )
}

type FactOptionsProps = { sport: string; how: 'only' | 'also'; prefix: string; left: readonly string[] }

function FactOptions({ sport, how, prefix, left }: FactOptionsProps) {
  return factChoices(sport).map(({ group, types }) => (
    <optgroup key={group} label={prefix === '' ? group : `Or also: ${group.toLowerCase()}`}>
      {types
        .filter((type) => !left.includes(type))
        .map((type) => (
          <option key={type} value={`${how} ${type}`}>
            {prefix + factWord(type)}
          </option>
        ))}
    </optgroup>
  ))
}

function StateField({ trigger, invalid, onChange }: Props<'state'>) {
  return (
    <>
      <span>the match</span>
      <select
        className="input input-auto"
        aria-label="State"
        aria-invalid={invalid}
        value={trigger.state}
        onChange={({ target }) => onChange({ type: 'state', state: target.value as keyof typeof STATES })}
      >
        {Object.entries(STATES).map(([state, words]) => (
          <option key={state} value={state}>
            {words}
          </option>
        ))}
      </select>
    </>
  )
}

/** One of the periods, or any. */
function PeriodChoice({
  sport,
  value,
  any,
  onChange,
}: {
  sport: string
  value: number | undefined
  any: string
  onChange: (number: number | undefined) => void
}) {
  const periods = periodsOf(sport)
  return (
    <select
      className="input input-auto"
      aria-label="Period"
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
    >
      <option value="">{any}</option>
      {value !== undefined && value > periods.length && <option value={value}>{`period ${value}`}</option>}
      {periods.map(({ number, name }) => (
        <option key={number} value={number}>
          {name}
        </option>
      ))}
    </select>
  )
}

function PeriodFields({ trigger, sport, invalid, onChange }: Props<'period'>) {
  return (
    <>
      <PeriodChoice
        sport={sport}
        value={trigger.number}
        any={periodWords(sport, undefined)}
        onChange={(number) => onChange({ type: 'period', at: trigger.at, ...(number !== undefined && { number }) })}
      />
      <select
        className="input input-auto"
        aria-label="Beginning or end"
        aria-invalid={invalid}
        value={trigger.at}
        onChange={({ target }) => onChange({ ...trigger, at: target.value as 'start' | 'end' })}
      >
        <option value="start">begins</option>
        <option value="end">ends</option>
      </select>
    </>
  )
}

function ClockFields({ trigger, sport, invalid, onChange }: Props<'clock'>) {
  const [typed, setTyped] = useState<string>()
  return (
    <>
      <input
        className="input input-clock tabular"
        aria-label="Time on the match clock, minutes and seconds"
        aria-invalid={invalid || (typed !== undefined && clockSeconds(typed) === undefined)}
        placeholder="10:00"
        value={typed ?? clockWords(trigger.seconds)}
        onChange={({ target }) => {
          setTyped(target.value)
          const seconds = clockSeconds(target.value)
          if (seconds !== undefined) onChange({ ...trigger, seconds: Math.min(seconds, DAY) })
        }}
        onBlur={() => setTyped(undefined)}
      />
      <span>in</span>
      <PeriodChoice
        sport={sport}
        value={trigger.period}
        any={periodWords(sport, undefined)}
        onChange={(period) =>
          onChange({ type: 'clock', seconds: trigger.seconds, ...(period !== undefined && { period }) })
        }
      />
    </>
  )
}

const OFFSETS = [
  { title: 'before the planned start', of: 'date', sign: -1 },
  { title: 'after the planned start', of: 'date', sign: 1 },
  { title: 'after the end', of: 'matchEnd', sign: 1 },
] as const

function TimeFields({ trigger, invalid, onChange }: Props<'time'>) {
  const { of, offsetSeconds } = trigger
  const now = OFFSETS.findIndex((one) => one.of === of && (of === 'matchEnd' || one.sign < 0 === offsetSeconds < 0))
  return (
    <>
      <DurationField
        label="How long before or after"
        value={Math.abs(offsetSeconds)}
        max={DAY}
        invalid={invalid}
        onChange={(seconds) => onChange({ ...trigger, offsetSeconds: seconds * (OFFSETS[now]?.sign ?? 1) })}
      />
      <select
        className="input input-auto"
        aria-label="Before or after what"
        value={now}
        onChange={({ target }) => {
          const next = OFFSETS[Number(target.value)]
          if (next) onChange({ type: 'time', of: next.of, offsetSeconds: Math.abs(offsetSeconds) * next.sign })
        }}
      >
        {OFFSETS.map(({ title }, index) => (
          <option key={title} value={index}>
            {title}
          </option>
        ))}
      </select>
    </>
  )
}

function IntervalFields({ trigger, invalid, onChange }: Props<'interval'>) {
  return (
    <>
      <span>every</span>
      <DurationField
        label="Time from one to the next"
        value={trigger.everySeconds}
        min={5}
        max={DAY}
        invalid={invalid}
        onChange={(everySeconds) => onChange({ ...trigger, everySeconds })}
      />
      <select
        className="input input-auto"
        aria-label="During"
        value={trigger.during}
        onChange={({ target }) => onChange({ ...trigger, during: target.value as keyof typeof PHASES })}
      >
        {Object.entries(PHASES).map(([during, words]) => (
          <option key={during} value={during}>
            {words}
          </option>
        ))}
      </select>
    </>
  )
}
