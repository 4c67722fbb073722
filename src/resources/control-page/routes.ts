import { stillMissing } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { linkedPlanRoutes } from '../game-plans/routes.ts'
import { linkedGraphicsRoute, linkedScheduledRoute } from '../overlays/graphics.routes.ts'
import { linkedAutomaticRoute, linkedRehearsalRoute } from '../overlays/routes.ts'
import { linkedRundownRoutes } from '../rundowns/routes.ts'
import { getOperatorChoices, getOperatorRoom, getOperatorStill } from './queries.ts'
import { OperatorChoices, OperatorRoom, StillParams } from './schema.ts'

const scopes = ['control'] as const

/** The operations of a control room's page, by the secret in its address: `/control/{token}/rest`. */
export const controlPageRoutes: Route[] = [
  route({
    method: 'get',
    path: '/room',
    summary: 'The control room of the overlay, and which presets can be shown now',
    scopes,
    response: OperatorRoom,
    handle: getOperatorRoom,
  }),
  route({
    method: 'get',
    path: '/choices',
    summary: 'What control variables that name something of the match may be set to',
    scopes,
    response: OperatorChoices,
    handle: getOperatorChoices,
  }),
  route({
    method: 'get',
    path: '/presets/{presetId}/still',
    summary: 'A picture of what a preset would put on air in the match of the overlay: PNG, 480×270',
    scopes,
    params: StillParams,
    produces: ['image/png'],
    tagged: true,
    throws: [stillMissing],
    handle: (ctx, { params }) => getOperatorStill(ctx, params.presetId),
  }),
  linkedGraphicsRoute('/graphics/commands', scopes),
  linkedScheduledRoute('/scheduled/{id}', scopes),
  ...linkedPlanRoutes('/game-plan', scopes),
  ...linkedRundownRoutes('/rundown', scopes),
  linkedAutomaticRoute('/automatic', scopes),
  linkedRehearsalRoute('/rehearsal', scopes),
]
