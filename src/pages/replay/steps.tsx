import { memo, useEffect, useMemo, useRef, useState } from 'react'
import { byWorded } from '../ui/by-worded.ts'
import { timeOfDay } from '../ui/elapsed.ts'
import type { Moment } from './moments.ts'
import type { Step } from './recorded.ts'

const KINDS: Readonly<Record<Step['kind'], string>> = {
  start: 'Start',
  show: 'On',
  update: 'Change',
  hide: 'Off',
  match: 'Match',
}

const FILTERS = {
  all: { label: 'All', takes: () => true },
  graphics: { label: 'Graphics', takes: ({ kind }: Step) => kind !== 'match' },
  match: { label: 'Match', takes: ({ kind }: Step) => kind === 'match' },
} as const
type Filter = keyof typeof FILTERS

/** Everything that happened; a press goes there. */
export function Steps({
  moments,
  index,
  seek,
}: {
  moments: readonly Moment[]
  index: number
  seek: (at: number) => void
}) {
  const [filter, setFilter] = useState<Filter>('all')
  const shown = useMemo(
    () => moments.flatMap((moment, place) => (FILTERS[filter].takes(moment.step) ? [{ ...moment, place }] : [])),
    [moments, filter],
  )
  const current = shown.filter(({ place }) => place <= index).at(-1)?.place
  return (
    <section className="steps" aria-label="What happened">
      <fieldset className="filters">
        <legend className="visually-hidden">Show</legend>
        {Object.entries(FILTERS).map(([key, { label }]) => (
          <label key={key} className="speed">
            <input
              type="radio"
              name="filter"
              className="visually-hidden"
              checked={filter === key}
              onChange={() => setFilter(key as Filter)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <ol>
        {shown.map(({ at, step, place }) => (
          <Row key={place} at={at} step={step} current={place === current} seek={seek} />
        ))}
      </ol>
    </section>
  )
}

const Row = memo(function Row({
  at,
  step,
  current,
  seek,
}: {
  at: number
  step: Step
  current: boolean
  seek: (at: number) => void
}) {
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <li>
      <button
        type="button"
        ref={row}
        className={`step step-${step.kind}`}
        aria-current={current ? 'step' : undefined}
        onClick={() => seek(at)}
      >
        <span className="step-time tabular">{timeOfDay(at)}</span>
        <span className="step-kind">{KINDS[step.kind]}</span>
        <span className="step-label">{step.label}</span>
        <span className="step-by">{step.by && byWorded(step.by)}</span>
      </button>
    </li>
  )
})
