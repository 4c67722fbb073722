import './bitrate-chart.css'

export type BitratePoint = { readonly at: string; readonly bitrateKb: number }

const WIDTH = 600
const HEIGHT = 96
const SPAN_MS = 600_000

/** `4.2 Mb/s`, `640 kb/s` */
export const bitrateOf = (kilobits: number | null): string => {
  if (kilobits === null) return 'nothing flows'
  return kilobits >= 1_000 ? `${(kilobits / 1_000).toFixed(1)} Mb/s` : `${Math.round(kilobits)} kb/s`
}

/** The bitrate of the last ten minutes up to `now`, told in words too. */
export function BitrateChart({ label, history }: { label: string; history: readonly BitratePoint[] }) {
  const last = history.at(-1)
  if (!last) return <p className="cell-about">No bitrate in the last ten minutes.</p>
  const now = Date.parse(last.at)
  const highest = Math.max(1, ...history.map(({ bitrateKb }) => bitrateKb))
  const x = (at: string) => WIDTH - ((now - Date.parse(at)) / SPAN_MS) * WIDTH
  const y = (bitrateKb: number) => HEIGHT - (bitrateKb / highest) * (HEIGHT - 8)
  const points = history.map(({ at, bitrateKb }) => `${x(at).toFixed(1)},${y(bitrateKb).toFixed(1)}`)
  const first = x(history[0]?.at ?? last.at).toFixed(1)
  return (
    <figure className="chart">
      <svg
        className="chart-picture"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: now ${bitrateOf(last.bitrateKb)}, at most ${bitrateOf(highest)} in ten minutes`}
      >
        <polygon className="chart-ground" points={`${first},${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <polyline className="chart-line" points={points.join(' ')} />
      </svg>
      <figcaption className="chart-scale">
        <span>10 min ago</span>
        <span>at most {bitrateOf(highest)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  )
}
