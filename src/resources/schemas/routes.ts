import { type Route, route } from '../../http/route.ts'
import { controlVariableSchemas, listSportSchemas, sportSchema } from './queries.ts'
import { ControlVariableSchemas, JsonSchema, SportChoice, SportParams, SportSchemaList } from './schema.ts'

export const schemaRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/schemas/sports',
    summary: 'List the sports with the parts of their data',
    response: SportSchemaList,
    handle: (ctx) => listSportSchemas(ctx.publicUrl),
  }),
  route({
    method: 'get',
    path: '/v2/schemas/sports/{sport}',
    summary: 'Read the JSON Schema of the data that graphics of a sport receive',
    params: SportParams,
    response: JsonSchema,
    handle: (_, { params }) => sportSchema(params.sport),
  }),
  route({
    method: 'get',
    path: '/v2/schemas/control-variables',
    summary: 'Read the JSON Schema of the values of each type of control variable',
    query: SportChoice,
    response: ControlVariableSchemas,
    handle: (_, { query }) => controlVariableSchemas(query.sport),
  }),
]
