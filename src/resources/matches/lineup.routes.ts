import { type Route, route } from '../../http/route.ts'
import { replaceLineups } from './lineup.commands.ts'
import { getLineup } from './lineup.queries.ts'
import { LineupFilter, LineupParams, LineupUpdate, MatchLineup } from './lineup.schema.ts'

export const lineupRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/matches/{matchId}/lineup',
    summary: 'Read the line-ups of a match',
    params: LineupParams,
    query: LineupFilter,
    response: MatchLineup,
    handle: (ctx, { params, query }) => getLineup(ctx, params.matchId, query),
  }),
  route({
    method: 'put',
    path: '/v2/matches/{matchId}/lineup',
    summary: 'Replace the line-ups of the teams that are sent',
    params: LineupParams,
    body: LineupUpdate,
    response: MatchLineup,
    handle: (ctx, { params, body }) => replaceLineups(ctx, params.matchId, body),
  }),
]
