import { actionWorded } from '../ui/action-worded.ts'
import { Badge } from '../ui/badge.tsx'
import { byWorded } from '../ui/by-worded.ts'
import { timeOfDay } from '../ui/elapsed.ts'
import type { AsRunRow, Room } from './api.ts'
import { Panel } from './panel.tsx'
import type { Polled } from './use-polled.ts'

const paintedOf = ({ renderers, firstMs, lastMs }: AsRunRow['painted']) => {
  if (renderers === 0 || firstMs === null || lastMs === null) return 'Not reported'
  const by = renderers === 1 ? '' : ` by ${renderers}`
  return firstMs === lastMs ? `${firstMs} ms${by}` : `${firstMs} to ${lastMs} ms${by}`
}

function Row({ row, room }: { row: AsRunRow; room: Room | undefined }) {
  const preset = room?.presets.find(({ id }) => id === row.presetId)
  const graphic = row.graphicName ?? ''
  return (
    <tr>
      <td className="tabular">
        <time dateTime={row.at}>{timeOfDay(Date.parse(row.at))}</time>
      </td>
      <td>
        <span className={`action action-${row.action}`}>{actionWorded(row.action)}</span>
      </td>
      <th scope="row" className="as-run-what">
        {preset?.name ?? (graphic || 'No single graphic')}
        {preset && preset.name !== graphic && <span className="as-run-graphic"> {graphic}</span>}
      </th>
      <td className="as-run-who">{byWorded(row.by)}</td>
      <td className="figure">{paintedOf(row.painted)}</td>
    </tr>
  )
}

/** The last rows of the as-run log: command, principal, and how late renderers painted. */
export function AsRun({ polled, room }: { polled: Polled<{ asRun: AsRunRow[] }>; room: Room | undefined }) {
  const rows = polled.answer?.asRun ?? []
  return (
    <Panel
      id="as-run"
      className="as-run"
      title="As run"
      beside={polled.stale && <Badge tone="bad">Not up to date</Badge>}
    >
      {rows.length === 0 ? (
        <p className="none">{polled.answer ? 'Nothing was on air yet' : 'Reading'}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section className="table-wrap as-run-rows" tabIndex={0} aria-label="Last rows of the as-run log">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Action</th>
                <th scope="col">Preset</th>
                <th scope="col">By</th>
                <th scope="col" className="figure">
                  Painted after
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={`${row.seq} ${row.graphicName}`} row={row} room={room} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
