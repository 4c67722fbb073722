import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { Raw, type Route, route } from '../../http/route.ts'
import { heldRead, logReads } from '../long-reads.ts'
import { MatchParams } from '../matches/schema.ts'
import { asRunCsv, asRunHeader, asRunRows } from './as-run.csv.ts'
import { cursorOf, placeOf } from './as-run.cursor.ts'
import { namesIn } from './as-run.names.ts'
import { allAsRun, findAsRun, totalAsRun } from './as-run.queries.ts'
import { type AsRunEntry, AsRunLog, AsRunQuery } from './as-run.schema.ts'
import { getRecordedOverlay, listRecordedOverlays } from './recorded.queries.ts'
import { databaseAnswers } from './recorded-commands.queries.ts'
import { OverlayParams } from './schema.ts'

const DEFAULT_ROWS = 100

/** Whether CSV is wanted: by the parameter, else when it is the first type of the Accept header that such a route can answer. */
export const wantsCsv = (format: 'json' | 'csv' | undefined, accept: string) =>
  (format ?? /text\/csv|application\/json|\*\/\*/i.exec(accept)?.[0].toLowerCase().split('/')[1]) === 'csv'

type Log = { of: `${'match' | 'overlay'}/${number}`; file: string; query: AsRunQuery; accept: string }

/** Where the asked page begins. Throws invalid for a cursor of another log, or one beside an offset. */
function startOf({ of, query: { cursor, offset, order = 'asc' } }: Log) {
  if (cursor === undefined) return { offset: offset ?? 0 }
  if (offset !== undefined)
    throw invalid({ 'query.cursor': { message: 'either a cursor or an offset', value: cursor } })
  return { behind: placeOf(cursor, { of, order }) }
}

async function asRun(
  ctx: Context,
  log: Log,
  find: () => Promise<{ matchId: number; overlayIds: readonly number[] }>,
): Promise<z.input<typeof AsRunLog> | Raw> {
  const { of, query, file } = log
  const { format, limit, offset: _, cursor: __, ...filter } = query
  const start = startOf(log)
  await databaseAnswers(ctx.db.sql)
  const { matchId, overlayIds } = await find()
  const { slow } = ctx.db
  const csv = wantsCsv(format, log.accept)
  const disposition = { 'Content-Disposition': `attachment; filename="${file}.csv"` }
  if (csv && limit === undefined) {
    const lines = () => asRunLines(allAsRun(slow, overlayIds, { ...filter, start }))
    const total = await logReads(() => totalAsRun(slow, overlayIds, filter), ctx.organizationId)
    return new Raw('text/csv; charset=utf-8', heldRead(ctx.organizationId, lines), {
      ...disposition,
      'X-Total-Count': String(total),
    })
  }
  const names = csv ? {} : { namesOf: namesIn(ctx, matchId) }
  const { next, ...page } = await logReads(
    () => findAsRun(slow, overlayIds, { ...filter, ...names, start, limit: limit ?? DEFAULT_ROWS }),
    ctx.organizationId,
  )
  const nextCursor = next && cursorOf({ of, order: filter.order ?? 'asc' }, next)
  if (!csv) return { ...page, ...(nextCursor !== undefined && { nextCursor }) }
  return new Raw('text/csv; charset=utf-8', asRunCsv(page.asRun), {
    ...disposition,
    'X-Total-Count': String(page.total),
    ...(nextCursor !== undefined && { 'X-Next-Cursor': nextCursor }),
  })
}

async function* asRunLines(pages: AsyncIterable<AsRunEntry[]>): AsyncGenerator<string> {
  let lines = asRunHeader
  // the header goes out with the first page, so that a fault of the database is answered with its status
  for await (const page of pages) {
    yield lines + asRunRows(page)
    lines = ''
  }
  if (lines !== '') yield lines
}

const asRunOfOverlay = (ctx: Context, overlayId: number, query: AsRunQuery, accept: string) =>
  asRun(ctx, { of: `overlay/${overlayId}`, file: `as-run-${overlayId}`, query, accept }, async () => {
    const { matchId } = await getRecordedOverlay(ctx, overlayId)
    return { matchId, overlayIds: [overlayId] }
  })

const asRunOfMatch = (ctx: Context, matchId: number, query: AsRunQuery, accept: string) =>
  asRun(ctx, { of: `match/${matchId}`, file: `as-run-match-${matchId}`, query, accept }, async () => {
    const overlays = await listRecordedOverlays(ctx, matchId)
    return { matchId, overlayIds: overlays.map(({ id }) => id) }
  })

export const asRunRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/overlays/{overlayId}/as-run',
    summary: 'What was on air: who, which key, what, when committed, when each renderer painted',
    params: OverlayParams,
    query: AsRunQuery,
    response: AsRunLog,
    produces: ['text/csv'],
    unhurried: true,
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
    unhurried: true,
    handle: (ctx, { params, query }, accept) => asRunOfMatch(ctx, params.matchId, query, accept),
  }),
]
