import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { replaceStandingsAdjustments, replaceStandingsRules } from './commands.ts'
import { getStandings } from './queries.ts'
import { Standings, StandingsAdjustmentsUpdate, StandingsParams, StandingsRulesUpdate } from './schema.ts'

export const standingsRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/competitions/{competitionId}/standings',
    summary: 'Read the standings of a competition, from its finished matches',
    beta: true,
    params: StandingsParams,
    response: Standings,
    handle: (ctx, { params }) => getStandings(ctx, params.competitionId),
  }),
  route({
    method: 'put',
    path: '/v2/competitions/{competitionId}/standings/rules',
    summary: 'Replace the points, tie-breakers and groups of the standings',
    beta: true,
    params: StandingsParams,
    body: StandingsRulesUpdate,
    response: Standings,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceStandingsRules(ctx, params.competitionId, body),
  }),
  route({
    method: 'put',
    path: '/v2/competitions/{competitionId}/standings/adjustments',
    summary: 'Replace the points that teams are given or docked',
    beta: true,
    params: StandingsParams,
    body: StandingsAdjustmentsUpdate,
    response: Standings,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => replaceStandingsAdjustments(ctx, params.competitionId, body),
  }),
]
