import { useMemo } from 'react'
import { timeOfDay } from '../ui/elapsed.ts'
import { lanesOf, type Moment } from './moments.ts'

const TICKS = 6

/** When each graphic was on air and the events of the match, with the position that can be dragged. */
export function Timeline({
  moments,
  span: { from, to },
  position,
  seek,
}: {
  moments: readonly Moment[]
  span: { from: number; to: number }
  position: number
  seek: (at: number) => void
}) {
  const length = Math.max(1, to - from)
  const share = (at: number) => `${((at - from) / length) * 100}%`
  const lanes = useMemo(() => lanesOf(moments, to), [moments, to])
  const facts = useMemo(
    () => moments.flatMap((one, place) => (one.step.kind === 'match' ? [{ ...one, place }] : [])),
    [moments],
  )
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => from + (length / TICKS) * index)
  return (
    <div className="timeline">
      <div className="lanes" aria-hidden="true">
        <i
          className="playhead"
          style={{ left: `calc(var(--names) + (100% - var(--names)) * ${(position - from) / length})` }}
        />
        {lanes.map(({ name, bars }) => (
          <div className="lane" key={name}>
            <span className="lane-name">{name}</span>
            <div className="lane-track">
              {bars.map((bar) => (
                <i
                  key={bar.from}
                  style={{ left: share(bar.from), width: `${((bar.until - bar.from) / length) * 100}%` }}
                />
              ))}
            </div>
          </div>
        ))}
        <div className="lane">
          <span className="lane-name">Match</span>
          <div className="lane-track lane-facts">
            {facts.map(({ at, step, place }) => (
              <b key={place} style={{ left: share(at) }} title={step.label} />
            ))}
          </div>
        </div>
      </div>
      <div className="scrub">
        <input
          type="range"
          aria-label="Position"
          min={from}
          max={to}
          step={100}
          value={position}
          aria-valuetext={timeOfDay(position)}
          onChange={(event) => seek(Number(event.target.value))}
        />
        <ol className="ticks tabular" aria-hidden="true">
          {ticks.map((at) => (
            <li key={at}>{timeOfDay(at)}</li>
          ))}
        </ol>
      </div>
    </div>
  )
}
