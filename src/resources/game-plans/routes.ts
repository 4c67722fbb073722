import { notAutomatic, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { OverlayParams } from '../overlays/schema.ts'
import { ProfileParams } from '../themes/profiles.schema.ts'
import { replaceGamePlan } from './commands.ts'
import { fireRule, holdLayer, pausePlan, releaseLayers, resumePlan } from './playing.commands.ts'
import { getGamePlanState } from './playing.queries.ts'
import { GamePlanState, LayerHold, LayerRelease, RuleFire } from './playing.schema.ts'
import { getGamePlan } from './queries.ts'
import { GamePlan, GamePlanReplacement } from './schema.ts'
import { simulateGamePlan } from './simulate.ts'
import { Simulation, SimulationAnswer } from './simulation.schema.ts'

const PLAN = '/v2/competitions/{competitionId}/theme-profiles/{profileId}/game-plan'

const PLAYED = '/v2/overlays/{overlayId}/game-plan'
const spoken = {
  method: 'post',
  beta: true,
  params: OverlayParams,
  response: GamePlanState,
  throws: [notAutomatic],
} as const

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
  route({
    ...spoken,
    path: `${PLAYED}/pause`,
    summary: 'Have the game plan fire nothing until it is resumed',
    handle: (ctx, { params }) => pausePlan(ctx, params.overlayId),
  }),
  route({
    ...spoken,
    path: `${PLAYED}/resume`,
    summary: 'Have the game plan go on',
    handle: (ctx, { params }) => resumePlan(ctx, params.overlayId),
  }),
  route({
    ...spoken,
    path: `${PLAYED}/hold`,
    summary: 'Take a layer from the game plan',
    body: LayerHold,
    handle: (ctx, { params, body }) => holdLayer(ctx, params.overlayId, body.layer),
  }),
  route({
    ...spoken,
    path: `${PLAYED}/release`,
    summary: 'Give layers back to the game plan',
    body: LayerRelease,
    handle: (ctx, { params, body }) => releaseLayers(ctx, params.overlayId, body.layer),
  }),
  route({
    ...spoken,
    path: `${PLAYED}/fire`,
    summary: 'Fire a rule of the game plan by hand',
    body: RuleFire,
    handle: (ctx, { params, body }) => fireRule(ctx, params.overlayId, body.ruleId),
  }),
]
