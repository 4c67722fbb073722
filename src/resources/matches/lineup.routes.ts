import { type Route, route } from '../../http/route.ts'
import { replaceLineups } from './lineup.commands.ts'
import { getEarlierLineup, getLineup } from './lineup.queries.ts'
import {
  EarlierLineup,
  EarlierLineupParams,
  LineupFilter,
  LineupParams,
  LineupUpdate,
  MatchLineup,
} from './lineup.schema.ts'

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
  route({
    method: 'get',
    path: '/v2/matches/{matchId}/teams/{teamId}/earlier-lineup',
    beta: true,
    summary: 'The line-up of a team in its match before this one, to start from',
    params: EarlierLineupParams,
    response: EarlierLineup,
    handle: (ctx, { params }) => getEarlierLineup(ctx, params.matchId, params.teamId),
  }),
]
