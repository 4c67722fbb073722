const WINDOW_MS = 600_000
/** Points come each five seconds; after a longer pause nothing was measured. */
const PAUSE_MS = 12_000
const WIDTH = 600
const HEIGHT = 100

type Point = { at: number; kb: number }

/**
 * SVG paths of a history in a field of 600 by 100 that ends now and began ten minutes ago. `top` is the rate, in kb/s, at the
 * upper edge; `lowest` and `highest` are the measured ones.
 */
export function chartOf(history: readonly { at: string; bitrateKb: number }[], now: number) {
  const points = history
    .map(({ at, bitrateKb }) => ({ at: Date.parse(at), kb: bitrateKb }))
    .filter(({ at }) => at >= now - WINDOW_MS)
  const rates = points.map(({ kb }) => kb)
  const highest = Math.max(0, ...rates)
  const top = roundUp(highest)
  const x = ({ at }: Point) => round(((Math.min(at, now) - (now - WINDOW_MS)) / WINDOW_MS) * WIDTH)
  const y = ({ kb }: Point) => round(HEIGHT - (kb / top) * HEIGHT)
  const runs = runsOf(points)
  const lines = runs.map((run) => `M${run.map((point) => `${x(point)} ${y(point)}`).join('L')}`)
  const areas = runs.map((run, index) => {
    const [first, last] = [run[0], run.at(-1)]
    return first && last ? `${lines[index]}V${HEIGHT}H${x(first)}Z` : ''
  })
  return { lines, areas, top, lowest: Math.min(highest, ...rates), highest }
}

/** Points between which nothing is missing; one alone is no line. */
function runsOf(points: readonly Point[]): Point[][] {
  const runs: Point[][] = []
  for (const point of points) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && point.at - last.at <= PAUSE_MS) run.push(point)
    else runs.push([point])
  }
  return runs.filter(({ length }) => length > 1)
}

/** The next of 1, 2, 2.5, 5 or 10 times a power of ten, so that the scale is read at a glance and does not tremble. */
function roundUp(kb: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(kb, 100)))
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= kb) ?? 10)
}

const round = (value: number) => Math.round(value * 10) / 10
