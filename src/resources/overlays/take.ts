import { onPreview, type Take } from '../../../machines/overlay/decide.ts'
import type { Overlay as OverlayState, Values } from '../../../machines/overlay/model.ts'
import type { MaybePromise } from '../../catalog/cache.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { notCued } from '../../errors.ts'
import { allowedValues } from './ads.ts'

type Under = { ctx: Context; overlay: OverlayCard; state: OverlayState }
type Asked = { presetId?: number | undefined; durationSeconds?: number | null | undefined }

/** What is on preview goes on air as it was cued, but for brands that the overlay may not show any more. Throws notCued. */
export function decideTake({ ctx, overlay, state }: Under, { presetId, durationSeconds }: Asked): MaybePromise<Take> {
  const cues = onPreview(state, presetId)
  if (cues.length === 0) throw notCued(presetId)
  const take: Take = {
    type: 'take',
    ...(presetId !== undefined && { presetId }),
    ...(durationSeconds && { durationSeconds }),
  }
  const dressed = cues.filter(({ ads }) => ads)
  if (dressed.length === 0) return take
  return Promise.all(
    dressed.map(async (cued) => [cued.graphicId, await allowedValues(ctx, overlay, cued)] as const),
  ).then((values) => ({ ...take, values: Object.fromEntries(values) satisfies Record<string, Values> }))
}
