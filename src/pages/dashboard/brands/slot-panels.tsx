import './brands.css'
import { lengthOf } from '../../ui/moment.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import type { ProofOfPlay } from '../shapes.ts'

type Slot = ProofOfPlay['slots'][number]

/** Each sponsor slot with what its brands were promised against what was painted of them. `csv`: the address of all of it. */
export const SlotPanels = ({ slots, csv }: { slots: readonly Slot[]; csv: string }) =>
  slots.map((slot, index) => (
    <Panel
      key={slot.slotId}
      title={slot.name ?? `A slot that is gone (${slot.slotId})`}
      about="The bar is what was painted, the mark what was promised."
      actions={
        index === 0 && (
          <a className="button button-small" href={csv} download>
            CSV<span className="visually-hidden"> of sponsor slots</span>
          </a>
        )
      }
    >
      <Table
        label={slot.name ?? slot.slotId}
        columns={[
          'Brand',
          `Promised and painted, to ${widestOf(slot) * 100} %`,
          'Promised',
          'Painted',
          'Difference',
          'Seen',
        ]}
      >
        {slot.brands.map((brand) => (
          <Row key={brand.brandId} brand={brand} widest={widestOf(slot)} />
        ))}
      </Table>
    </Panel>
  ))

/** The share that fills the plot: the largest of all, in steps of a fifth. */
const widestOf = ({ brands }: Slot) =>
  Math.max(0.2, Math.ceil(Math.max(...brands.flatMap((one) => [one.promisedShare, one.paintedShare])) * 5) / 5)

function Row({ brand, widest }: { brand: Slot['brands'][number]; widest: number }) {
  const { name, promisedShare, paintedShare, paintedSeconds } = brand
  const points = Math.round((paintedShare - promisedShare) * 1000) / 10
  return (
    <tr>
      <td>{name}</td>
      <td className="share-cell">
        <svg className="share-plot" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className="share-track" width="100" height="10" />
          <rect className="share-painted" width={(paintedShare / widest) * 100} y="1.5" height="7" />
          {promisedShare > 0 && (
            <line
              className="share-promised"
              x1={(promisedShare / widest) * 100}
              x2={(promisedShare / widest) * 100}
              y1="0"
              y2="10"
            />
          )}
        </svg>
      </td>
      <td className="tabular">{percent(promisedShare)}</td>
      <td className="tabular">{percent(paintedShare)}</td>
      <td className="tabular">{paintedSeconds === 0 ? '–' : `${points > 0 ? '+' : ''}${points.toFixed(1)} points`}</td>
      <td className="tabular">{paintedSeconds < 60 ? `${paintedSeconds.toFixed(1)} s` : lengthOf(paintedSeconds)}</td>
    </tr>
  )
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
