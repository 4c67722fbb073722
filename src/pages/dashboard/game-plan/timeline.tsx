import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { type Lane, matchTime, onAirAt, type Span, ticksOf } from './lanes.ts'

const ZOOMS = [1, 4, 16, 64]
const MOST_TICKS = 8
/** A bar that takes less of the width has no room for its name. */
const NAMED_SHARE = 0.06

type Props = { lanes: readonly Lane[]; span: Span; atMs: number; onMoment: (ms: number) => void }

/** A lane for each layer over the time of a match. A moment is chosen by a press, or with the slider. */
export function Timeline({ lanes, span, atMs, onMoment }: Props) {
  const [zoom, setZoom] = useState(1)
  const scroller = useRef<HTMLDivElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const id = useId()
  const length = span.toMs - span.fromMs
  const percent = (ms: number) => `${(100 * (ms - span.fromMs)) / length}%`
  const widthOf = (fromMs: number, toMs: number) => `${(100 * (toMs - fromMs)) / length}%`

  // the chosen moment stays in view while the picture of time is widened, and when it is chosen elsewhere
  const share = (atMs - span.fromMs) / length
  useEffect(() => {
    const box = scroller.current
    if (!box) return
    const left = share * box.scrollWidth
    const isInView = left > box.scrollLeft && left < box.scrollLeft + box.clientWidth
    if (!isInView || zoom > 1) box.scrollLeft = Math.max(0, left - box.clientWidth / 2)
  }, [share, zoom])

  const press = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (box) onMoment(span.fromMs + (length * (event.clientX - box.left)) / box.width)
  }
  const now = onAirAt(lanes, atMs).map(({ name }) => name)
  const step = (by: -1 | 1) => {
    const starts = [...new Set(lanes.flatMap(({ bars }) => bars.map(({ fromMs }) => fromMs + 500)))].sort(
      (a, b) => a - b,
    )
    const next = by > 0 ? starts.find((ms) => ms > atMs + 1) : starts.filter((ms) => ms < atMs - 1).at(-1)
    if (next !== undefined) onMoment(next)
  }
  return (
    <div className="time">
      <div className="time-controls">
        <Button small onClick={() => step(-1)}>
          ← Before
        </Button>
        <Button small onClick={() => step(1)}>
          Next →
        </Button>
        <label className="visually-hidden" htmlFor={id}>
          Moment of the match
        </label>
        <input
          id={id}
          type="range"
          min={Math.round(span.fromMs / 1_000)}
          max={Math.round(span.toMs / 1_000)}
          value={Math.round(atMs / 1_000)}
          aria-valuetext={`${matchTime(atMs)}, on air: ${now.join(', ') || 'nothing'}`}
          onChange={({ target }) => onMoment(Number(target.value) * 1_000)}
        />
        <output className="tabular">{matchTime(atMs)}</output>
        <Button small aria-label="Less detail" disabled={zoom === ZOOMS[0]} onClick={() => setZoom(zoom / 4)}>
          −
        </Button>
        <Button small aria-label="More detail" disabled={zoom === ZOOMS.at(-1)} onClick={() => setZoom(zoom * 4)}>
          +
        </Button>
      </div>
      <div className="time-body" aria-hidden="true">
        <div className="time-names">
          {lanes.map(({ name }) => (
            <span key={name} title={name}>
              {name}
            </span>
          ))}
        </div>
        <div className="time-scroll" ref={scroller}>
          <div className="time-track" ref={track} style={{ width: `${100 * zoom}%` }} onPointerDown={press}>
            {lanes.map(({ name, bars, marks }) => (
              <div className="time-lane" key={name}>
                {bars.map((bar) => (
                  <span
                    className="time-bar"
                    key={`${bar.ruleId} ${bar.fromMs}`}
                    style={{ left: percent(bar.fromMs), width: widthOf(bar.fromMs, bar.toMs) }}
                    title={`${bar.name}: ${matchTime(bar.fromMs)} to ${matchTime(bar.toMs)}`}
                  >
                    {(zoom * (bar.toMs - bar.fromMs)) / length > NAMED_SHARE && bar.name}
                  </span>
                ))}
                {marks.map((mark) => (
                  <span
                    className="time-mark"
                    key={`${mark.ruleId} ${mark.atMs} ${mark.why}`}
                    style={{ left: percent(mark.atMs) }}
                    title={`${mark.name}, ${matchTime(mark.atMs)}: ${mark.why}`}
                  >
                    ×
                  </span>
                ))}
              </div>
            ))}
            <div className="time-axis tabular">
              {ticksOf(span, MOST_TICKS * zoom).map((ms) => (
                <span key={ms} style={{ left: percent(ms) }}>
                  {matchTime(ms)}
                </span>
              ))}
            </div>
            <span className="time-now" style={{ left: percent(atMs) }} />
          </div>
        </div>
      </div>
    </div>
  )
}
