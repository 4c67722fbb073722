import { type Route, route } from '../../http/route.ts'
import { Paging } from '../../schema/paging.ts'
import { getTheme, listProfiles, listThemes, listThemeVariables } from './queries.ts'
import { ProfileListParams, Theme, ThemeList, ThemeParams, ThemeProfileList, ThemeVariableList } from './schema.ts'

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
    method: 'get',
    path: '/v2/themes/{themeId}',
    beta: true,
    summary: 'Read a theme with its published versions and graphics',
    params: ThemeParams,
    response: Theme,
    handle: (ctx, { params }) => getTheme(ctx, params.themeId),
  }),
  route({
    method: 'get',
    path: '/v2/themes/{themeId}/variables',
    beta: true,
    summary: 'List the variables of a theme',
    params: ThemeParams,
    response: ThemeVariableList,
    handle: (ctx, { params }) => listThemeVariables(ctx, params.themeId),
  }),
  route({
    method: 'get',
    path: '/v2/competitions/{competitionId}/theme-profiles',
    summary: 'List the active theme profiles of a competition',
    params: ProfileListParams,
    response: ThemeProfileList,
    handle: (ctx, { params }) => listProfiles(ctx, params.competitionId),
  }),
]
