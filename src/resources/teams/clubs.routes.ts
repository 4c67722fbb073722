import { inUse } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { createClub, deleteClub, updateClub, writeClubs } from './clubs.commands.ts'
import { getClub, listClubs } from './clubs.queries.ts'
import {
  Club,
  ClubBatch,
  ClubBatchResult,
  ClubCreation,
  ClubFilter,
  ClubList,
  ClubParams,
  ClubUpdate,
} from './clubs.schema.ts'

export const clubRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/teams/clubs',
    summary: 'List clubs',
    query: ClubFilter,
    response: ClubList,
    handle: (ctx, { query }) => listClubs(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/teams/clubs',
    status: 201,
    summary: 'Create a club',
    body: ClubCreation,
    response: Club,
    handle: (ctx, { body }) => createClub(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v1/teams/clubs/batch',
    summary: 'Create and change up to 200 clubs, all of them or none',
    unhurried: true,
    beta: true,
    body: ClubBatch,
    response: ClubBatchResult,
    handle: (ctx, { body }) => writeClubs(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/teams/clubs/{clubId}',
    summary: 'Read a club',
    params: ClubParams,
    response: Club,
    handle: (ctx, { params }) => getClub(ctx, params.clubId),
  }),
  route({
    method: 'patch',
    path: '/v1/teams/clubs/{clubId}',
    summary: 'Update a club',
    params: ClubParams,
    body: ClubUpdate,
    response: Club,
    handle: (ctx, { params, body }) => updateClub(ctx, params.clubId, body),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/clubs/{clubId}',
    status: 204,
    summary: 'Delete a club that has no teams',
    params: ClubParams,
    throws: [inUse],
    handle: (ctx, { params }) => deleteClub(ctx, params.clubId),
  }),
]
