import { type Route, route } from '../../http/route.ts'
import { createCompetition } from './commands.ts'
import { getCompetitionWith, listCompetitions, listCompetitionTeams, listGrades } from './queries.ts'
import {
  Competition,
  CompetitionCreation,
  CompetitionFilter,
  CompetitionInclude,
  CompetitionList,
  CompetitionParams,
  CompetitionTeams,
  CompetitionWithAllIncludes,
  GradeList,
} from './schema.ts'

export const competitionRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v1/competitions',
    summary: 'Search competitions',
    query: CompetitionFilter,
    response: CompetitionList,
    handle: (ctx, { query }) => listCompetitions(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v1/competitions',
    status: 201,
    summary: 'Create a competition',
    body: CompetitionCreation,
    response: Competition,
    handle: (ctx, { body }) => createCompetition(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v1/competitions/grades',
    summary: 'List grades',
    response: GradeList,
    handle: (ctx) => listGrades(ctx),
  }),
  route({
    method: 'get',
    path: '/v1/competitions/{competitionId}',
    summary: 'Read a competition',
    params: CompetitionParams,
    query: CompetitionInclude,
    response: CompetitionWithAllIncludes,
    handle: (ctx, { params, query }) => getCompetitionWith(ctx, params.competitionId, query.include),
  }),
  route({
    method: 'get',
    path: '/v1/competitions/{competitionId}/teams',
    summary: 'List the teams of a competition',
    params: CompetitionParams,
    response: CompetitionTeams,
    handle: (ctx, { params }) => listCompetitionTeams(ctx, params.competitionId),
  }),
]
