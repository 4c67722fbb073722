import { locked, targetChanged } from '../../errors.ts'
import { type Route, route } from '../../http/route.ts'
import { Unchanged } from '../../schema/concurrency.ts'
import { Paging } from '../../schema/paging.ts'
import { createTheme, updateTheme } from './commands.ts'
import { getTheme, listThemes } from './queries.ts'
import { deleteTheme } from './removal.ts'
import { Theme, ThemeCreation, ThemeList, ThemeParams, ThemeUpdate } from './schema.ts'

export const themeRoutes: Route[] = [
  route({
    method: 'get',
    path: '/v2/themes',
    beta: true,
    summary: 'List themes',
    query: Paging,
    response: ThemeList,
    handle: (ctx, { query }) => listThemes(ctx, query),
  }),
  route({
    method: 'post',
    path: '/v2/themes',
    status: 201,
    beta: true,
    summary: 'Create a theme',
    body: ThemeCreation,
    response: Theme,
    handle: (ctx, { body }) => createTheme(ctx, body),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}',
    beta: true,
    summary: 'Read a theme with its published versions and graphics',
    params: ThemeParams,
    response: Theme,
    handle: (ctx, { params }) => getTheme(ctx, params.themeId),
  }),
  route({
    method: 'patch',
    path: '/v2/themes/{themeId}',
    beta: true,
    summary: 'Update a theme, its active version too',
    params: ThemeParams,
    body: ThemeUpdate,
    response: Theme,
    throws: [targetChanged],
    handle: (ctx, { params, body }) => updateTheme(ctx, params.themeId, body),
  }),
  route({
    method: 'delete',
    path: '/v2/themes/{themeId}',
    status: 204,
    beta: true,
    summary: 'Delete a theme that nothing uses',
    params: ThemeParams,
    query: Unchanged,
    throws: [targetChanged, locked],
    handle: (ctx, { params, query }) => deleteTheme(ctx, params.themeId, query.ifUnchangedSince),
  }),
]
