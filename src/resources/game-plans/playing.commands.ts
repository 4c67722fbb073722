import type { PlanCommand } from '../../../machines/game-plan/commands.ts'
import { isOf } from '../../../machines/game-plan/matching.ts'
import type { Plan } from '../../../machines/game-plan/model.ts'
import type { Unstamped } from '../../../machines/transition.ts'
import type { Context } from '../../context.ts'
import { invalid, notAutomatic, notFound } from '../../errors.ts'
import { databaseNow } from '../overlays/recorded-commands.queries.ts'
import { ownRecords } from '../ownership.ts'
import { dataOf, showsOf, sponsorsOf } from './advance.ts'
import { judging, pictureOf, withoutBrand } from './judge.ts'
import { getGamePlanState } from './playing.queries.ts'
import { operatorOf, stageOf } from './world.ts'

type Command = Unstamped<Exclude<PlanCommand, { type: 'advance' }>>

/** An operator's word on the plan of an overlay; answers what it does then. Throws notAutomatic while the overlay plays none. */
export const pausePlan = (ctx: Context, overlayId: number) =>
  command(ctx, overlayId, 'pause', (said) => ({ type: 'pause', ...said }))
export const resumePlan = (ctx: Context, overlayId: number) =>
  command(ctx, overlayId, 'resume', (said) => ({ type: 'resume', ...said }))
export const holdLayer = (ctx: Context, overlayId: number, layer: string) =>
  command(ctx, overlayId, 'hold', (said) => ({ type: 'hold', layer, ...said }))
export const releaseLayers = (ctx: Context, overlayId: number, layer: string | undefined) =>
  command(ctx, overlayId, 'release', (said) => ({ type: 'release', ...(layer !== undefined && { layer }), ...said }))

/** Fires a rule now: nothing speaks against it but that it cannot be shown. 400 for a rule that the plan has not. */
export const fireRule = (ctx: Context, overlayId: number, ruleId: string) =>
  command(ctx, overlayId, 'fire', async (said) => {
    const stage = await stageOf(ctx.db.sql, overlayId)
    if (!stage) throw notFound()
    const order = stage.rules.findIndex(({ id }) => id === ruleId)
    const rule = stage.rules[order]
    if (!rule) throw invalid({ 'body.ruleId': { message: 'the plan has no such rule', value: ruleId } })
    const match = await ctx.actors.read('match', stage.matchId)
    // of a rule about facts the last one is meant
    const fact = match?.context.facts.findLast((one) => isOf(rule.trigger, one, match.context)) ?? null
    const data = await dataOf(ctx, { overlayId, matchId: stage.matchId, seq: match?.seq ?? 0 }, [{ rule }])
    const by = judging(
      data,
      await showsOf(ctx, stage),
      await sponsorsOf(ctx, stage, match?.context ?? { competitors: [] }),
    )
    const found = pictureOf(rule, fact, by)
    const reason = found ? withoutBrand(found, fact, by) : ('presetInvalid' as const)
    const picture = reason === null && found ? found : null
    const firing = {
      rule,
      order,
      factId: fact?.id ?? null,
      factAt: fact?.updatedAt ?? null,
      reason,
      picture,
    }
    return { type: 'fire', firing, ...said }
  })

type Said = { by: string; at: number }

async function command(
  ctx: Context,
  overlayId: number,
  type: Command['type'],
  decide: (said: Said) => Command | Promise<Command>,
) {
  await ownRecords(ctx, ctx.db.sql, 'overlay', [overlayId])
  const plan = await ctx.actors.send(ctx, 'game-plan', overlayId, {
    asked: { type },
    decide: async () =>
      decide({ by: operatorOf(ctx.actor) ?? 'the server', at: Math.floor(await databaseNow(ctx.db.sql)) }),
    reply: (state: Plan) => state,
    refused: notAutomatic,
  })
  return getGamePlanState(ctx, overlayId, plan)
}
