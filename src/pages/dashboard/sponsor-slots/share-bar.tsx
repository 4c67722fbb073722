import { isInRotation } from '../brands/brand-state.tsx'
import type { Brand } from '../shapes.ts'
import { type DraftSlot, partsOf, percent, situationsOf } from './draft.ts'

type Props = { slot: Pick<DraftSlot, 'brands'>; brandOf: (id: number) => Brand | undefined }

/** How the brands of a slot share its time, in their colours. What it shows is told in words beside it. */
export const ShareBar = ({ slot, brandOf }: Props) => (
  <div className="share-bars" aria-hidden="true">
    {situationsOf(slot).map(({ side, words }) => {
      const parts = partsOf(slot, side)
      return (
        <div className={words ? 'share-line is-about' : 'share-line'} key={words}>
          {words && <span className="share-about">{words}</span>}
          <span className="share-whole">
            {parts.map(({ brandId, part }) => {
              const brand = brandOf(brandId)
              return (
                <span
                  key={brandId}
                  className={brand && isInRotation(brand) ? 'share-part' : 'share-part share-part-out'}
                  style={{ flexGrow: part, background: brand?.primaryColor, color: brand?.textColor }}
                >
                  <b>{percent(part)}</b> {brand?.name}
                </span>
              )
            })}
            {parts.length === 0 && <span className="share-none">no brand</span>}
          </span>
        </div>
      )
    })}
  </div>
)
