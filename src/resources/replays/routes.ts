import { type Route, route } from '../../http/route.ts'
import { getRecordedOverlay } from '../overlays/recorded.queries.ts'
import { databaseAnswers } from '../overlays/recorded-commands.queries.ts'
import { OverlayParams } from '../overlays/schema.ts'
import { createReplay } from './commands.ts'
import { replayRecord } from './record.ts'
import { ReplayAddress, ReplayCreation, ReplayQuery, ReplayRecord } from './schema.ts'

export const replayRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/overlays/{overlayId}/replay',
    summary: 'What was on air, step by step, with the data that graphics had then: for playing it again',
    params: OverlayParams,
    query: ReplayQuery,
    response: ReplayRecord,
    unhurried: true,
    handle: async (ctx, { params, query }) => {
      const { sql, slow } = ctx.db
      await databaseAnswers(sql)
      const overlay = await getRecordedOverlay(ctx, params.overlayId)
      return replayRecord({ sql: slow, publicUrl: ctx.publicUrl, log: ctx.log }, overlay, query)
    },
  }),
  route({
    method: 'post',
    path: '/v2/overlays/{overlayId}/replays',
    status: 201,
    summary: 'Make an address under which what was on air is played at any speed in a browser',
    scopes: ['overlays:read'],
    params: OverlayParams,
    body: ReplayCreation,
    response: ReplayAddress,
    handle: (ctx, { params, body }) => createReplay(ctx, params.overlayId, body),
  }),
]
