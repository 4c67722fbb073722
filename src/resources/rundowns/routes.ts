import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { notCued, rundownAtEnd, rundownMoved, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { OverlayParams } from '../overlays/schema.ts'
import { linkedOverlay } from '../ownership.ts'
import { replaceRundown } from './commands.ts'
import { moveRundown } from './moving.commands.ts'
import { getRundown } from './queries.ts'
import { Rundown, RundownAnswer, RundownCue, RundownMove, RundownReplacement } from './schema.ts'

const PATH = '/v2/overlays/{overlayId}/rundown'

const moved = {
  method: 'post',
  response: RundownAnswer,
  throws: [rundownMoved, rundownAtEnd, notCued],
  bucket: 'graphics',
  live: true,
} as const

type OverlayOf = (ctx: Context, params: z.output<typeof OverlayParams> | undefined) => number

/** How the rundown of the overlay that `overlayOf` finds is read and moved, below a path. `more` is of all of them. */
const operated = (path: string, overlayOf: OverlayOf, more: Pick<Route, 'beta' | 'params' | 'scopes'>): Route[] =>
  [
    route({
      method: 'get',
      path,
      summary: 'Read the rundown of an overlay, and how far it has come',
      response: Rundown,
      handle: (ctx, { params }) => getRundown(ctx, overlayOf(ctx, params)),
    }),
    route({
      ...moved,
      path: `${path}/next`,
      summary: 'Take the item of the rundown that is cued, and cue the next one',
      body: RundownMove,
      handle: (ctx, { params, body }) => moveRundown(ctx, overlayOf(ctx, params), { to: 'next', ...body }),
    }),
    route({
      ...moved,
      path: `${path}/previous`,
      summary: 'Cue the item of the rundown before the one that is cued',
      body: RundownMove,
      handle: (ctx, { params, body }) => moveRundown(ctx, overlayOf(ctx, params), { to: 'previous', ...body }),
    }),
    route({
      ...moved,
      path: `${path}/cue`,
      summary: 'Cue an item of the rundown: it goes on from there',
      body: RundownCue,
      handle: (ctx, { params, body }) => moveRundown(ctx, overlayOf(ctx, params), { to: 'item', ...body }),
    }),
  ].map((one) => ({ ...one, ...more }))

/** The same for a page whose address says which overlay it is for. */
export const linkedRundownRoutes = (path: string, scopes: readonly string[]): Route[] =>
  operated(path, linkedOverlay, { scopes })

const named: OverlayOf = (_, params) => {
  if (!params) throw new Error('the route names no overlay')
  return params.overlayId
}

export const rundownRoutes: Route[] = [
  ...operated(PATH, named, { params: OverlayParams, beta: true }),
  route({
    method: 'put',
    path: PATH,
    beta: true,
    summary: 'Replace the rundown of an overlay',
    params: OverlayParams,
    body: RundownReplacement,
    response: Rundown,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceRundown(ctx, params.overlayId, body),
  }),
]
