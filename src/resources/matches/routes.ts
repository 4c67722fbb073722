import { type Route, route } from '../../http/route.ts'
import { createMatch, createMatches, createMatchV1, deleteMatch } from './commands.ts'
import { rotateDesk } from './desk-link.commands.ts'
import { factRoutes } from './facts.routes.ts'
import { getMatchV1, getMatchV2, listMatchesV1, listMatchesV2 } from './queries.ts'

import {
  MatchFilter,
  MatchInclude,
  MatchLinkRotation,
  MatchParams,
  MatchV1,
  MatchV1List,
  MatchV2,
  MatchV2List,
} from './schema.ts'
import { statisticsRoutes } from './statistics.routes.ts'
import { updateMatchV1, updateMatchV2 } from './update.commands.ts'
import { MatchBatch, MatchBatchResult, MatchCreation, MatchUpdate } from './write.schema.ts'

const create = { method: 'post', summary: 'Create a match', body: MatchCreation } as const
const update = { method: 'post', summary: 'Change a match', params: MatchParams, body: MatchUpdate } as const

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
    ...create,
    path: '/v1/matches',
    response: MatchV1,
    handle: (ctx, { body }) => createMatchV1(ctx, body),
  }),
  route({
    ...create,
    path: '/v2/matches',
    response: MatchV2,
    handle: (ctx, { body }) => createMatch(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v2/matches/batch',
    summary: 'Create up to 100 matches, all of them or none',
    unhurried: true,
    beta: true,
    body: MatchBatch,
    response: MatchBatchResult,
    handle: (ctx, { body }) => createMatches(ctx, body),
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
  route({
    ...update,
    path: '/v1/matches/{matchId}',
    response: MatchV1,
    handle: (ctx, { params, body }) => updateMatchV1(ctx, params.matchId, body),
  }),
  route({
    ...update,
    path: '/v2/matches/{matchId}',
    response: MatchV2,
    handle: (ctx, { params, body }) => updateMatchV2(ctx, params.matchId, body),
  }),
  ...(['/v1', '/v2'] as const).map((version) =>
    route({
      method: 'delete',
      path: `${version}/matches/{matchId}`,
      summary: 'Delete a match with its overlays',
      status: 204,
      params: MatchParams,
      handle: (ctx, { params }) => deleteMatch(ctx, params.matchId),
    }),
  ),
  route({
    method: 'post',
    path: '/v2/matches/{matchId}/links/rotate',
    beta: true,
    summary: 'Give the desk of a match a new address; the old one is refused at once',
    params: MatchParams,
    body: MatchLinkRotation,
    response: MatchV2,
    handle: (ctx, { params }) => rotateDesk(ctx, params.matchId),
  }),
  ...factRoutes,
  ...statisticsRoutes,
]
