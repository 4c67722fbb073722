import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { PinnedGraphic } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { unfit } from '../../ograf/requirements.ts'

/** Which of the connected renderers are none that a graphic is for, and why, in words. integrations: OGraf import */
export function fitWarnings(
  { engines }: Pick<Context, 'engines'>,
  overlayId: number,
  { requirements }: Pick<PinnedGraphic, 'requirements'>,
): MaybePromise<readonly string[]> {
  if (!requirements || !engines) return NONE
  return whenKnown(engines(overlayId), (renderers) =>
    renderers.flatMap(({ name, engine }) => {
      const reason = unfit(requirements, { name, engine })
      return reason === undefined ? [] : [`renderer ${name} does not fit: ${reason}`]
    }),
  )
}

const NONE: readonly string[] = []
