import { type Route, route } from '../../http/route.ts'
import { feedJsonSchema } from './feed.schema.ts'
import { ProviderFeedSchema, ProviderSchemaParams } from './schema.ts'

export const providerRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/schemas/providers/{providerName}',
    summary: 'Read the JSON Schema of the feed that a connected data provider serves',
    beta: true,
    params: ProviderSchemaParams,
    response: ProviderFeedSchema,
    handle: () => feedJsonSchema(),
  }),
]
