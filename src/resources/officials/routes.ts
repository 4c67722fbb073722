import { inUse } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { createOfficial, deleteOfficial, updateOfficial, writeOfficials } from './commands.ts'
import { getOfficial, listOfficials } from './queries.ts'
import {
  Official,
  OfficialBatch,
  OfficialBatchResult,
  OfficialCreation,
  OfficialFilter,
  OfficialList,
  OfficialParams,
  OfficialUpdate,
} from './schema.ts'

export const officialRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/officials',
    summary: 'List match officials',
    query: OfficialFilter,
    response: OfficialList,
    handle: (ctx, { query }) => listOfficials(ctx, query),
  }),
  route({
    method: 'get',
    path: '/v1/officials/{officialId}',
    summary: 'Read a match official',
    params: OfficialParams,
    response: Official,
    handle: (ctx, { params }) => getOfficial(ctx, params.officialId),
  }),
  route({
    method: 'post',
    path: '/v1/officials',
    status: 201,
    summary: 'Create a match official',
    body: OfficialCreation,
    response: Official,
    handle: (ctx, { body }) => createOfficial(ctx, body),
  }),
  route({
    method: 'post',
    path: '/v1/officials/batch',
    summary: 'Create and change up to 200 match officials, all of them or none',
    unhurried: true,
    beta: true,
    body: OfficialBatch,
    response: OfficialBatchResult,
    handle: (ctx, { body }) => writeOfficials(ctx, body),
  }),
  route({
    method: 'patch',
    path: '/v1/officials/{officialId}',
    summary: 'Change a match official',
    params: OfficialParams,
    body: OfficialUpdate,
    response: Official,
    handle: (ctx, { params, body }) => updateOfficial(ctx, params.officialId, body),
  }),
  route({
    method: 'delete',
    path: '/v1/officials/{officialId}',
    status: 204,
    summary: 'Delete a match official whom no match names',
    params: OfficialParams,
    throws: [inUse],
    handle: (ctx, { params }) => deleteOfficial(ctx, params.officialId),
  }),
]
