import './bitrate-chart.css'
import { chartOf } from './bitrate-lines.ts'

/** `4.2 Mb/s`, `850 kb/s`. */
export const bitrateText = (kb: number) => (kb >= 1_000 ? `${(kb / 1_000).toFixed(1)} Mb/s` : `${Math.round(kb)} kb/s`)

/** The bitrate of the last ten minutes; no line where nothing was measured, nothing at all where there is none. */
export function BitrateChart({
  name,
  history,
  now,
}: {
  name: string
  history: readonly { at: string; bitrateKb: number }[]
  now: number
}) {
  const { lines, areas, top, lowest, highest } = chartOf(history, now)
  if (lines.length === 0) return null
  const told = `${name}: ${bitrateText(lowest)} to ${bitrateText(highest)} in the last ten minutes`
  return (
    <figure className="chart">
      <svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img" aria-label={told}>
        <path className="chart-grid" d="M0 1H600M0 50H600M0 99H600" />
        {areas.map((area) => (
          <path key={area} className="chart-area" d={area} />
        ))}
        {lines.map((line) => (
          <path key={line} className="chart-line" d={line} />
        ))}
      </svg>
      <figcaption className="chart-scale tabular" aria-hidden="true">
        <span>{bitrateText(top)}</span>
        <span>0</span>
      </figcaption>
    </figure>
  )
}
