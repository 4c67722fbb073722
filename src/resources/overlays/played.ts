import { randomUUID } from 'node:crypto'
import type { Context, Errand } from '../../context.ts'
import { notOnAir } from '../../errors.ts'

type Played = { overlayId: number; graphicId: string; seq: number }

/**
 * A renderer has played an OGraf graphic to its end: off air with it, unless it was shown again since, or stays until somebody takes
 * it off. integrations: OGraf import
 */
export const playedErrand: Errand<Played, void> = {
  name: 'played',
  async run(ctx: Context, { overlayId, graphicId, seq }) {
    await ctx.actors.send({ ...ctx, commandId: randomUUID() }, 'overlay', overlayId, {
      asked: { type: 'autoHide', graphicId },
      decide(state) {
        const onAir = state.rehearsal ? undefined : state.graphics[graphicId]
        const isIt = onAir?.ograf !== undefined && onAir.ograf.stepCount <= 0 && onAir.loadSeq <= seq
        return { type: 'hide', graphicId: isIt ? graphicId : '' }
      },
      reply: () => undefined,
      refused: notOnAir,
    })
  },
}
