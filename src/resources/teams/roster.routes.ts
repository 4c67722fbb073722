import { type Route, route } from '../../http/route.ts'
import { Paging } from '../../schema/paging.ts'
import {
  createRosterPlayer,
  putRosterPlayer,
  removeRosterPlayer,
  updateRosterPlayer,
  writeRosterBatch,
} from './roster.commands.ts'
import { getRosterPlayer, listRoster } from './roster.queries.ts'
import {
  RosterBatch,
  RosterBatchResult,
  RosterEntry,
  RosterParams,
  RosterPlayer,
  RosterPlayerCreation,
  RosterPlayerList,
  RosterPlayerParams,
  RosterPlayerUpdate,
} from './roster.schema.ts'

const one = { path: '/v1/teams/{teamId}/players/{playerId}', params: RosterPlayerParams } as const

export const rosterRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/teams/{teamId}/players',
    summary: 'List the roster of a team',
    params: RosterParams,
    query: Paging,
    response: RosterPlayerList,
    handle: (ctx, { params, query }) => listRoster(ctx, params.teamId, query),
  }),
  route({
    method: 'post',
    path: '/v1/teams/{teamId}/players',
    summary: 'Create a player and add it to the roster',
    params: RosterParams,
    body: RosterPlayerCreation,
    response: RosterPlayer,
    handle: (ctx, { params, body }) => createRosterPlayer(ctx, params.teamId, body),
  }),
  route({
    method: 'post',
    path: '/v1/teams/{teamId}/players/batch',
    summary: 'Create and change up to 200 players of the roster, all of them or none',
    unhurried: true,
    params: RosterParams,
    body: RosterBatch,
    response: RosterBatchResult,
    handle: (ctx, { params, body }) => writeRosterBatch(ctx, params.teamId, body),
  }),
  route({
    ...one,
    method: 'get',
    summary: 'Read a player of the roster',
    response: RosterPlayer,
    handle: (ctx, { params }) => getRosterPlayer(ctx, params.teamId, params.playerId),
  }),
  route({
    ...one,
    method: 'put',
    summary: 'Put a player that exists on the roster',
    body: RosterEntry,
    response: RosterPlayer,
    handle: (ctx, { params, body }) => putRosterPlayer(ctx, params, body),
  }),
  route({
    ...one,
    method: 'patch',
    summary: 'Change a player of the roster',
    body: RosterPlayerUpdate,
    response: RosterPlayer,
    handle: (ctx, { params, body }) => updateRosterPlayer(ctx, params, body),
  }),
  route({
    ...one,
    method: 'delete',
    status: 204,
    summary: 'Take a player off the roster',
    handle: (ctx, { params }) => removeRosterPlayer(ctx, params),
  }),
]
