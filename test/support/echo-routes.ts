import { z } from 'zod'
import { notFound } from '../../src/errors.ts'
import { Raw, route } from '../../src/http/route.ts'
import { Id, Name, text } from '../../src/schema/fields.ts'
import { paging } from '../../src/schema/paging.ts'

const TeamBody = z.strictObject({
  name: Name,
  files: z.array(z.strictObject({ size: z.int32() })).optional(),
  values: z.record(z.string(), z.union([z.string().max(5), z.number(), z.null()])).optional(),
  deep: z.union([z.boolean(), z.union([z.array(z.int()), z.int()])]).optional(),
})

/** A few operations that answer what reached them. */
export const echoRoutes = [
  route({
    method: 'get',
    path: '/v1/teams',
    summary: 'List',
    query: z.object({ ...paging, isHome: z.boolean().optional(), name: z.string().optional() }),
    response: z.unknown(),
    handle: (_ctx, { query }) => ({ query }),
  }),
  route({
    method: 'post',
    path: '/v1/teams',
    summary: 'Create',
    status: 201,
    body: TeamBody,
    response: z.unknown(),
    handle: (_ctx, { body }) => ({ body }),
  }),
  route({
    method: 'get',
    path: '/v1/teams/{teamId}',
    summary: 'Read',
    params: z.object({ teamId: Id }),
    response: z.unknown(),
    handle: (ctx, { params }) => ({ ...params, requestId: ctx.requestId }),
  }),
  route({
    method: 'delete',
    path: '/v1/teams/{teamId}',
    summary: 'Delete',
    status: 204,
    params: z.object({ teamId: Id }),
    handle: () => undefined,
  }),
  route({ method: 'get', path: '/v1/teams/csv', summary: 'Text', handle: () => new Raw('text/csv', 'a,b') }),
  route({
    method: 'get',
    path: '/v1/teams/{teamId}/notes/{note}',
    summary: 'Text parameter',
    params: z.object({ teamId: Id, note: text(1, 100) }),
    response: z.unknown(),
    handle: (_ctx, { params }) => params,
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}',
    summary: 'Beta',
    beta: true,
    params: z.object({ themeId: Id }),
    handle: () => {
      throw notFound()
    },
  }),
  route({
    method: 'post',
    path: '/v2/themes',
    summary: 'Scope',
    beta: true,
    response: z.unknown(),
    handle: () => ({}),
  }),
]
