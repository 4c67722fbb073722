import { useId } from 'react'
import { DragHandle } from '../../ui/drag-handle.tsx'
import type { Ordering } from '../../ui/use-ordering.ts'
import { BrandMark } from '../brands/brand-mark.tsx'
import { BrandState } from '../brands/brand-state.tsx'
import type { Brand, ProofOfPlay } from '../shapes.ts'
import { type DraftBrand, type DraftSlot, partWords, percent, type Side } from './draft.ts'

type Props = {
  slot: DraftSlot
  one: DraftBrand
  brand: Brand | undefined
  place: string
  handle: ReturnType<Ordering['handleOf']>
  isDragged: boolean
  seen: ProofOfPlay['slots'][number]['brands'][number] | undefined
  fault: string | undefined
  mayChange: boolean
  onChange: (change: Partial<DraftBrand>) => void
  onRemove: () => void
}

const SIDES = { home: 'only about home', away: 'only about away' } as const

/** A brand of a slot: its share of the whole, what was seen of it so far, and the side that it is for. */
export function BrandRow(props: Props) {
  const { slot, one, brand, place, handle, isDragged, seen, fault, mayChange, onChange } = props
  const id = useId()
  const name = brand?.name ?? `Brand ${one.brandId}, deleted`
  const part = partWords(slot, one.brandId)
  return (
    <li className={isDragged ? 'slot-brand slot-brand-dragged' : 'slot-brand'} data-id={String(one.brandId)}>
      {mayChange && <DragHandle name={name} place={place} hint="slots-order-hint" handle={handle} />}
      <span className="brand-cell slot-brand-name">
        {brand && <BrandMark brand={brand} />}
        <span>
          {name}
          {seen && seen.paintedSeconds > 0 && (
            <span className="cell-about slot-seen">seen so far: {percent(seen.paintedShare)}</span>
          )}
        </span>
        {brand && <BrandState brand={brand} />}
      </span>
      {mayChange ? (
        <span className="slot-share">
          <input
            className="input tabular"
            type="number"
            min={1}
            max={100}
            aria-label={`Share of ${name}`}
            aria-invalid={fault !== undefined}
            aria-describedby={`${id}-part${fault ? ` ${id}-fault` : ''}`}
            value={one.share ?? ''}
            onChange={({ target }) => onChange({ share: target.value === '' ? null : Number(target.value) })}
          />
          <span className="slot-part tabular" id={`${id}-part`}>
            <span className="visually-hidden">comes to </span>
            {part}
          </span>
        </span>
      ) : (
        <span className="slot-part tabular">{part}</span>
      )}
      {mayChange ? (
        <select
          className="input slot-side"
          aria-label={`Side of ${name}`}
          value={one.side ?? ''}
          onChange={({ target }) => onChange({ side: target.value === '' ? undefined : (target.value as Side) })}
        >
          <option value="">always</option>
          <option value="home">{SIDES.home}</option>
          <option value="away">{SIDES.away}</option>
        </select>
      ) : (
        <span className="cell-about slot-side">{one.side ? SIDES[one.side] : 'always'}</span>
      )}
      {mayChange && (
        <button type="button" className="button button-quiet slot-remove" onClick={props.onRemove}>
          <span aria-hidden="true">×</span>
          <span className="visually-hidden">
            Remove {name} from {slot.name || 'the slot'}
          </span>
        </button>
      )}
      {fault && (
        <p className="field-error slot-fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </li>
  )
}
