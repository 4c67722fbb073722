import type { Context } from '../../context.ts'
import { Raw, type Route, route } from '../../http/route.ts'
import { asRunCsv } from './as-run.csv.ts'
import { findAsRun } from './as-run.queries.ts'
import { AsRunLog, AsRunQuery } from './as-run.schema.ts'
import { getOverlay } from './queries.ts'
import { OverlayParams } from './schema.ts'

const defaultLimit = 100
const defaultCsvRows = 10_000

/** CSV when it is the first type of the Accept header that this route can answer. */
const prefersCsv = (accept: string) =>
  /text\/csv|application\/json|\*\/\*/i.exec(accept)?.[0].toLowerCase() === 'text/csv'

async function asRun(ctx: Context, overlayId: number, query: AsRunQuery, accept: string) {
  await getOverlay(ctx, overlayId)
  const { format, ...filter } = query
  const csv = format === undefined ? prefersCsv(accept) : format === 'csv'
  const limit = query.limit ?? (csv ? defaultCsvRows : defaultLimit)
  const log = await findAsRun(ctx.db.sql, overlayId, { ...filter, limit })
  if (!csv) return log
  return new Raw('text/csv; charset=utf-8', asRunCsv(log.asRun), {
    'Content-Disposition': `attachment; filename="as-run-${overlayId}.csv"`,
    'X-Total-Count': String(log.total),
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
    handle: (ctx, { params, query }, accept) => asRun(ctx, params.overlayId, query, accept),
  }),
]
