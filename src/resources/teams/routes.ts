import { inUse } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { createTeam, deleteTeam, updateTeam, writeTeams } from './commands.ts'
import { getTeam, listTeams } from './queries.ts'
import {
  Team,
  TeamBatch,
  TeamBatchResult,
  TeamCreation,
  TeamFilter,
  TeamList,
  TeamParams,
  TeamUpdate,
} from './schema.ts'

export const teamRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/teams',
    summary: 'List teams',
    query: TeamFilter,
    response: TeamList,
    handle: (ctx, { query }) => listTeams(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/teams',
    status: 201,
    summary: 'Create a team',
    body: TeamCreation,
    response: Team,
    handle: (ctx, { body }) => createTeam(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v1/teams/batch',
    summary: 'Create and change up to 200 teams, all of them or none',
    unhurried: true,
    beta: true,
    body: TeamBatch,
    response: TeamBatchResult,
    handle: (ctx, { body }) => writeTeams(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/teams/{teamId}',
    summary: 'Read a team',
    params: TeamParams,
    response: Team,
    handle: (ctx, { params }) => getTeam(ctx, params.teamId),
  }),
  route({
    method: 'patch',
    path: '/v1/teams/{teamId}',
    summary: 'Update a team',
    params: TeamParams,
    body: TeamUpdate,
    response: Team,
    handle: (ctx, { params, body }) => updateTeam(ctx, params.teamId, body),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/{teamId}',
    status: 204,
    summary: 'Delete a team that nothing uses, with its roster',
    params: TeamParams,
    throws: [inUse],
    handle: (ctx, { params }) => deleteTeam(ctx, params.teamId),
  }),
]
