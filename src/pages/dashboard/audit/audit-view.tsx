import './audit.css'
import { worded } from '../../../schema/worded.ts'
import { byWorded } from '../../ui/by-worded.ts'
import { Moment } from '../../ui/moment.tsx'
import { Table } from '../../ui/table.tsx'
import { eventInWords } from '../event-words.ts'
import { FilterMoment, FilterSelect, Pager } from '../filter-fields.tsx'
import { Empty, PageHead, Waiting } from '../parts.tsx'
import type { AuditEntry, AuditList } from '../shapes.ts'
import { useFilters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'

const ROWS = 50
const KINDS = [
  ['person', 'People and sign-ins'],
  ['api-key', 'API keys'],
  ['overlay-settings', 'Overlays'],
  ['match-record,lineup', 'Matches and line-ups'],
  ['stream-settings,stream-input,stream-destination', 'Streams'],
  ['theme,theme-profile,theme-style,data-source-template', 'Themes and graphics'],
  ['control-room', 'Control rooms'],
  ['competition,team,player,official,venue,club', 'Competitions, teams, venues'],
  ['preview,replay', 'Previews and replays'],
  ['provider-connection', 'Providers'],
  ['webhook', 'Webhooks'],
  ['node', 'Nodes'],
] as const
const WHO = [
  ['person', 'People'],
  ['key', 'API keys'],
  ['link', 'Control room pages'],
  ['desk', 'Match desks'],
  ['system', 'The server'],
] as const

/** Sign-ins and changes, with the people who made them. */
export function AuditView() {
  const filters = useFilters()
  const query = filters.query(['kind', 'byType', 'from', 'to', 'offset'], { limit: String(ROWS) })
  const list = useResource<AuditList>(`/v1/audit${query}`)
  return (
    <>
      <PageHead
        title="Audit"
        about="Sign-ins, keys, people and every change of a record, newest first. What was on air is under As-run."
      />
      <div className="filters">
        <FilterSelect filters={filters} name="kind" label="About" all="Everything" options={KINDS} />
        <FilterSelect filters={filters} name="byType" label="By" all="Everybody" options={WHO} />
        <FilterMoment filters={filters} name="from" label="From" />
        <FilterMoment filters={filters} name="to" label="Until" />
      </div>
      {list.value ? (
        <>
          <Entries entries={list.value.audit} />
          <Pager filters={filters} limit={ROWS} {...list.value} />
        </>
      ) : (
        <Waiting error={list.error} reload={list.reload} />
      )}
    </>
  )
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <Empty>Nothing fits these filters.</Empty>
  return (
    <Table label="Audit" columns={['When', 'What happened', 'By', 'Record', 'Details']}>
      {entries.map((entry) => (
        <tr key={`${entry.ref} ${entry.id}`}>
          <td>
            <Moment at={entry.at} seconds />
          </td>
          <td>{entry.events.map(({ type }) => eventInWords(type)).join(', ') || worded(entry.command)}</td>
          <td className="cell-by">
            {byWorded(entry.by)}
            {entry.by.type === 'key' && <p className="cell-about">API key</p>}
            {entry.by.type === 'system' && <p className="cell-about">the server</p>}
          </td>
          <td className="mono cell-record">
            <span title={entry.ref}>{entry.ref.replace(/([0-9a-f]{8})[0-9a-f]{16}$/, '$1…')}</span>
          </td>
          <td className="cell-wrap cell-details">{detailsOf(entry)}</td>
        </tr>
      ))}
    </Table>
  )
}

const LONGEST = 240

/** The members of events beside their type, else those of the command: `from operator, to admin`. */
function detailsOf({ events, asked }: AuditEntry): string {
  const told = events.flatMap(({ type: _, ...rest }) => Object.entries(rest))
  const shown = told.length > 0 ? told : Object.entries(isObject(asked) ? asked : {})
  const text = shown
    .filter(([name, value]) => value !== null && value !== undefined && name !== 'userAgent')
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text || '–'
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
