import { Badge } from '../../ui/badge.tsx'
import { byWorded } from '../../ui/by-worded.ts'
import { lengthOf, Moment } from '../../ui/moment.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { restUrl } from '../api.ts'
import { SlotPanels } from '../brands/slot-panels.tsx'
import { FilterSelect, Pager } from '../filter-fields.tsx'
import { Empty, Waiting } from '../parts.tsx'
import type { ProofOfPlay as Proof } from '../shapes.ts'
import type { Filters } from '../use-filters.ts'
import { useResource } from '../use-resource.ts'
import { AD_TYPES, PlayedFilters } from './played-filters.tsx'

const PLAYS = 50
const READ_EVERY_MS = 10_000
const NAMES = ['graphicId', 'brand', 'adType', 'from', 'to']

/** Seconds on screen per graphic and per sponsor, as renderers reported them. */
export function ProofOfPlay({ source, filters }: { source: string; filters: Filters }) {
  const path = `${source}/proof-of-play`
  const proof = useResource<Proof>(`${path}${filters.query([...NAMES, 'offset'], { limit: String(PLAYS) })}`, {
    everyMs: READ_EVERY_MS,
  })
  // unnarrowed it tells all that there is to choose by itself
  const narrowed = filters.query(NAMES) !== ''
  const all = useResource<Proof>(narrowed ? `${path}?limit=1` : undefined)
  const { graphics = [], brands = [] } = (narrowed ? all.value : proof.value) ?? {}
  return (
    <>
      <PlayedFilters filters={filters} graphics={graphics}>
        <FilterSelect
          filters={filters}
          name="brand"
          label="Sponsor"
          all="Every sponsor"
          options={[...new Set(brands.flatMap(({ brand }) => brand ?? []))].map((name) => [name, name])}
        />
      </PlayedFilters>
      {proof.value ? (
        <Told
          proof={proof.value}
          filters={filters}
          csv={(rows) => restUrl(`${path}${filters.query(NAMES, { format: 'csv', rows })}`)}
        />
      ) : (
        <Waiting error={proof.error} reload={proof.reload} />
      )}
    </>
  )
}

type Rows = 'plays' | 'graphics' | 'brands' | 'slots'

const isPainted = ({ paintedSeconds }: { paintedSeconds: number }) => paintedSeconds > 0

type ToldProps = { proof: Proof; filters: Filters; csv: (rows: Rows) => string }

function Told({ proof, filters, csv }: ToldProps) {
  if (proof.total === 0 && proof.graphics.length === 0)
    return <Empty>Nothing was on air that fits these filters.</Empty>
  return (
    <>
      {!proof.complete && (
        <p className="notice notice-bad">
          Older commands were removed by retention: what is told is complete only since{' '}
          <Moment at={proof.knownFrom} seconds />.
        </p>
      )}
      <div className="panel">
        <Facts
          facts={[
            ['On air', <Length key="committed" seconds={proof.committedSeconds} />],
            ['Seen on screen', <Length key="painted" seconds={proof.paintedSeconds} />],
            ['Plays', proof.total],
            ['Counted until', <Moment key="to" at={proof.to} seconds />],
          ]}
        />
      </div>
      <Panel title="By sponsor" actions={<Csv href={csv('brands')} of="sponsors" />}>
        <Table label="By sponsor" columns={['Sponsor', 'Advertising', ...SECONDS]}>
          {proof.brands.map((row) => (
            <tr key={`${row.brandId} ${row.brand} ${row.adType}`}>
              <td>{row.brand ?? <span className="cell-about">no sponsor</span>}</td>
              <td>{AD_TYPES.find(([value]) => value === row.adType)?.[1] ?? '–'}</td>
              <Seconds {...row} />
            </tr>
          ))}
        </Table>
      </Panel>
      <SlotPanels slots={proof.slots.filter(({ brands }) => brands.some(isPainted))} csv={csv('slots')} />
      <Panel title="By graphic" actions={<Csv href={csv('graphics')} of="graphics" />}>
        <Table label="By graphic" columns={['Graphic', ...SECONDS]}>
          {proof.graphics.map((row) => (
            <tr key={row.graphicId}>
              <td>
                {row.graphicName} {row.lastAt === null && <Badge tone="air">On air</Badge>}
              </td>
              <Seconds {...row} />
            </tr>
          ))}
        </Table>
      </Panel>
      <Plays proof={proof} filters={filters} csv={csv} />
    </>
  )
}

function Plays({ proof, filters, csv }: ToldProps) {
  return (
    <Panel title="Every play" about="Oldest first." actions={<Csv href={csv('plays')} of="plays" />}>
      <Table label="Every play" columns={['From', 'Until', 'Graphic', 'On air', 'Seen', 'Not seen', 'By']}>
        {proof.plays.map((play) => (
          <tr key={`${play.overlayId} ${play.seq} ${play.graphicId}`}>
            <td>
              <Moment at={play.at} seconds />
              {play.cut && <p className="cell-about">began earlier</p>}
            </td>
            <td>{play.until === null ? <Badge tone="air">On air</Badge> : <Moment at={play.until} seconds />}</td>
            <td>
              {play.graphicName}
              {play.brand && <p className="cell-about">{play.brand}</p>}
            </td>
            <td className="tabular">
              <Length seconds={play.committedSeconds} />
            </td>
            <td className="tabular">
              <Length seconds={play.paintedSeconds} />
            </td>
            <td>{gapsOf(play)}</td>
            <td>{play.by === null ? 'unknown' : byWorded(play.by)}</td>
          </tr>
        ))}
      </Table>
      <Pager filters={filters} limit={PLAYS} total={proof.total} returned={proof.returned} />
    </Panel>
  )
}

const SECONDS = ['Plays', 'On air', 'Seen', 'Not seen']

type Counted = Pick<Proof['graphics'][number], 'plays' | 'committedSeconds' | 'paintedSeconds' | 'gaps'>

function Seconds({ plays, committedSeconds, paintedSeconds, gaps }: Counted) {
  return (
    <>
      <td className="tabular">{plays}</td>
      <td className="tabular">
        <Length seconds={committedSeconds} />
      </td>
      <td className="tabular">
        <Length seconds={paintedSeconds} />
      </td>
      <td>{gapsOf({ gaps })}</td>
    </>
  )
}

const Length = ({ seconds }: { seconds: number }) => (
  <span className="moment" title={`${seconds} s`}>
    {seconds < 60 ? `${seconds.toFixed(1)} s` : lengthOf(seconds)}
  </span>
)

/** Why time on air was not time on screen: `12.0 s no renderer, 0.3 s late`. */
function gapsOf({ gaps }: Pick<Counted, 'gaps'>): string {
  const told = [
    [gaps.noRendererSeconds, 'no renderer'],
    [gaps.lateSeconds, 'late'],
    [gaps.delaySeconds, 'held back'],
    [gaps.unreportedSeconds, 'not reported'],
    [gaps.outOfViewSeconds, 'out of view'],
    [gaps.forgottenSeconds, 'reports not kept'],
  ] as const
  return (
    told
      .filter(([seconds]) => seconds >= 0.05)
      .map(([seconds, why]) => `${seconds < 60 ? `${seconds.toFixed(1)} s` : lengthOf(seconds)} ${why}`)
      .join(', ') || '–'
  )
}

function Csv({ href, of }: { href: string; of: string }) {
  return (
    <a className="button button-small" href={href} download>
      CSV<span className="visually-hidden"> of {of}</span>
    </a>
  )
}
