import { useState } from 'react'

const UNITS = [
  { title: 's', seconds: 1 },
  { title: 'min', seconds: 60 },
  { title: 'h', seconds: 3_600 },
] as const

/** The largest unit in which a time is a whole number. */
const unitOf = (seconds: number) =>
  seconds === 0 ? 1 : ([...UNITS].reverse().find((unit) => seconds % unit.seconds === 0)?.seconds ?? 1)

/** A length of time: a number with its unit. */
export function DurationField({
  label,
  value,
  min = 0,
  max,
  invalid = false,
  onChange,
}: {
  label: string
  /** In seconds. */
  value: number
  min?: number
  max: number
  invalid?: boolean
  onChange: (seconds: number) => void
}) {
  const [unit, setUnit] = useState<number>(() => unitOf(value))
  const [typed, setTyped] = useState<string>()
  // what another control has set may need a smaller unit
  const shown = value % unit === 0 ? unit : unitOf(value)
  const within = (seconds: number) => Math.max(min, Math.min(max, Math.round(seconds)))
  const set = (text: string, factor: number) => {
    const number = Number(text.replace(',', '.'))
    if (text.trim() !== '' && Number.isFinite(number)) onChange(within(number * factor))
  }
  return (
    <span className="duration">
      <input
        className="input tabular"
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={invalid}
        value={typed ?? String(value / shown)}
        onChange={({ target }) => {
          setTyped(target.value)
          set(target.value, shown)
        }}
        onBlur={() => setTyped(undefined)}
      />
      <select
        className="input"
        aria-label={`${label}: unit`}
        value={shown}
        onChange={({ target }) => {
          const next = Number(target.value)
          setUnit(next)
          onChange(within((value / shown) * next))
        }}
      >
        {UNITS.map(({ title, seconds }) => (
          <option key={title} value={seconds}>
            {title}
          </option>
        ))}
      </select>
    </span>
  )
}
