import { type Route, route } from '../../http/route.ts'
import { getOfficial, listOfficials } from './queries.ts'
import { Official, OfficialFilter, OfficialList, OfficialParams } from './schema.ts'

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
]
