import type { Context } from '../../context.ts'
import { Raw, type Route, route } from '../../http/route.ts'
import { MatchParams } from '../matches/schema.ts'
import { asRunCsv } from './as-run.csv.ts'
import { namesIn } from './as-run.names.ts'
import { findAsRun } from './as-run.queries.ts'
import { AsRunLog, AsRunQuery } from './as-run.schema.ts'
import { getRecordedOverlay, listRecordedOverlays } from './recorded.queries.ts'
import { OverlayParams } from './schema.ts'

const defaultLimit = 100
const defaultCsvRows = 10_000

/** Whether CSV is wanted: by the parameter, else when it is the first type of the Accept header that such a route can answer. */
export const wantsCsv = (format: 'json' | 'csv' | undefined, accept: string) =>
  (format ?? /text\/csv|application\/json|\*\/\*/i.exec(accept)?.[0].toLowerCase().split('/')[1]) === 'csv'

async function asRun(
  ctx: Context,
  { matchId, overlayIds }: { matchId: number; overlayIds: readonly number[] },
  query: AsRunQuery,
  asked: { accept: string; file: string },
) {
  const { format, ...filter } = query
  const csv = wantsCsv(format, asked.accept)
  const limit = query.limit ?? (csv ? defaultCsvRows : defaultLimit)
  const log = await findAsRun(ctx.db.sql, overlayIds, { ...filter, limit }, namesIn(ctx, matchId))
  if (!csv) return log
  return new Raw('text/csv; charset=utf-8', asRunCsv(log.asRun), {
    'Content-Disposition': `attachment; filename="${asked.file}.csv"`,
    'X-Total-Count': String(log.total),
  })
}

async function asRunOfOverlay(ctx: Context, overlayId: number, query: AsRunQuery, accept: string) {
  const { matchId } = await getRecordedOverlay(ctx, overlayId)
  return asRun(ctx, { matchId, overlayIds: [overlayId] }, query, { accept, file: `as-run-${overlayId}` })
}

async function asRunOfMatch(ctx: Context, matchId: number, query: AsRunQuery, accept: string) {
  const overlays = await listRecordedOverlays(ctx, matchId)
  return asRun(ctx, { matchId, overlayIds: overlays.map(({ id }) => id) }, query, {
    accept,
    file: `as-run-match-${matchId}`,
  })
}

export const asRunRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/overlays/{overlayId}/as-run',
    summary: 'What was on air: who, which key, what, when committed, when each renderer painted',
    params: OverlayParams,
    query: AsRunQuery,
    response: AsRunLog,
    produces: ['text/csv'],
    handle: (ctx, { params, query }, accept) => asRunOfOverlay(ctx, params.overlayId, query, accept),
  }),
  route({
    method: 'get',
    path: '/v2/matches/{matchId}/as-run',
    summary: 'What was on air on all overlays of a match, also on those that were deleted',
    scopes: ['matches:read', 'overlays:read'],
    params: MatchParams,
    query: AsRunQuery,
    response: AsRunLog,
    produces: ['text/csv'],
    handle: (ctx, { params, query }, accept) => asRunOfMatch(ctx, params.matchId, query, accept),
  }),
]
