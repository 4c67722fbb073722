import { notOnAir } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { linkedOverlay } from '../ownership.ts'
import { commandGraphics, controlGraphic } from './graphics.commands.ts'
import { GraphicAction, GraphicsAnswer, GraphicsCommand } from './graphics.schema.ts'
import { OverlayParams } from './schema.ts'

const hidesAll = (body: unknown) =>
  typeof body === 'object' && body !== null && 'action' in body && body.action === 'hideAll'

const ofLink = {
  method: 'post',
  summary: 'Show, update or hide a graphic, or hide all',
  body: GraphicsCommand,
  response: GraphicsAnswer,
  throws: [notOnAir],
  bucket: 'graphics',
  live: true,
  // taking everything off air must never be refused for being too many requests
  cost: (body: unknown) => (hidesAll(body) ? 0 : 1),
} as const
const commands = { ...ofLink, params: OverlayParams } as const

/** The same for a page whose address says which overlay it is for. */
export const linkedGraphicsRoute = (path: string, scopes: readonly string[]): Route =>
  route({ ...ofLink, path, scopes, handle: (ctx, { body }) => commandGraphics(ctx, linkedOverlay(ctx), body) })

export const graphicsRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/control-room/graphics',
    summary: 'Show, update or hide a preset of the control room',
    params: OverlayParams,
    body: GraphicAction,
    response: GraphicsAnswer,
    throws: [notOnAir],
    bucket: 'graphics',
    live: true,
    handle: (ctx, { params, body }) => controlGraphic(ctx, params.overlayId, body),
  }),
  route({
    ...commands,
    path: '/v1/overlays/{overlayId}/graphics/commands',
    handle: (ctx, { params, body }) => commandGraphics(ctx, params.overlayId, body),
  }),
  route({
    ...commands,
    path: '/v2/overlays/{overlayId}/graphics/commands',
    handle: (ctx, { params, body }) => commandGraphics(ctx, params.overlayId, body),
  }),
]
