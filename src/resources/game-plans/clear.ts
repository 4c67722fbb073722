import type { Context, Errand } from '../../context.ts'
import { ApiError, notAutomatic } from '../../errors.ts'
import { derivedId } from '../derived-id.ts'
import { databaseNow } from '../overlays/recorded-commands.queries.ts'
import { operatorOf } from './world.ts'

/** `key`: the Idempotency-Key of the request; null: it has none. */
type Asked = { overlayId: number; key: string | null }

/**
 * Somebody hid all where nothing was on air: the overlay has nothing to journal then, and the plan pauses by a commit of its own. Once for one
 * Idempotency-Key; an overlay that plays no plan by now has nothing to pause.
 */
export const clearPlanErrand: Errand<Asked, undefined> = {
  name: 'clearPlan',
  async run({ idempotency: _, ...ctx }, { overlayId, key }) {
    const by = operatorOf(ctx.actor)
    if (by === null) return
    const once = key !== null && {
      commandId: derivedId(`game-plan/${overlayId}/clear/${ctx.organizationId}/${key}`),
      mayBeDone: true,
    }
    try {
      await ctx.actors.send({ ...ctx, ...once }, 'game-plan', overlayId, {
        asked: { type: 'clear' },
        decide: async () => ({ type: 'clear', by, at: Math.floor(await databaseNow(ctx.db.sql)) }),
        reply: () => undefined,
        refused: notAutomatic,
      })
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'notAutomatic')) throw error
    }
  },
}

/** As `clearPlanErrand`, where the plan lives. */
export async function clearPlan(ctx: Context, overlayId: number): Promise<void> {
  try {
    await ctx.atOwner(`game-plan/${overlayId}`, clearPlanErrand, { overlayId, key: ctx.idempotency?.key ?? null })
  } catch (error) {
    if (!livesWithoutPlans(error)) throw error
  }
}

/** The plan is at a node of the release before game plans, which plays none: it answers this to every errand that it does not know. */
export const livesWithoutPlans = (error: unknown): boolean => error instanceof ApiError && error.kind === 'unexpected'
