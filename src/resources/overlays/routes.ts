import { onAirNow } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { linkedOverlay } from '../ownership.ts'
import { asRunRoutes } from './as-run.routes.ts'
import { createOverlay, deleteOverlay, updateOverlay, updateOverlayV2 } from './commands.ts'
import { graphicsRoutes } from './graphics.routes.ts'
import { rotateLinks } from './links.commands.ts'
import { refreshObs } from './obs.commands.ts'
import { getOverlay, getOverlayV2, listOverlays, listOverlaysV2 } from './queries.ts'
import {
  AutomaticMode,
  CreatedOverlay,
  LinkRotation,
  Overlay,
  OverlayCreation,
  OverlayFilter,
  OverlayList,
  OverlayParams,
  OverlayUpdate,
  OverlayV2,
  OverlayV2List,
  RehearsalMode,
} from './schema.ts'
import { getOverlayLamps } from './state.queries.ts'
import { OverlayLamps } from './state.schema.ts'

const update = {
  params: OverlayParams,
  body: OverlayUpdate,
  throws: [onAirNow],
  summary: 'Change the settings of an overlay',
} as const
const remove = { method: 'delete', status: 204, params: OverlayParams, summary: 'Delete an overlay' } as const

/** For a page whose address says which overlay it is for: of the settings only this one, and the answer names no other. */
export const linkedAutomaticRoute = (path: string, scopes: readonly string[]): Route =>
  route({
    method: 'post',
    path,
    scopes,
    summary: 'Have the overlay play its game plan, or not',
    body: AutomaticMode,
    response: AutomaticMode,
    async handle(ctx, { body: { autoMode } }) {
      await updateOverlay(ctx, linkedOverlay(ctx), { autoMode })
      return { autoMode }
    },
  })

/** As `linkedAutomaticRoute`, for rehearsals. */
export const linkedRehearsalRoute = (path: string, scopes: readonly string[]): Route =>
  route({
    method: 'post',
    path,
    scopes,
    summary: 'Have the overlay rehearse, which needs an empty screen, or not',
    body: RehearsalMode,
    response: RehearsalMode,
    throws: [onAirNow],
    async handle(ctx, { body: { rehearsal } }) {
      await updateOverlay(ctx, linkedOverlay(ctx), { rehearsal })
      return { rehearsal }
    },
  })

export const overlayRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v1/overlays',
    summary: 'Create an overlay for a match',
    body: OverlayCreation,
    response: CreatedOverlay,
    handle: (ctx, { body }) => createOverlay(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/overlays',
    summary: 'List overlays',
    query: OverlayFilter,
    response: OverlayList,
    handle: (ctx, { query }) => listOverlays(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v2/overlays',
    summary: 'List overlays with their themes',
    query: OverlayFilter,
    response: OverlayV2List,
    handle: (ctx, { query }) => listOverlaysV2(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v1/overlays/{overlayId}',
    summary: 'Read an overlay',
    params: OverlayParams,
    response: Overlay,
    handle: (ctx, { params }) => getOverlay(ctx, params.overlayId),
  }),
  route({
    method: 'get',
    path: '/v2/overlays/{overlayId}',
    summary: 'Read an overlay with its theme',
    params: OverlayParams,
    response: OverlayV2,
    handle: (ctx, { params }) => getOverlayV2(ctx, params.overlayId),
  }),
  route({
    method: 'get',
    path: '/v2/overlays/{overlayId}/state',
    beta: true,
    tagged: true,
    summary: 'Read the lamps of an overlay: cheap enough to ask each second, with If-None-Match',
    params: OverlayParams,
    response: OverlayLamps,
    handle: (ctx, { params }) => getOverlayLamps(ctx, params.overlayId),
  }),
  ...(['patch', 'post'] as const).flatMap((method) => [
    route({
      ...update,
      method,
      path: '/v1/overlays/{overlayId}',
      response: Overlay,
      handle: (ctx, { params, body }) => updateOverlay(ctx, params.overlayId, body),
    }),
    route({
      ...update,
      method,
      path: '/v2/overlays/{overlayId}',
      response: OverlayV2,
      handle: (ctx, { params, body }) => updateOverlayV2(ctx, params.overlayId, body),
    }),
  ]),
  route({
    ...remove,
    path: '/v1/overlays/{overlayId}',
    handle: (ctx, { params }) => deleteOverlay(ctx, params.overlayId),
  }),
  route({
    ...remove,
    path: '/v2/overlays/{overlayId}',
    handle: (ctx, { params }) => deleteOverlay(ctx, params.overlayId),
  }),
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/links/rotate',
    summary: 'Give pages of an overlay new addresses; the old ones are refused at once',
    params: OverlayParams,
    body: LinkRotation,
    response: OverlayV2,
    handle: (ctx, { params, body }) => rotateLinks(ctx, params.overlayId, body),
  }),
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/obs/refresh',
    beta: true,
    summary: 'Have OBS load the browser sources of the overlay anew, also while something is on air',
    params: OverlayParams,
    response: OverlayV2,
    handle: (ctx, { params }) => refreshObs(ctx, params.overlayId),
  }),
  ...graphicsRoutes,
  ...asRunRoutes,
]
