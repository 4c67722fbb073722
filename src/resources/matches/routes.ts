import { type Route, route } from '../../http/route.ts'
import { createMatch } from './commands.ts'
import { getMatchV1, getMatchV2, listMatchesV1, listMatchesV2 } from './queries.ts'
import {
  MatchCreation,
  MatchFilter,
  MatchInclude,
  MatchParams,
  MatchV1,
  MatchV1List,
  MatchV2,
  MatchV2List,
} from './schema.ts'

export const matchRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/matches',
    summary: 'List matches',
    query: MatchFilter,
    response: MatchV1List,
    handle: (ctx, { query }) => listMatchesV1(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v2/matches',
    summary: 'List matches with their competitors',
    query: MatchFilter,
    response: MatchV2List,
    handle: (ctx, { query }) => listMatchesV2(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v2/matches',
    summary: 'Create a match',
    body: MatchCreation,
    response: MatchV2,
    handle: (ctx, { body }) => createMatch(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/matches/{matchId}',
    summary: 'Read a match',
    params: MatchParams,
    query: MatchInclude,
    response: MatchV1,
    handle: (ctx, { params, query }) => getMatchV1(ctx, params.matchId, query.include),
  }),
  route({
    method: 'get',
    path: '/v2/matches/{matchId}',
    summary: 'Read a match with its competitors',
    params: MatchParams,
    query: MatchInclude,
    response: MatchV2,
    handle: (ctx, { params, query }) => getMatchV2(ctx, params.matchId, query.include),
  }),
]
