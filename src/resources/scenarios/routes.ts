import { type Route, route } from '../../http/route.ts'
import { getScenario, listScenarios } from './queries.ts'
import { Scenario, ScenarioFilter, ScenarioList, ScenarioParams } from './schema.ts'

// spec: Authentication 6 gives scenarios to the scope of themes
export const scenarioRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/scenarios',
    summary: 'List the match situations that graphics can be tried in',
    query: ScenarioFilter,
    response: ScenarioList,
    handle: (_, { query }) => listScenarios(query),
  }),
  route({
    method: 'get',
    path: '/v2/scenarios/{scenarioId}',
    summary: 'Read a match situation with the data that graphics are given in it',
    params: ScenarioParams,
    response: Scenario,
    handle: (_, { params }) => getScenario(params.scenarioId),
  }),
]
