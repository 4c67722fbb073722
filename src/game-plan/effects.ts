import type { Effect } from '../../machines/game-plan/model.ts'
import type { Errand } from '../context.ts'
import { ApiError } from '../errors.ts'
import { derivedId } from '../resources/derived-id.ts'
import { commandGraphics } from '../resources/overlays/graphics.commands.ts'

/** `rehearsal`: the plan rehearses. Left out by the release before, which never does. */
type Asked = { overlayId: number; effect: Effect; rehearsal?: boolean }

/** Carries out one effect of a plan on its overlay, once however often it is called; false when the overlay cannot. game-plan: Rules of behaviour 6 */
export const effectErrand: Errand<Asked, boolean> = {
  name: 'planEffect',
  async run(ctx, { overlayId, effect, rehearsal = false }) {
    const { play } = effect
    const own = {
      ...ctx,
      actor: { type: 'gamePlan', id: play.ruleId, name: play.name } as const,
      commandId: derivedId(`game-plan/${overlayId}/${effect.n}`),
      mayBeDone: true,
    }
    try {
      await commandGraphics(own, overlayId, commandOf(effect), { ...play, rehearsal })
      return true
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      ctx.log.warn({ overlayId, ruleId: play.ruleId, err: error }, 'the overlay cannot do what its game plan wants')
      return false
    }
  },
}

const commandOf = ({ do: action, play, seconds }: Effect) => ({
  action,
  presetId: play.presetId,
  ...(action !== 'hide' && { variableValues: { ...play.values } }),
  ...(action === 'show' && seconds !== null && { durationSeconds: seconds }),
})
