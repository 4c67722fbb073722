import { notCued, nothingToUndo, notOnAir } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { linkedOverlay } from '../ownership.ts'
import { commandGraphics, controlGraphic, removeScheduled } from './graphics.commands.ts'
import {
  ControlGraphicAnswer,
  GraphicAction,
  GraphicsAnswer,
  GraphicsCommand,
  MOST_AT_ONCE,
  ScheduledParams,
} from './graphics.schema.ts'
import { OverlayParams } from './schema.ts'

/** A batch costs what its commands would. Taking everything off air must never be refused for being too many requests. */
function costOf(body: unknown): number {
  if (typeof body !== 'object' || body === null || !('action' in body)) return 1
  if (body.action === 'hideAll') return 0
  return body.action === 'batch' && 'commands' in body && Array.isArray(body.commands)
    ? Math.min(Math.max(1, body.commands.length), MOST_AT_ONCE)
    : 1
}

const ofLink = {
  method: 'post',
  summary: 'Show, update or hide a graphic, or hide all; cue, take, schedule and undo',
  body: GraphicsCommand,
  response: GraphicsAnswer,
  throws: [notOnAir, notCued, nothingToUndo],
  bucket: 'graphics',
  live: true,
  cost: costOf,
} as const
const commands = { ...ofLink, params: OverlayParams } as const

/** The same for a page whose address says which overlay it is for. */
export const linkedGraphicsRoute = (path: string, scopes: readonly string[]): Route =>
  route({ ...ofLink, path, scopes, handle: (ctx, { body }) => commandGraphics(ctx, linkedOverlay(ctx), body) })

const removal = {
  method: 'delete',
  status: 204,
  summary: 'Take a scheduled command off the schedule',
  bucket: 'graphics',
  live: true,
} as const

/** The same for a page whose address says which overlay it is for. */
export const linkedScheduledRoute = (path: string, scopes: readonly string[]): Route =>
  route({
    ...removal,
    path,
    scopes,
    params: ScheduledParams.pick({ id: true }).meta({ id: 'LinkedScheduledParams' }),
    handle: (ctx, { params }) => removeScheduled(ctx, linkedOverlay(ctx), params.id),
  })

export const graphicsRoutes: Route[] = [
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/control-room/graphics',
    summary: 'Show, update or hide a preset of the control room',
    params: OverlayParams,
    body: GraphicAction,
    response: ControlGraphicAnswer,
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
  route({
    ...removal,
    path: '/v2/overlays/{overlayId}/scheduled/{id}',
    beta: true,
    params: ScheduledParams,
    handle: (ctx, { params }) => removeScheduled(ctx, params.overlayId, params.id),
  }),
]
