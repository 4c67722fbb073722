import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { MatchParams } from './schema.ts'
import { replaceStatistics } from './statistics.commands.ts'
import { getStatistics } from './statistics.queries.ts'
import { MatchStatistics, MatchStatisticsUpdate } from './statistics.schema.ts'

export const statisticsRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/matches/{matchId}/statistics',
    summary: 'Read the statistics of a match: counted from its facts, and told beside them',
    beta: true,
    params: MatchParams,
    response: MatchStatistics,
    handle: (ctx, { params }) => getStatistics(ctx, params.matchId),
  }),
  route({
    method: 'put',
    path: '/v2/matches/{matchId}/statistics',
    summary: 'Replace the values that are told of teams and players',
    beta: true,
    params: MatchParams,
    body: MatchStatisticsUpdate,
    response: MatchStatistics,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceStatistics(ctx, params.matchId, body),
  }),
]
