import { type Route, route } from '../../http/route.ts'
import { Paging } from '../../schema/paging.ts'
import { correctFact, eraseFact, recordFact } from './facts.commands.ts'
import { getFact, getSummary, listFacts } from './facts.queries.ts'
import { Fact, FactCreation, FactList, FactParams, FactUpdate } from './facts.schema.ts'
import { MatchParams } from './schema.ts'
import { MatchSummary } from './summary.schema.ts'

export const factRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/matches/{matchId}/facts',
    summary: 'List the facts of a match in match order',
    params: MatchParams,
    query: Paging,
    response: FactList,
    handle: (ctx, { params, query }) => listFacts(ctx, params.matchId, query),
  }),
  route({
    method: 'post',
    path: '/v2/matches/{matchId}/facts',
    summary: 'Record a fact',
    status: 201,
    repeats: true,
    params: MatchParams,
    body: FactCreation,
    response: Fact,
    handle: (ctx, { params, body }) => recordFact(ctx, params.matchId, body),
  }),
  route({
    method: 'get',
    path: '/v2/matches/{matchId}/facts/{factId}',
    summary: 'Read a fact',
    params: FactParams,
    response: Fact,
    handle: (ctx, { params }) => getFact(ctx, params.matchId, params.factId),
  }),
  route({
    method: 'post',
    path: '/v2/matches/{matchId}/facts/{factId}',
    summary: 'Correct a fact',
    params: FactParams,
    body: FactUpdate,
    response: Fact,
    handle: (ctx, { params, body }) => correctFact(ctx, params.matchId, params.factId, body),
  }),
  route({
    method: 'delete',
    path: '/v2/matches/{matchId}/facts/{factId}',
    summary: 'Delete a fact; answers the fact that was',
    params: FactParams,
    response: Fact,
    handle: (ctx, { params }) => eraseFact(ctx, params.matchId, params.factId),
  }),
  ...(['/v1', '/v2'] as const).map((version) =>
    route({
      method: 'get',
      path: `${version}/matches/{matchId}/summary`,
      summary: 'How a match stands: state, score, periods, facts and statistics',
      params: MatchParams,
      response: MatchSummary,
      handle: (ctx, { params }) => getSummary(ctx, params.matchId),
    }),
  ),
]
