import { targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { ThemeParams } from './schema.ts'
import { createThemeVariable, deleteThemeVariable, updateThemeVariable } from './variables.commands.ts'
import { getThemeVariable, listThemeVariables } from './variables.queries.ts'
import {
  ThemeVariableCreation,
  ThemeVariableList,
  ThemeVariableParams,
  ThemeVariableUpdate,
  WrittenThemeVariable,
} from './variables.schema.ts'

const LIST = '/v2/themes/{themeId}/variables'
const ONE = '/v2/themes/{themeId}/variables/{id}'

export const themeVariableRoutes: Route[] = [
  route({
    method: 'get',
    path: LIST,
    beta: true,
    summary: 'List the variables of a theme',
    params: ThemeParams,
    response: ThemeVariableList,
    handle: (ctx, { params }) => listThemeVariables(ctx, params.themeId),
  }),
  route({
    method: 'post',
    path: LIST,
    status: 201,
    beta: true,
    summary: 'Add a variable to a theme',
    params: ThemeParams,
    body: ThemeVariableCreation,
    response: WrittenThemeVariable,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => createThemeVariable(ctx, params.themeId, body),
  }),
  route({
    method: 'get',
    path: ONE,
    beta: true,
    summary: 'Read a variable of a theme',
    params: ThemeVariableParams,
    response: WrittenThemeVariable,
    handle: (ctx, { params }) => getThemeVariable(ctx, params.themeId, params.id),
  }),
  route({
    method: 'patch',
    path: ONE,
    beta: true,
    summary: 'Update a variable of a theme',
    params: ThemeVariableParams,
    body: ThemeVariableUpdate,
    response: WrittenThemeVariable,
    throws: [targetChanged],
    handle: (ctx, { params, body }) =>
      updateThemeVariable(ctx, { themeId: params.themeId, variableId: params.id }, body),
  }),
  route({
    method: 'delete',
    path: ONE,
    status: 204,
    beta: true,
    summary: 'Delete a variable of a theme with its values',
    params: ThemeVariableParams,
    query: Unchanged,
    throws: [targetChanged],
    handle: (ctx, { params, query }) =>
      deleteThemeVariable(ctx, { themeId: params.themeId, variableId: params.id }, query.ifUnchangedSince),
  }),
]
