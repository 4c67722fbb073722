import { worded } from '../../../schema/worded.ts'
import { actionsWorded, actionWorded } from '../../ui/action-worded.ts'
import { Badge } from '../../ui/badge.tsx'
import { byWorded } from '../../ui/by-worded.ts'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { valueWorded } from '../../ui/value-worded.ts'
import { restUrl } from '../api.ts'
import { FilterSelect, Pager } from '../filter-fields.tsx'
import { Empty, Waiting } from '../parts.tsx'
import type { AsRunEntry, AsRunLog as Log } from '../shapes.ts'
import type { Filters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { PlayedFilters } from './played-filters.tsx'
import type { Presets } from './use-presets.ts'

const ROWS = 50
const READ_EVERY_MS = 5_000
const NAMES = ['action', 'graphicId', 'presetId', 'by', 'adType', 'from', 'to']

const PEOPLE = [
  ['person', 'People'],
  ['key', 'API keys'],
  ['link', 'Control room pages'],
  ['gamePlan', 'The game plan'],
  ['system', 'The server'],
] as const

/** Every command that touched a graphic, newest first. */
export function AsRunLog({ source, filters, presets }: { source: string; filters: Filters; presets: Presets }) {
  const page = { order: 'desc', limit: String(ROWS) }
  const log = useResource<Log>(`${source}/as-run${filters.query([...NAMES, 'offset'], page)}`, {
    everyMs: READ_EVERY_MS,
  })
  return (
    <>
      <PlayedFilters
        filters={filters}
        graphics={[...presets.values(), ...(log.value?.asRun ?? [])]}
        before={
          <FilterSelect filters={filters} name="action" label="Action" all="Every action" options={actionsWorded} />
        }
        after={
          <a className="button" href={restUrl(`${source}/as-run${filters.query(NAMES, { format: 'csv' })}`)} download>
            Download CSV
          </a>
        }
      >
        <FilterSelect
          filters={filters}
          name="presetId"
          label="Preset"
          all="Every preset"
          options={[...presets.values()].map(({ id, name }) => [String(id), name])}
        />
        <FilterSelect filters={filters} name="by" label="By" all="Everybody" options={PEOPLE} />
      </PlayedFilters>
      {log.value ? (
        <>
          <Entries entries={log.value.asRun} presets={presets} />
          <Pager filters={filters} limit={ROWS} {...log.value} />
        </>
      ) : (
        <Waiting error={log.error} reload={log.reload} />
      )}
    </>
  )
}

function Entries({ entries, presets }: { entries: readonly AsRunEntry[]; presets: Presets }) {
  if (entries.length === 0) return <Empty>Nothing was on air that fits these filters.</Empty>
  return (
    <Table label="As-run log" columns={['When', 'Action', 'Graphic', 'Values', 'By', 'On screen']}>
      {entries.map((entry) => (
        <tr key={`${entry.overlayId} ${entry.seq} ${entry.graphicId}`}>
          <td>
            <Moment at={entry.at} seconds />
          </td>
          <td>
            <ActionBadge action={entry.action} />
          </td>
          <td>
            {entry.graphicName ?? (entry.action === 'refresh' ? 'Live data' : 'No single graphic')}
            {presetOf(entry, presets) && <p className="cell-about">{presetOf(entry, presets)}</p>}
            {entry.brand && <p className="cell-about">{entry.brand}</p>}
          </td>
          <td className="cell-wrap cell-values">{valuesOf(entry)}</td>
          <td className="cell-wrap">
            {byWorded(entry.by)}
            {entry.by.type === 'key' && <p className="cell-about">API key</p>}
          </td>
          <td>{paintedOf(entry)}</td>
        </tr>
      ))}
    </Table>
  )
}

function ActionBadge({ action }: { action: string }) {
  const title = actionWorded(action)
  if (action === 'show' || action === 'take') return <Badge tone="air">{title}</Badge>
  if (action === 'update') return <Badge tone="pending">{title}</Badge>
  return <Badge>{title}</Badge>
}

/** The name of the preset where it is another than that of its graphic. */
function presetOf({ presetId, graphicName }: AsRunEntry, presets: Presets): string | undefined {
  const name = presetId === null ? undefined : presets.get(presetId)?.name
  return name === graphicName ? undefined : name
}

const valuesOf = ({ values, names }: AsRunEntry): string =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${worded(name)}: ${value === null ? 'default' : (names?.[name] ?? valueWorded(value))}`)
    .join(', ') || '–'

function paintedOf({ painted, action }: AsRunEntry) {
  if (painted.length === 0) return <span className="cell-about">{action === 'refresh' ? '–' : 'not reported'}</span>
  const first = Math.min(...painted.map(({ latencyMs }) => latencyMs))
  return (
    <span title={painted.map(({ renderer, latencyMs }) => `${renderer}: ${latencyMs} ms`).join('\n')}>
      {painted.length} {painted.length === 1 ? 'renderer' : 'renderers'}
      <span className="cell-about tabular"> after {first} ms</span>
    </span>
  )
}
