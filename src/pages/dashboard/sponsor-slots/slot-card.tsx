import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { DragHandle } from '../../ui/drag-handle.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type Ordering, useOrdering } from '../../ui/use-ordering.ts'
import type { Rule } from '../game-plan/draft.ts'
import { Link } from '../router.tsx'
import type { Brand, Preset, ProofOfPlay } from '../shapes.ts'
import { type FieldFaults, saidAt } from '../worked-list/faults.ts'
import { BrandRow } from './brand-row.tsx'
import type { DraftBrand, DraftSlot } from './draft.ts'
import { ShareBar } from './share-bar.tsx'

type Props = {
  slot: DraftSlot
  place: string
  handle: ReturnType<Ordering['handleOf']>
  isDragged: boolean
  /** The slot was just added: its name is asked for. */
  isNew: boolean
  brands: readonly Brand[]
  brandOf: (id: number) => Brand | undefined
  /** Painted seconds of the slot so far in its competition. */
  seen: ProofOfPlay['slots'][number] | undefined
  uses: { presets: readonly Preset[]; rules: readonly Rule[] }
  planPath: string
  faults: FieldFaults | undefined
  mayChange: boolean
  announce: (text: string) => void
  onChange: (change: Partial<DraftSlot>) => void
  onRemove: () => void
}

const FIRST_SHARE = 50

/** One slot: its name, its brands with what they are promised, and what shows it. */
export function SlotCard(props: Props) {
  const { slot, place, handle, isDragged, isNew, brands, brandOf, seen, uses, faults, mayChange, onChange } = props
  const { id, name } = slot
  const called = name.trim() || 'the slot'
  const nameField = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) nameField.current?.focus()
  }, [isNew])
  const setBrands = (next: readonly DraftBrand[]) => onChange({ brands: next })
  const keyOf = ({ brandId }: DraftBrand) => String(brandId)
  const { list, dragged, handleOf } = useOrdering({
    ids: slot.brands.map(keyOf),
    move(key, to) {
      const moved = slot.brands.find((one) => keyOf(one) === key)
      const others = slot.brands.filter((one) => keyOf(one) !== key)
      if (moved) setBrands([...others.slice(0, to), moved, ...others.slice(to)])
    },
    reorder: (keys) => setBrands([...slot.brands].sort((a, b) => keys.indexOf(keyOf(a)) - keys.indexOf(keyOf(b)))),
    announce: props.announce,
    nameOf: (key) => brandOf(Number(key))?.name ?? 'The brand',
  })
  const free = brands.filter((brand) => !slot.brands.some(({ brandId }) => brandId === brand.id))
  const unplaced = saidAt(faults, 'id') ?? faults?.['']
  return (
    <li className={isDragged ? 'panel slot-card slot-card-dragged' : 'panel slot-card'} data-id={id}>
      <div className="slot-head">
        {mayChange ? (
          <>
            <DragHandle name={called} place={place} hint="slots-order-hint" handle={handle} />
            <TextField
              label="Name of the slot"
              ref={nameField}
              maxLength={60}
              placeholder="Breaks"
              value={name}
              error={saidAt(faults, 'name')}
              onChange={({ target }) => onChange({ name: target.value })}
            />
            <Button onClick={props.onRemove} aria-label={`Remove ${called}`}>
              Remove
            </Button>
          </>
        ) : (
          <h2 className="panel-title">{name}</h2>
        )}
      </div>
      {unplaced && (
        <p className="field-error" role="alert">
          {unplaced}
        </p>
      )}
      {slot.brands.length > 0 && <ShareBar slot={slot} brandOf={brandOf} />}
      {mayChange && slot.brands.length > 0 && (
        <p className="slot-columns" aria-hidden="true">
          <span>Share</span>
          <span>Of the whole</span>
          <span>Shown</span>
        </p>
      )}
      <ol
        className={dragged ? 'slot-brands work-dragging' : 'slot-brands'}
        ref={list}
        aria-label={`Brands of ${called}`}
      >
        {slot.brands.map((one, index) => (
          <BrandRow
            key={one.brandId}
            slot={slot}
            one={one}
            brand={brandOf(one.brandId)}
            place={`${index + 1} of ${slot.brands.length}`}
            handle={handleOf(keyOf(one))}
            isDragged={dragged === keyOf(one)}
            seen={seen?.brands.find(({ brandId }) => brandId === one.brandId)}
            fault={saidAt(faults, `brands[${index}]`)}
            mayChange={mayChange}
            onChange={(part) => setBrands(slot.brands.map((other) => (other === one ? { ...other, ...part } : other)))}
            onRemove={() => setBrands(slot.brands.filter((other) => other !== one))}
          />
        ))}
      </ol>
      {slot.brands.length === 0 && (
        <p className="cell-about">No brand has a share of it: nothing that names it is shown.</p>
      )}
      {mayChange && free.length > 0 && (
        <div className="slot-add">
          <SelectField
            label={<span className="visually-hidden">Add a brand to {called}</span>}
            value=""
            error={faults?.brands}
            onChange={({ target }) =>
              setBrands([
                ...slot.brands,
                { brandId: Number(target.value), share: slot.brands.at(-1)?.share ?? FIRST_SHARE },
              ])
            }
          >
            <option value="">Add a brand…</option>
            {free.map((brand) => (
              <option key={brand.id} value={brand.id}>
                {brand.name}
              </option>
            ))}
          </SelectField>
        </div>
      )}
      <Uses uses={uses} planPath={props.planPath} />
    </li>
  )
}

/** Presets and rules that show a slot, with links to them. */
function Uses({ uses: { presets, rules }, planPath }: Pick<Props, 'uses' | 'planPath'>) {
  if (presets.length + rules.length === 0)
    return (
      <p className="slot-uses cell-about">
        Nothing shows it yet. Choose it where a preset or a rule of the game plan asks for a brand.
      </p>
    )
  return (
    <p className="slot-uses">
      <span className="cell-about">Shown by </span>
      {presets.map(({ id, name, controlRoomId }) => (
        <Link key={`preset ${id}`} to={`/control-rooms/${controlRoomId}`}>
          preset {name}
        </Link>
      ))}
      {rules.map(({ id, name }) => (
        <Link key={`rule ${id}`} to={planPath}>
          rule {name}
        </Link>
      ))}
    </p>
  )
}
