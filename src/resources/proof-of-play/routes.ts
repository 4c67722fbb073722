import type { Context } from '../../context.ts'
import { Raw, type Route, route } from '../../http/route.ts'
import { createBreaths } from '../breaths.ts'
import { CompetitionParams } from '../competitions/schema.ts'
import { heldRead, logReads } from '../long-reads.ts'
import { MatchParams } from '../matches/schema.ts'
import { wantsCsv } from '../overlays/as-run.routes.ts'
import {
  getRecordedOverlay,
  listCompetitionOverlays,
  listRecordedOverlays,
  type RecordedOverlay,
} from '../overlays/recorded.queries.ts'
import { databaseAnswers } from '../overlays/recorded-commands.queries.ts'
import { OverlayParams } from '../overlays/schema.ts'
import { playsCsv, proofCsv } from './csv.ts'
import { allPlays, proofOfPlay } from './proof.ts'
import { ProofOfPlay, ProofQuery } from './schema.ts'

const DEFAULT_PLAYS = 100

async function answer(
  ctx: Context,
  overlays: readonly RecordedOverlay[],
  query: ProofQuery,
  { accept, file }: { accept: string; file: string },
) {
  const { format, rows, limit, offset, ...filter } = query
  const asCsv = wantsCsv(format, accept)
  const { slow } = ctx.db
  const asked = { overlays, filter, offset, breathe: createBreaths() }
  const disposition = { 'Content-Disposition': `attachment; filename="${file}-${rows}.csv"` }
  if (asCsv && rows === 'plays' && limit === undefined)
    return new Raw(
      'text/csv; charset=utf-8',
      heldRead(ctx.organizationId, () => playsCsv(allPlays(slow, asked))),
      disposition,
    )
  const proof = await logReads(() => proofOfPlay(slow, { ...asked, limit: limit ?? DEFAULT_PLAYS }), ctx.organizationId)
  if (!asCsv) return proof
  return new Raw('text/csv; charset=utf-8', proofCsv(proof, rows), {
    ...disposition,
    'X-Total-Count': String(proof.total),
  })
}

const about = {
  method: 'get',
  query: ProofQuery,
  response: ProofOfPlay,
  produces: ['text/csv'],
  unhurried: true,
} as const

export const proofOfPlayRoutes: Route[] = [
  route({
    ...about,
    path: '/v2/overlays/{overlayId}/proof-of-play',
    summary: 'Seconds on screen per graphic and brand of an overlay, reconciled with what renderers painted',
    params: OverlayParams,
    handle: async (ctx, { params, query }, accept) => {
      await databaseAnswers(ctx.db.sql)
      const overlay = await getRecordedOverlay(ctx, params.overlayId)
      return answer(ctx, [overlay], query, { accept, file: `proof-of-play-${overlay.id}` })
    },
  }),
  route({
    ...about,
    path: '/v2/matches/{matchId}/proof-of-play',
    summary: 'Seconds on screen per graphic and brand on all overlays of a match, also on those that were deleted',
    scopes: ['matches:read', 'overlays:read'],
    params: MatchParams,
    handle: async (ctx, { params, query }, accept) => {
      await databaseAnswers(ctx.db.sql)
      const overlays = await listRecordedOverlays(ctx, params.matchId)
      return answer(ctx, overlays, query, { accept, file: `proof-of-play-match-${params.matchId}` })
    },
  }),
  route({
    ...about,
    path: '/v2/competitions/{competitionId}/proof-of-play',
    summary:
      'Seconds on screen per graphic, brand and sponsor slot in all matches of a competition, promised against painted',
    scopes: ['competitions:read', 'overlays:read'],
    params: CompetitionParams,
    handle: async (ctx, { params, query }, accept) => {
      await databaseAnswers(ctx.db.sql)
      const overlays = await listCompetitionOverlays(ctx, params.competitionId)
      return answer(ctx, overlays, query, { accept, file: `proof-of-play-competition-${params.competitionId}` })
    },
  }),
]
