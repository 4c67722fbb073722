import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { notAutomatic, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { GamePlanState } from '../../schema/game-plan-state.ts'
import { OverlayParams } from '../overlays/schema.ts'
import { linkedOverlay } from '../ownership.ts'
import { ProfileParams } from '../themes/profiles.schema.ts'
import { replaceGamePlan } from './commands.ts'
import { fireRule, holdLayer, pausePlan, releaseLayers, resumePlan } from './playing.commands.ts'
import { getGamePlanState } from './playing.queries.ts'
import { LayerHold, LayerRelease, RuleFire } from './playing.schema.ts'
import { gamePlanProblems } from './problems.queries.ts'
import { getGamePlan } from './queries.ts'
import { GamePlan, GamePlanProblems, GamePlanReplacement } from './schema.ts'
import { simulateGamePlan } from './simulate.ts'
import { Simulation, SimulationAnswer } from './simulation.schema.ts'

const PLAN = '/v2/competitions/{competitionId}/theme-profiles/{profileId}/game-plan'

const PLAYED = '/v2/overlays/{overlayId}/game-plan'
const spoken = { method: 'post', response: GamePlanState, throws: [notAutomatic] } as const

/** An operator's words on the plan of the overlay that `overlayOf` finds, below a path. `more` is of all of them. */
const words = (
  path: string,
  overlayOf: (ctx: Context, params: z.output<typeof OverlayParams> | undefined) => number,
  more: Pick<Route, 'beta' | 'params' | 'scopes'>,
): Route[] =>
  [
    route({
      ...spoken,
      path: `${path}/pause`,
      summary: 'Have the game plan fire nothing until it is resumed',
      handle: (ctx, { params }) => pausePlan(ctx, overlayOf(ctx, params)),
    }),
    route({
      ...spoken,
      path: `${path}/resume`,
      summary: 'Have the game plan go on',
      handle: (ctx, { params }) => resumePlan(ctx, overlayOf(ctx, params)),
    }),
    route({
      ...spoken,
      path: `${path}/hold`,
      summary: 'Take a layer from the game plan',
      body: LayerHold,
      handle: (ctx, { params, body }) => holdLayer(ctx, overlayOf(ctx, params), body.layer),
    }),
    route({
      ...spoken,
      path: `${path}/release`,
      summary: 'Give layers back to the game plan',
      body: LayerRelease,
      handle: (ctx, { params, body }) => releaseLayers(ctx, overlayOf(ctx, params), body.layer),
    }),
    route({
      ...spoken,
      path: `${path}/fire`,
      summary: 'Fire a rule of the game plan by hand',
      body: RuleFire,
      handle: (ctx, { params, body }) => fireRule(ctx, overlayOf(ctx, params), body.ruleId),
    }),
  ].map((one) => ({ ...one, ...more }))

/** The same for a page whose address says which overlay it is for. */
export const linkedPlanRoutes = (path: string, scopes: readonly string[]): Route[] =>
  words(path, linkedOverlay, { scopes })

const named = (_: Context, params: z.output<typeof OverlayParams> | undefined): number => {
  if (!params) throw new Error('the route names no overlay')
  return params.overlayId
}

export const gamePlanRoutes: Route[] = [
  route({
    method: 'get',
    path: PLAN,
    beta: true,
    summary: 'Read the game plan of a theme profile',
    params: ProfileParams,
    response: GamePlan,
    handle: (ctx, { params }) => getGamePlan(ctx, params),
  }),
  route({
    method: 'put',
    path: PLAN,
    beta: true,
    summary: 'Replace the game plan of a theme profile',
    params: ProfileParams,
    body: GamePlanReplacement,
    response: GamePlan,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceGamePlan(ctx, params, body),
  }),
  route({
    method: 'get',
    path: `${PLAN}/problems`,
    beta: true,
    summary: 'What of a game plan cannot run any more',
    params: ProfileParams,
    response: GamePlanProblems,
    handle: (ctx, { params }) => gamePlanProblems(ctx, params),
  }),
  route({
    method: 'post',
    path: `${PLAN}/simulate`,
    beta: true,
    summary: 'Play a game plan on a match in virtual time',
    params: ProfileParams,
    body: Simulation,
    response: SimulationAnswer,
    // a plan with many rules may take as long as many other requests
    cost: () => 5,
    unhurried: true,
    handle: (ctx, { params, body }) => simulateGamePlan(ctx, params, body),
  }),
  route({
    method: 'get',
    path: PLAYED,
    beta: true,
    summary: 'What the game plan of an overlay is doing',
    params: OverlayParams,
    response: GamePlanState,
    handle: (ctx, { params }) => getGamePlanState(ctx, params.overlayId),
  }),
  ...words(PLAYED, named, { params: OverlayParams, beta: true }),
]
