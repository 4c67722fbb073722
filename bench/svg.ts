import { readable } from './table.ts'

export type Line = {
  name: string
  color: string
  points: readonly (readonly [number, number])[]
  faint?: boolean
  dashed?: boolean
}

export type Axis = {
  from: number
  to: number
  ticks: readonly number[]
  label: (value: number) => string
  title: string
  log?: boolean
}

export type Mark = { at: number; text: string }

const [width, height] = [680, 300]
const plot = { left: 56, right: width - 30, top: 16, bottom: height - 44 }

export const html = (text: string): string =>
  text.replace(/[&<>"]/g, (char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? char)

const scale = ({ from, to, log }: Axis, low: number, high: number) => {
  const of = (value: number) => (log ? Math.log10(Math.max(value, 1e-6)) : value)
  const span = of(to) - of(from) || 1
  return (value: number) => {
    const share = Math.min(1, Math.max(0, (of(value) - of(from)) / span))
    return Number((low + share * (high - low)).toFixed(1))
  }
}

/** A line chart; `marks` are limits drawn across it. The names stand at the line ends' right in the legend above. */
export function lineChart(
  title: string,
  x: Axis,
  y: Axis,
  lines: readonly Line[],
  marks: readonly Mark[] = [],
): string {
  const toX = scale(x, plot.left, plot.right)
  const toY = scale(y, plot.bottom, plot.top)
  const grid = y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${plot.left}" x2="${plot.right}" y1="${toY(tick)}" y2="${toY(tick)}"/><text class="tick" x="${plot.left - 8}" y="${toY(tick) + 4}" text-anchor="end">${y.label(tick)}</text>`,
  )
  const below = x.ticks.map(
    (tick) =>
      `<line class="grid" x1="${toX(tick)}" x2="${toX(tick)}" y1="${plot.top}" y2="${plot.bottom}"/><text class="tick" x="${toX(tick)}" y="${plot.bottom + 18}" text-anchor="middle">${x.label(tick)}</text>`,
  )
  const limits = marks
    .filter(({ at }) => at <= y.to)
    .map(
      ({ at, text }) =>
        `<line class="limit" x1="${plot.left}" x2="${plot.right}" y1="${toY(at)}" y2="${toY(at)}"/><text class="limit-text" x="${plot.right - 4}" y="${toY(at) - 5}" text-anchor="end">${html(text)}</text>`,
    )
  const paths = lines.map(({ name, color, points, faint, dashed }) => {
    const d = points.map(([px, py], i) => `${i === 0 ? 'M' : 'L'}${toX(px)} ${toY(py)}`).join('')
    const shown = `fill="none" stroke="${color}" stroke-width="${faint ? 1 : 2.25}" stroke-opacity="${faint ? 0.35 : 1}"${dashed ? ' stroke-dasharray="5 4"' : ''} stroke-linejoin="round"`
    const dots = faint
      ? ''
      : points
          .map(
            ([px, py]) =>
              `<circle class="dot" cx="${toX(px)}" cy="${toY(py)}" r="7"><title>${html(name)}: ${readable(py)} at ${x.label(px)}</title></circle>`,
          )
          .join('')
    return `<path d="${d}" ${shown}/>${dots}`
  })
  const legend = lines
    .filter(({ faint }) => !faint)
    .map(
      ({ name, color, dashed }) =>
        `<span><i style="border-top:3px ${dashed ? 'dashed' : 'solid'} ${color}"></i>${html(name)}</span>`,
    )
    .join('')
  return `<figure><figcaption>${html(title)}</figcaption><div class="legend">${legend}</div>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${html(title)}">${grid.join('')}${below.join('')}${limits.join('')}${paths.join('')}
<text class="axis" x="${(plot.left + plot.right) / 2}" y="${height - 8}" text-anchor="middle">${html(x.title)}</text>
<text class="axis" x="14" y="${(plot.top + plot.bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(plot.top + plot.bottom) / 2})">${html(y.title)}</text></svg></figure>`
}

export type Bar = { name: string; color: string; value: number; runs?: readonly number[]; note?: string }

/** Horizontal bars with a dot for each run; `limit` is drawn as a line through all of them. */
export function barChart(title: string, unit: string, bars: readonly Bar[], limit?: Mark): string {
  const row = 40
  const left = 190
  const tall = bars.length * row + 34
  const most = Math.max(limit?.at ?? 0, ...bars.flatMap(({ value, runs = [] }) => [value, ...runs])) * 1.18 || 1
  const toX = (value: number) => Number((left + (value / most) * (width - left - 16)).toFixed(1))
  const rows = bars.map(({ name, color, value, runs = [], note = '' }, i) => {
    const y = i * row + 22
    const dots =
      runs.length > 1
        ? runs.map(
            (run) =>
              `<circle cx="${toX(run)}" cy="${y + 11}" r="3" fill="#fff" fill-opacity=".75"><title>${readable(run)} ${unit}</title></circle>`,
          )
        : []
    const farthest = Math.max(value, ...runs)
    return `<text class="bar-name" x="${left - 10}" y="${y + 15}" text-anchor="end">${html(name)}</text><rect x="${left}" y="${y}" width="${Math.max(1, toX(value) - left)}" height="22" rx="2" fill="${color}"/>${dots.join('')}<text class="bar-value" x="${toX(farthest) + 8}" y="${y + 15}">${readable(value)} ${html(unit)}${note ? ` · ${html(note)}` : ''}</text>`
  })
  const line = limit
    ? `<line class="limit" x1="${toX(limit.at)}" x2="${toX(limit.at)}" y1="14" y2="${tall - 8}"/><text class="limit-text" x="${toX(limit.at)}" y="10" text-anchor="middle">${html(limit.text)}</text>`
    : ''
  return `<figure><figcaption>${html(title)}</figcaption><svg viewBox="0 0 ${width} ${tall}" role="img" aria-label="${html(title)}">${rows.join('')}${line}</svg></figure>`
}

export type StackedBar = { name: string; parts: readonly Omit<Bar, 'runs' | 'note'>[] }

/** Horizontal bars made of parts, with the sum at the end and the parts' names in the legend above. */
export function stackedChart(title: string, unit: string, bars: readonly StackedBar[], limit: Mark): string {
  const row = 40
  const left = 190
  const tall = bars.length * row + 34
  const sumOf = ({ parts }: StackedBar) => parts.reduce((sum, { value }) => sum + value, 0)
  const most = Math.max(limit.at, ...bars.map(sumOf)) * 1.18 || 1
  const toX = (value: number) => Number((left + (value / most) * (width - left - 16)).toFixed(1))
  const named = new Map(bars.flatMap(({ parts }) => parts.map(({ name, color }) => [name, color] as const)))
  const legend = Array.from(
    named,
    ([name, color]) => `<span><i style="border-top:8px solid ${color}"></i>${html(name)}</span>`,
  )
  const rows = bars.map((bar, i) => {
    const y = i * row + 22
    let from = 0
    const rects = bar.parts.map(({ name, color, value }) => {
      const x = toX(from)
      from += value
      const text = `${name}: ${readable(value)} ${unit}`
      return `<rect x="${x}" y="${y}" width="${Math.max(0, toX(from) - x)}" height="22" fill="${color}"><title>${html(text)}</title></rect>`
    })
    return `<text class="bar-name" x="${left - 10}" y="${y + 15}" text-anchor="end">${html(bar.name)}</text>${rects.join('')}<text class="bar-value" x="${toX(from) + 8}" y="${y + 15}">${readable(from)} ${html(unit)}</text>`
  })
  const line = `<line class="limit" x1="${toX(limit.at)}" x2="${toX(limit.at)}" y1="14" y2="${tall - 8}"/><text class="limit-text" x="${toX(limit.at)}" y="10" text-anchor="middle">${html(limit.text)}</text>`
  return `<figure><figcaption>${html(title)}</figcaption><div class="legend">${legend.join('')}</div><svg viewBox="0 0 ${width} ${tall}" role="img" aria-label="${html(title)}">${rows.join('')}${line}</svg></figure>`
}
